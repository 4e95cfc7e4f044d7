/**
 * Reads and changes actions through the inspected page's own `App.Actions` (specification, "App Actions V2 JavaScript
 * API"), for platforms without endpoints for it.
 */
import type { Mock } from '../../../../debugging/mocks/types.ts';
import type { Action, FunctionDescriptor } from '../../../../platform-api/action.ts';
import type { ActionChange, NewAction } from '../../../../platform-api/actions/input.ts';
import type { ActionRevision, FullRevision } from '../../../../platform-api/actions/revision.ts';
import type { DataSource } from '../../../../platform-api/data-source.ts';
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';
import { LOG_LIMIT } from '../../../../platform-api/limits.ts';
import type { LogList, LogQueryInput, LogRecord } from '../../../../platform-api/log.ts';
import type { ApiTarget } from '../../../inspector/api/contract.ts';
import type { ApiCall, PageApi } from '../../../inspector/api/page-api.ts';
import type { OfApp } from '../../../messaging/protocol.ts';
import { editableFields } from '../edit/draft-action.ts';
import { same } from '../edit/draft-value.ts';
import { findIn } from './find-in.ts';
import { parseAction, parseActions, parseFunctions, parseLogs } from './page-records.ts';
import type {
  Ability,
  ActionListing,
  ActionsBackend,
  Limits,
  Payload,
  QueuedRun,
  RunResult,
  ShownAction,
} from './types.ts';

/** In milliseconds. A run can take 120 seconds (specification, "Limits"). */
export const TIME_LIMITS = { read: 20_000, change: 60_000, run: 130_000 };
/** How many of an action's newest records are compared to find a run's record. */
const RECENT = 20;

const LIMITS: Limits = {
  revisions: 'The page reports no revisions. The panel reads an action again right before it changes it.',
  publishedCopies: 'The page doesn’t report what live apps use.',
  logRecords: 'The page can’t add log records.',
  dataSources: 'The page doesn’t list data sources.',
  runIds: 'The page reports no run IDs. A run’s record is the first new one of its action.',
  allLogs: `The page lists at most the newest ${LOG_LIMIT.toLocaleString('en')} log records.`,
  logFilters: 'The page doesn’t filter log records by outcome or time.',
  history: 'The page has no earlier revisions of actions.',
  virtualClock: 'The page has no virtual clock.',
};

const NO_MOCKS: { ok: false; error: ErrorValue } = {
  ok: false,
  error: {
    code: 'MOCKS_UNSUPPORTED',
    message: 'Couldn’t run with mocks: the page’s App.Actions would ignore them. Nothing ran.',
    hint: 'Open it in Run with “Our engine”, or turn the mocks off.',
  },
};

type Change = NonNullable<ApiCall['change']>;

export class PageActions implements ActionsBackend {
  readonly way = 'page';
  readonly missing = null;
  readonly cannot = LIMITS;
  readonly of: OfApp;
  readonly #api: Pick<PageApi, 'call'>;
  readonly #target: ApiTarget;
  readonly #timeLimits: typeof TIME_LIMITS;

  /** @param target the document, which the caller has checked to belong to the app */
  constructor(api: Pick<PageApi, 'call'>, of: OfApp, target: ApiTarget, timeLimits = TIME_LIMITS) {
    this.#api = api;
    this.of = of;
    this.#target = target;
    this.#timeLimits = timeLimits;
  }

  list(): Promise<Result<ActionListing>> {
    return this.#list('load the actions');
  }

  async find(id: number): Promise<Result<Action | null>> {
    const listed = await this.#list('load the action');
    return listed.ok ? findIn(listed.value, id) : listed;
  }

  async create(action: NewAction): Promise<Result<Action>> {
    const change = {
      whether: `the action “${action.name}” was created`,
      check: 'Check the list before you try again.',
    };
    const created = await this.#change('App.Actions.create', [action], 'create the action', change);
    if (!created.ok) return created;
    return this.#changed(created.value, (one) => one.name === action.name, change);
  }

  async update(shown: ShownAction, change: ActionChange): Promise<Result<Action>> {
    const fresh = await this.#unchanged(shown, 'save the action');
    if (!fresh.ok) return fresh;
    const { revision: _, ...properties } = change;
    const outcome = {
      whether: 'the action was saved',
      check: 'Save again: the panel first checks if the action has changed.',
    };
    const saved = await this.#change('App.Actions.update', [shown.id, properties], 'save the action', outcome);
    if (!saved.ok) return saved;
    const action = await this.#changed(saved.value, ({ id }) => id === shown.id, outcome);
    return action.ok ? checkApplied(properties, action.value) : action;
  }

  async remove(shown: ShownAction): Promise<Result<null>> {
    const fresh = await this.#unchanged(shown, 'remove the action');
    if (!fresh.ok) return fresh;
    const outcome = { whether: 'the action was removed', check: 'Refresh the list before you try again.' };
    const removed = await this.#change('App.Actions.remove', [shown.id], 'remove the action', outcome);
    return removed.ok ? { ok: true, value: null } : removed;
  }

  async publish(shown: ShownAction, publish: boolean): Promise<Result<null>> {
    const verb = publish ? 'publish' : 'unpublish';
    // Unpublishing is the same whatever the working copy is.
    const fresh = publish ? await this.#unchanged(shown, 'publish the action') : null;
    if (fresh && !fresh.ok) return fresh;
    const outcome = { whether: `the action was ${verb}ed`, check: 'Check the live app before you try again.' };
    const args = [shown.id, publish];
    const published = await this.#change('App.Actions.publish', args, `${verb} the action`, outcome);
    return published.ok ? { ok: true, value: null } : published;
  }

  async run({ id }: Action, payload: Payload, mocks: readonly Mock[] = []): Promise<Result<QueuedRun>> {
    if (mocks.length > 0) return NO_MOCKS;
    const named = await this.#nameOf(id);
    if (!named.ok) return named;
    const before = await recentLogs(this, id);
    const outcome = { whether: 'the run was queued', check: 'Check the logs before you run the action again.' };
    const queued = await this.#change('App.Actions.run', [named.value, payload], 'run the action', outcome);
    if (!queued.ok) return queued;
    const record: QueuedRun['record'] = async (through) => {
      if (!before.ok) return before;
      const now = await recentLogs(through, id);
      return now.ok ? { ok: true, value: firstNew(before.value, now.value) } : now;
    };
    return { ok: true, value: { runId: null, record } };
  }

  async runWithResult({ id }: Action, payload: Payload, mocks: readonly Mock[] = []): Promise<Result<RunResult>> {
    if (mocks.length > 0) return NO_MOCKS;
    const named = await this.#nameOf(id);
    if (!named.ok) return named;
    const started = performance.now();
    const result = await this.#api.call(this.#target, {
      path: 'App.Actions.runWithResult',
      args: [named.value, payload],
      limit: this.#timeLimits.run,
      task: 'run the action',
      change: {
        whether: 'the run completed',
        check: 'Check the logs before you run the action again.',
        done: 'The run completed.',
      },
    });
    if (!result.ok) return result;
    return { ok: true, value: { result: result.value, milliseconds: Math.round(performance.now() - started) } };
  }

  /** The page has no option for older records, so it's asked for more and those already known are left out. */
  async logs(query: LogQueryInput, loaded = 0): Promise<Result<LogList>> {
    const { id, type, where, before, limit = LOG_LIMIT } = query;
    const options = {
      ...(id != null && { id }),
      limit: Math.min(LOG_LIMIT, before == null ? limit : loaded + limit),
      ...((type !== undefined || where !== undefined) && { where: { ...where, ...(type !== undefined && { type }) } }),
    };
    const read = await this.#read('App.Actions.getLogs', [options], 'load the log', (value) =>
      parseLogs(value, this.of.appId),
    );
    if (!read.ok || before == null) return read;
    const { logs, ...rest } = read.value;
    return { ok: true, value: { ...rest, logs: logs.filter((log) => log.id < before).slice(0, limit) } };
  }

  addLog(): Promise<Result<LogRecord>> {
    return notOffered('add the log record', 'logRecords');
  }

  history(): Promise<Result<ActionRevision[]>> {
    return notOffered('load the revisions', 'history');
  }

  revision(): Promise<Result<FullRevision>> {
    return notOffered('load the revision', 'history');
  }

  restore(): Promise<Result<Action>> {
    return notOffered('restore the revision', 'history');
  }

  functions(): Promise<Result<FunctionDescriptor[]>> {
    return this.#read('App.Tasks.Functions.get', [], 'load the function packages', parseFunctions);
  }

  dataSources(): Promise<Result<DataSource[]>> {
    return notOffered('load the data sources', 'dataSources');
  }

  #list(task: string): Promise<Result<ActionListing>> {
    return this.#read('App.Actions.get', [], task, (value) => parseActions(value, this.of.appId));
  }

  async #read<T>(
    path: ApiCall['path'],
    args: readonly unknown[],
    task: string,
    parse: (value: unknown) => T | null,
  ): Promise<Result<T>> {
    const read = await this.#api.call(this.#target, { path, args, task, limit: this.#timeLimits.read });
    if (!read.ok) return read;
    const value = parse(read.value);
    return value === null ? { ok: false, error: notAsSpecified(task, path) } : { ok: true, value };
  }

  #change(path: ApiCall['path'], args: readonly unknown[], task: string, change: Change): Promise<Result<unknown>> {
    return this.#api.call(this.#target, { path, args, task, change, limit: this.#timeLimits.change });
  }

  /** The action as it is after a change. If the response doesn't have all of it, the list does. */
  async #changed(response: unknown, isIt: (action: Action) => boolean, { whether }: Change): Promise<Result<Action>> {
    const action = parseAction(response, this.of.appId);
    if (action && isIt(action) && Array.isArray((response as Partial<Action>).functions))
      return { ok: true, value: action };
    const listed = await this.#list('load the changed action');
    const found = listed.ok ? listed.value.actions.find(isIt) : undefined;
    if (found) return { ok: true, value: found };
    const isWhole = listed.ok && listed.value.unreadable.length === 0;
    return {
      ok: false,
      error: unconfirmed(whether, isWhole ? 'the page doesn’t list the action' : 'its list couldn’t be read'),
    };
  }

  /** The action if it's still as shown: the page reports no revision, so its fields are compared. */
  async #unchanged({ id, fields }: ShownAction, task: string): Promise<Result<Action>> {
    const found = await this.find(id);
    if (!found.ok) return found;
    if (!found.value) return { ok: false, error: unlisted(task) };
    return same(editableFields(found.value), fields)
      ? { ok: true, value: found.value }
      : { ok: false, error: conflict(task) };
  }

  /** The page runs actions by name, and another action can have the shown name by now. */
  async #nameOf(id: number): Promise<Result<string>> {
    const found = await this.find(id);
    if (!found.ok) return found;
    return found.value ? { ok: true, value: found.value.name } : { ok: false, error: unlisted('run the action') };
  }
}

async function recentLogs(through: Pick<ActionsBackend, 'logs'>, id: number): Promise<Result<LogRecord[]>> {
  const listed = await through.logs({ id, limit: RECENT });
  return listed.ok ? { ok: true, value: listed.value.logs } : listed;
}

/** The first on-demand record since. A run adds its record when it ends. */
function firstNew(before: readonly LogRecord[], now: readonly LogRecord[]): LogRecord | null {
  const known = new Set(before.map(({ id }) => id));
  const newest = Math.max(0, ...known);
  return now.findLast(({ id, data }) => id > newest && !known.has(id) && data['mode'] !== 'scheduled') ?? null;
}

/**
 * A platform may ignore some of them: the specification doesn't say that an update changes the name, the time zone, or
 * the screen. Triggers, steps, and a removed time zone aren't compared, because a platform may add defaults.
 */
const COMPARED = ['name', 'active', 'environment', 'frequency', 'timezone', 'pageId'] as const;

function checkApplied(change: ActionChange, action: Action): Result<Action> {
  const ignored = COMPARED.filter((name) =>
    change[name] === null
      ? name !== 'timezone' && action[name] !== null && action[name] !== ''
      : change[name] !== undefined && action[name] !== null && change[name] !== action[name],
  );
  if (ignored.length === 0) return { ok: true, value: action };
  return {
    ok: false,
    error: {
      code: 'CHANGE_IGNORED',
      message: `The platform saved the action, but reports another ${ignored.join(' and ')} than was sent.`,
      hint: 'Compare them with your draft. A platform may store another form, or ignore them.',
    },
  };
}

const notOffered = (task: string, ability: Ability): Promise<{ ok: false; error: ErrorValue }> =>
  Promise.resolve({
    ok: false,
    error: {
      code: 'NOT_OFFERED',
      message: `Couldn’t ${task}. ${LIMITS[ability] ?? ''}`,
      hint: 'Use a platform that offers it, such as the local platform.',
    },
  });

const notAsSpecified = (task: string, path: string): ErrorValue => ({
  code: 'PAGE_ANSWER_UNREADABLE',
  message: `Couldn’t ${task}: ${path}() didn’t return what the specification shows.`,
  hint: 'Check what it returns in the page’s console.',
});

const conflict = (task: string): ErrorValue => ({
  code: 'CONFLICT',
  message: `Couldn’t ${task}: it has changed since it was shown. Nothing was changed.`,
  hint: 'Check the changes, then try again.',
});

const unlisted = (task: string): ErrorValue => ({
  code: 'NOT_FOUND',
  status: 404,
  message: `Couldn’t ${task}: the page doesn’t list it. Nothing was changed.`,
  hint: 'Refresh the list.',
});

const unconfirmed = (whether: string, why: string): ErrorValue => ({
  code: 'OUTCOME_UNKNOWN',
  message: `Couldn’t confirm whether ${whether}: ${why}.`,
  hint: 'Refresh the list before you try again.',
});
