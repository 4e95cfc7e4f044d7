/** Owns `Platform.App.Actions` and `Platform.App.Tasks.Functions` (specification, "App Actions V2 JavaScript API"). */
import type { Action, FunctionDescriptor, Trigger } from '../platform-api/action.ts';
import type { LogList } from '../platform-api/log.ts';
import { idProblem } from '../platform-api/names.ts';
import type { PageRun } from '../platform-api/run.ts';
import type { Pipeline } from '../pipeline/index.ts';
import { actionPath, appPath, invalid, plain, refuseCode } from './arguments.ts';
import type { PageRunner } from './page-runs.ts';
import type { RequestPlatform } from './request.ts';

/** What may be said about an action; whatever else `get` answered may stay, and is not looked at. */
export interface ActionProperties {
  functions?: Pipeline;
  /** Default `[{trigger: 'manual'}]`, with a frequency `[{trigger: 'schedule'}]`. */
  triggers?: Trigger[];
  /** Default `any`. */
  environment?: 'server' | 'client' | 'any';
  /** Default true. */
  active?: boolean;
  /** Five cron fields; null takes the schedule away. */
  frequency?: string | null;
  /** Full name of a zone, such as `Europe/Amsterdam`. Default `UTC`. */
  timezone?: string;
  /** Additive: the screen to run. */
  pageId?: number | null;
}

/** Every Promise rejects with an Error that has `code`, `status` and `details`, as the REST API answers them. */
export interface ActionsApi {
  /** 422 `INVALID` with the places, 409 `NAME_TAKEN`. */
  create(action: ActionProperties & { name: string }): Promise<Action>;
  /** Resolves without a result once the run is queued, or in a page has begun. A live page names it as it was published. 409 when inactive, without manual trigger, or unpublished in a live page; 413 `PAYLOAD_TOO_LARGE`. */
  run(name: string | number, payload?: Record<string, unknown>): Promise<void>;
  /** As `run`, and resolves with the result. 424 `ACTION_FAILED` with `details` `{errorType, errorMessage, trace}`, 504 `TIMEOUT`. */
  runWithResult(name: string | number, payload?: Record<string, unknown>): Promise<unknown>;
  /** Changes the working copy alone; what `get` answered can be sent back changed. With `revision`, 409 `CONFLICT` when the action has another one by now. */
  update(
    idOrName: number | string,
    properties: (ActionProperties & { name?: string; revision?: number }) | Action,
  ): Promise<Action>;
  remove(idOrName: number | string): Promise<void>;
  /** `isPublish` true: the live app uses the action as it is now; false: it stops working there. 409 `NAME_TAKEN` when another's published copy has its name. */
  publish(actionId: number, isPublish: boolean): Promise<Action>;
  get(): Promise<Action[]>;
  /** Newest first; without options the last 50 results of all actions. `count` is how many match in all. */
  getLogs(options?: LogOptions): Promise<LogList>;
}

export interface LogOptions {
  /** An action's id. */
  id?: number;
  /** 0 to 1,000. Default 50. */
  limit?: number;
  /** Fields that a record must have, deeply, such as `{type: 'app.task.failed'}`. */
  where?: Record<string, unknown>;
  /** Additive: the same as `where.type`. */
  type?: string;
  /** Additive: the id that the page before ended with. */
  before?: number;
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

  function properties(given: unknown): unknown {
    // Before a pipeline is walked: one that holds itself is refused here.
    const sent = plain(given);
    if (typeof given === 'object' && given !== null && 'functions' in given) refuseCode(given.functions, '/functions');
    return sent;
  }

  /** A run that is the page's own to do, or the platform's answer. */
  async function fire(
    name: unknown,
    payload: unknown,
    how: 'run' | 'run-with-result',
  ): Promise<{ run?: PageRun; result?: unknown }> {
    return (await request(actionPath(name, `/${how}`), {
      method: 'POST',
      body: { payload: payload === undefined ? {} : plain(payload) },
    })) as { run?: PageRun; result?: unknown };
  }

  const actions: ActionsApi = {
    create: async (given) => action(`${appPath()}/actions`, 'POST', properties(given)),
    async run(name, payload) {
      const { run } = await fire(name, payload, 'run');
      // Nobody waits for it: how it ended stands in the log.
      if (run) void runner.run(run).catch(() => undefined);
    },
    async runWithResult(name, payload) {
      const { run, result } = await fire(name, payload, 'run-with-result');
      return run ? runner.run(run) : result;
    },
    update: async (idOrName, given) => action(actionPath(idOrName), 'PUT', properties(given)),
    async remove(idOrName) {
      await request(actionPath(idOrName), { method: 'DELETE' });
    },
    async publish(actionId, isPublish) {
      const problem = typeof actionId === 'number' ? idProblem(actionId) : idProblem(null);
      if (problem !== null) throw invalid('', problem);
      return action(`${appPath()}/actions/${actionId}/publish`, 'POST', { publish: plain(isPublish) });
    },
    get: async () => ((await request(`${appPath()}/actions`)) as { actions: Action[] }).actions,
    async getLogs(options = {}) {
      if (typeof options !== 'object' || options === null)
        throw invalid('', 'The options of getLogs must be an object.');
      const query = Object.entries(options).filter(([, value]) => value !== undefined);
      const text = new URLSearchParams(
        query.map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(plain(value)) : String(value)]),
      );
      return (await request(`${appPath()}/logs?${text}`)) as LogList;
    },
  };
  const taskFunctions: TaskFunctionsApi = {
    get: async () => ((await request('functions')) as { functions: FunctionDescriptor[] }).functions,
  };
  return { actions, taskFunctions };
}
