/** Reads and changes actions over the platform's REST endpoints, which the background worker calls. */
import type { Mock } from '../../../../debugging/mocks/types.ts';
import type { Action, FunctionDescriptor } from '../../../../platform-api/action.ts';
import type { ActionChange, NewAction } from '../../../../platform-api/actions/input.ts';
import type { ActionRevision, FullRevision } from '../../../../platform-api/actions/revision.ts';
import type { DataSource } from '../../../../platform-api/data-source.ts';
import type { Result } from '../../../../platform-api/errors.ts';
import type { LogList, LogQueryInput, LogRecord, NewLog } from '../../../../platform-api/log.ts';
import { type Unreadable, unreadableOf, withUnreadable } from '../../../../platform-api/lists/unreadable.ts';
import type { OfApp, Send } from '../../../messaging/protocol.ts';
import { findIn } from './find-in.ts';
import type { ActionListing, ActionsBackend, Limits, Payload, QueuedRun, RunResult, ShownAction } from './types.ts';

const PAGE_SIZE = 20_000;

const NO_LIMITS: Limits = {
  revisions: null,
  publishedCopies: null,
  logRecords: null,
  dataSources: null,
  runIds: null,
  allLogs: null,
  logFilters: null,
  history: null,
  virtualClock: null,
};

export class RestActions implements ActionsBackend {
  readonly way = 'rest';
  readonly missing = null;
  readonly cannot = NO_LIMITS;
  readonly of: OfApp;
  readonly #send: Send;

  constructor(send: Send, of: OfApp) {
    this.#send = send;
    this.of = of;
  }

  async list(): Promise<Result<ActionListing>> {
    const listed = await this.#listAll();
    return listed.ok ? { ok: true, value: { actions: listed.value, unreadable: unreadableOf(listed.value) } } : listed;
  }

  async find(id: number, known: readonly Action[] | null): Promise<Result<Action | null>> {
    const isTarget = (action: Action): boolean => action.id === id;
    if (known?.some(isTarget)) {
      // Pages are ordered by ID, so one action is enough unless others were added or removed before it.
      const offset = known.filter((action) => action.id < id).length;
      const one = await this.#send('actions.list', { ...this.of, limit: 1, offset });
      const action = one.ok ? one.value.find(isTarget) : undefined;
      if (!one.ok || action) return one.ok ? { ok: true, value: action ?? null } : one;
    }
    const all = await this.list();
    return all.ok ? findIn(all.value, id) : all;
  }

  create(action: NewAction): Promise<Result<Action>> {
    return this.#send('actions.create', { ...this.of, action });
  }

  update({ id, revision }: ShownAction, change: ActionChange): Promise<Result<Action>> {
    return this.#send('actions.update', { ...this.of, actionId: id, change: { ...change, ...revised(revision) } });
  }

  remove({ id }: ShownAction): Promise<Result<null>> {
    return this.#send('actions.remove', { ...this.of, actionId: id });
  }

  async publish({ id, revision }: ShownAction, publish: boolean): Promise<Result<null>> {
    const request = { ...this.of, actionId: id, publish, ...(publish && revised(revision)) };
    const published = await this.#send('actions.publish', request);
    return published.ok ? { ok: true, value: null } : published;
  }

  history(actionId: number): Promise<Result<ActionRevision[]>> {
    return this.#send('actions.revisions', { ...this.of, actionId });
  }

  revision(actionId: number, revision: number): Promise<Result<FullRevision>> {
    return this.#send('actions.revision', { ...this.of, actionId, revision });
  }

  restore({ id, revision: expected }: ShownAction, revision: number): Promise<Result<Action>> {
    return this.#send('actions.restore', { ...this.of, actionId: id, revision, expected });
  }

  async run({ id }: Action, payload: Payload, mocks: readonly Mock[] = []): Promise<Result<QueuedRun>> {
    const queued = await this.#send('actions.run', { ...this.of, actionId: id, payload, ...given(mocks) });
    if (!queued.ok) return queued;
    const { runId } = queued.value;
    const record: QueuedRun['record'] = async (through) => {
      const list = await through.logs({ id, limit: 1, where: { data: { runId } } });
      return list.ok ? { ok: true, value: list.value.logs[0] ?? null } : list;
    };
    return { ok: true, value: { runId, record } };
  }

  runWithResult({ id }: Action, payload: Payload, mocks: readonly Mock[] = []): Promise<Result<RunResult>> {
    return this.#send('actions.runWithResult', { ...this.of, actionId: id, payload, ...given(mocks) });
  }

  logs(query: LogQueryInput): Promise<Result<LogList>> {
    return this.#send('logs.list', { ...this.of, query });
  }

  addLog(log: NewLog): Promise<Result<LogRecord>> {
    return this.#send('logs.create', { ...this.of, log });
  }

  functions(): Promise<Result<FunctionDescriptor[]>> {
    return this.#send('functions.list', { environmentId: this.of.environmentId });
  }

  dataSources(): Promise<Result<DataSource[]>> {
    return this.#send('dataSources.list', this.of);
  }

  /**
   * All actions in one response, or in pages if that's too large. A platform that doesn't support paging returns all
   * actions every time. The result is then `ANSWER_TOO_LARGE`.
   */
  async #listAll(): Promise<Result<Action[]>> {
    const whole = await this.#send('actions.list', this.of);
    if (whole.ok || whole.error.code !== 'ANSWER_TOO_LARGE') return whole;
    const actions = new Map<number, Action>();
    const unreadable: Unreadable[] = [];
    for (let offset = 0, limit = PAGE_SIZE; ;) {
      const page = await this.#send('actions.list', { ...this.of, limit, offset });
      if (page.ok) {
        for (const action of page.value) actions.set(action.id, action);
        unreadable.push(...unreadableOf(page.value));
        if (page.value.length + unreadableOf(page.value).length !== limit)
          return { ok: true, value: withUnreadable([...actions.values()], unreadable) };
        offset += limit;
      } else if (page.error.code !== 'ANSWER_TOO_LARGE' || limit <= 1) return page;
      else limit = Math.ceil(limit / 4);
    }
  }
}

const revised = (revision: number | undefined): { revision?: number } => (revision === undefined ? {} : { revision });
const given = (mocks: readonly Mock[]): { mocks?: readonly Mock[] } => (mocks.length === 0 ? {} : { mocks });
