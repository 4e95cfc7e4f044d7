/** Implements `Platform.App.V3.Actions` (actions-v3, "JavaScript API"). */
import type { ActionV3, ActionV3List } from '../../platform-api/actions-v3/record.ts';
import type { Trigger } from '../../platform-api/action.ts';
import type { LogList } from '../../platform-api/log.ts';
import { idProblem } from '../../platform-api/actions/names.ts';
import type { PageRun } from '../../platform-api/runs/run.ts';
import { actionPath, appPath, invalid, plain, queryOf } from '../arguments.ts';
import type { PageRunner } from '../page-runs.ts';
import type { RequestPlatform } from '../request.ts';

/** The properties that you can set. Other properties, such as those that `getById` returned, are ignored. */
export interface ActionV3Properties {
  name: string;
  code: string;
  description?: string | null;
  /** Default false. */
  active?: boolean;
  /** Default `server`. */
  environment?: 'server' | 'client' | 'any';
  /** Default: none. */
  triggers?: Trigger[];
  /** The packages that the code uses. */
  dependencies?: string[];
  /** Five cron fields. */
  frequency?: string | null;
  /** IANA zone, such as `Europe/Amsterdam`. */
  timezone?: string | null;
}

/** Every Promise rejects with an Error that has the `code`, `status`, and `details` of the REST API. */
export interface ActionsV3Api {
  /** On a live page, the production copies. */
  get(options?: { limit?: number; offset?: number }): Promise<ActionV3List>;
  getById(id: number): Promise<ActionV3>;
  create(data: ActionV3Properties): Promise<ActionV3>;
  /** Changes the master copy, and keeps what is omitted. */
  update(id: number, data: Partial<ActionV3Properties> & { revision?: number }): Promise<ActionV3>;
  remove(id: number): Promise<void>;
  /** Resolves when the run is queued or has started in this page. */
  run(nameOrId: string | number, payload?: Record<string, unknown>): Promise<void>;
  /** Resolves with what `execute` returned, or with `{success, data}`: platforms differ. */
  runWithResult(nameOrId: string | number, payload?: Record<string, unknown>): Promise<unknown>;
  /** Resolves with the production copy. */
  publish(id: number): Promise<{ action: ActionV3 }>;
  unpublish(id: number): Promise<void>;
  /** Newest first. `count` is the total number of matches. */
  getLogs(options?: {
    id?: number;
    where?: Record<string, unknown>;
    limit?: number;
    offset?: number;
  }): Promise<LogList>;
}

/** @param request sends requests to paths below the platform’s `/v3/` */
export function createActionsV3(request: RequestPlatform, runner: PageRunner): ActionsV3Api {
  const post = (path: string, body?: unknown): Promise<unknown> =>
    request(path, { method: 'POST', ...(body !== undefined && { body }) });
  const actionOf = (response: unknown): ActionV3 => (response as { action: ActionV3 }).action;

  const start = async (
    nameOrId: unknown,
    payload: unknown,
    operation: 'run' | 'run-with-result',
  ): Promise<{ run?: PageRun; result?: unknown }> =>
    (await post(actionPath(nameOrId, `/${operation}`), {
      payload: payload === undefined ? {} : plain(payload, '/payload'),
    })) as { run?: PageRun; result?: unknown };

  return {
    get: async (options = {}) => (await request(`${appPath()}/actions?${query(options)}`)) as ActionV3List,
    getById: async (id) => actionOf(await request(pathOf(id))),
    create: async (data) => actionOf(await post(`${appPath()}/actions`, plain(data))),
    update: async (id, data) => actionOf(await request(pathOf(id), { method: 'PUT', body: plain(data) })),
    async remove(id) {
      await request(pathOf(id), { method: 'DELETE' });
    },
    async run(nameOrId, payload) {
      const { run } = await start(nameOrId, payload, 'run');
      // Failures are in the log, so the caller doesn’t need the rejection.
      if (run) void runner.run(run).catch(() => undefined);
    },
    async runWithResult(nameOrId, payload) {
      const { run, result } = await start(nameOrId, payload, 'run-with-result');
      return run ? runner.run(run) : result;
    },
    publish: async (id) => ({ action: actionOf(await post(`${pathOf(id)}/publish`)) }),
    async unpublish(id) {
      await post(`${pathOf(id)}/unpublish`);
    },
    getLogs: async (options = {}) => (await request(`${appPath()}/logs?${query(options)}`)) as LogList,
  };
}

/** @throws RequestError `INVALID` unless the ID is a number */
function pathOf(id: unknown): string {
  const problem = idProblem(typeof id === 'number' ? id : null);
  if (problem !== null) throw invalid('', problem);
  return `${appPath()}/actions/${String(id)}`;
}

function query(options: unknown): string {
  if (typeof options !== 'object' || options === null) throw invalid('', 'The options must be an object.');
  return queryOf(options);
}
