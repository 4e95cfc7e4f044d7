/**
 * Implements `Platform.App.Actions` and `Platform.App.Tasks.Functions` (specification, "App Actions V2 JavaScript
 * API").
 */
import type { Action, FunctionDescriptor, Trigger } from '../platform-api/action.ts';
import type { LogList } from '../platform-api/log.ts';
import { idProblem } from '../platform-api/actions/names.ts';
import type { PageRun } from '../platform-api/runs/run.ts';
import type { Pipeline } from '../pipeline/index.ts';
import { actionPath, appPath, invalid, plain, queryOf } from './arguments.ts';
import type { PageRunner } from './page-runs.ts';
import type { RequestPlatform } from './request.ts';

/** The action properties that you can set. Other properties, such as those that `get` returned, are ignored. */
export interface ActionProperties {
  functions?: Pipeline;
  /** Default: `[{trigger: 'manual'}]`, or `[{trigger: 'schedule'}]` if `frequency` is set. */
  triggers?: Trigger[];
  /** Default `any`. */
  environment?: 'server' | 'client' | 'any';
  /** Default true. */
  active?: boolean;
  /** Five cron fields; null removes the schedule. */
  frequency?: string | null;
  /** IANA zone, such as `Europe/Amsterdam`. Default `UTC`. */
  timezone?: string;
  /** Not in the specification: the screen that runs the action. */
  pageId?: number | null;
}

/** Every Promise rejects with an Error that has the `code`, `status`, and `details` of the REST API. */
export interface ActionsApi {
  /** Rejects with 422 `INVALID` and the invalid fields, or with 409 `NAME_TAKEN`. */
  create(action: ActionProperties & { name: string }): Promise<Action>;
  /**
   * Resolves when the run is queued or has started in this page. On a live page, `name` is the published name.
   * Rejects with 409 if the action is inactive, has no manual trigger, or isn’t published (on a live page), and with
   * 413 `PAYLOAD_TOO_LARGE`.
   */
  run(name: string | number, payload?: Record<string, unknown>): Promise<void>;
  /**
   * Like `run`, but resolves with the result. Also rejects with 424 `ACTION_FAILED` and `details`
   * `{errorType, errorMessage, trace}`, or 504 `TIMEOUT`.
   */
  runWithResult(name: string | number, payload?: Record<string, unknown>): Promise<unknown>;
  /**
   * Changes the working copy. Accepts the object that `get` returned. With `revision`, rejects with 409 `CONFLICT` if
   * the action has changed since that revision.
   */
  update(
    idOrName: number | string,
    properties: (ActionProperties & { name?: string; revision?: number }) | Action,
  ): Promise<Action>;
  remove(idOrName: number | string): Promise<void>;
  /**
   * Publishes the working copy to the live app, or unpublishes the action if `isPublish` is false.
   * Rejects with 409 `NAME_TAKEN` if another published action has the same name.
   */
  publish(actionId: number, isPublish: boolean): Promise<Action>;
  get(): Promise<Action[]>;
  /** Newest first. Returns the last 50 results of all actions by default. `count` is the total number of matches. */
  getLogs(options?: LogOptions): Promise<LogList>;
}

export interface LogOptions {
  /** The ID of an action. */
  id?: number;
  /** 0 to 1,000. Default 50. */
  limit?: number;
  /** Matches records in which all of these fields are equal, such as `{type: 'app.task.failed'}`. */
  where?: Record<string, unknown>;
  /** Not in the specification: shorthand for `where.type`. */
  type?: string;
  /** Not in the specification: the last ID on the previous page. */
  before?: number;
  /** Not in the specification: only records of runs with this outcome. */
  outcome?: 'completed' | 'failed';
  /** Not in the specification: only records created at or after `from`, and before `to`. ISO 8601 with a zone. */
  from?: string | Date;
  to?: string | Date;
}

export interface TaskFunctionsApi {
  get(): Promise<FunctionDescriptor[]>;
}

export function createActions(
  request: RequestPlatform,
  runner: PageRunner,
): { actions: ActionsApi; taskFunctions: TaskFunctionsApi } {
  const action = async (path: string, method: string, body: unknown): Promise<Action> =>
    ((await request(path, { method, body })) as { action: Action }).action;

  /** Resolves with a run for this page to execute, or with the platform’s result. */
  async function start(
    name: unknown,
    payload: unknown,
    operation: 'run' | 'run-with-result',
  ): Promise<{ run?: PageRun; result?: unknown }> {
    return (await request(actionPath(name, `/${operation}`), {
      method: 'POST',
      body: { payload: payload === undefined ? {} : plain(payload, '/payload') },
    })) as { run?: PageRun; result?: unknown };
  }

  const actions: ActionsApi = {
    create: async (given) => action(`${appPath()}/actions`, 'POST', plain(given)),
    async run(name, payload) {
      const { run } = await start(name, payload, 'run');
      // Failures are in the log, so the caller doesn’t need the rejection.
      if (run) void runner.run(run).catch(() => undefined);
    },
    async runWithResult(name, payload) {
      const { run, result } = await start(name, payload, 'run-with-result');
      return run ? runner.run(run) : result;
    },
    update: async (idOrName, given) => action(actionPath(idOrName), 'PUT', plain(given)),
    async remove(idOrName) {
      await request(actionPath(idOrName), { method: 'DELETE' });
    },
    async publish(actionId, isPublish) {
      const problem = typeof actionId === 'number' ? idProblem(actionId) : idProblem(null);
      if (problem !== null) throw invalid('', problem);
      return action(`${appPath()}/actions/${actionId}/publish`, 'POST', { publish: plain(isPublish, '/publish') });
    },
    get: async () => ((await request(`${appPath()}/actions`)) as { actions: Action[] }).actions,
    async getLogs(options = {}) {
      if (typeof options !== 'object' || options === null)
        throw invalid('', 'The options of getLogs must be an object.');
      return (await request(`${appPath()}/logs?${queryOf(options)}`)) as LogList;
    },
  };
  const taskFunctions: TaskFunctionsApi = {
    get: async () => ((await request('functions')) as { functions: FunctionDescriptor[] }).functions.map(specified),
  };
  return { actions, taskFunctions };
}

/** Only the fields of the specification. */
const specified = ({ id, name, package: packageName, description }: FunctionDescriptor): FunctionDescriptor => ({
  id,
  name,
  package: packageName,
  description,
});
