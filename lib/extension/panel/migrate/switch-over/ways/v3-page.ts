/** V3 actions through the inspected page’s own `App.V3.Actions`, which any installation with V3 has. */
import * as v from 'valibot';
import { ActionEnvironment, Trigger } from '../../../../../platform-api/action.ts';
import { PlainObject } from '../../../../../platform-api/plain-object.ts';
import type { Result } from '../../../../../platform-api/errors.ts';
import { type LogList, LogRecord } from '../../../../../platform-api/log.ts';
import { describeUnreadable, type Unreadable } from '../../../../../platform-api/lists/unreadable.ts';
import type { Draft, Firing, V3Port, V3State } from '../../../../../migrate/switch-over/index.ts';
import type { ApiTarget } from '../../../../inspector/api/contract.ts';
import type { ApiCall, PageApi } from '../../../../inspector/api/page-api.ts';
import { mapped, outcomeOf, v3Missing } from './outcome.ts';
import { fieldsOf } from './v3-rest.ts';

/** In milliseconds, as for V2. */
const TIME_LIMITS = { read: 20_000, change: 60_000 };
const PAGE_SIZE = 50;
const LOG_PAGE = 500;
/** Apps have fewer actions. A page that always reports more must not keep the panel busy. */
const MAX_PAGES = 200;

const Id = v.pipe(v.number(), v.integer());
const Text = v.nullish(v.string(), null);
const PageTrigger = v.pipe(
  v.looseObject({ ...Trigger.entries, where: v.nullish(PlainObject()) }),
  v.transform(({ where, ...trigger }): Trigger => (where == null ? trigger : { ...trigger, where })),
);
/** Defaults are those of V3. */
const PageAction = v.object({
  id: Id,
  name: v.pipe(v.string(), v.nonEmpty()),
  code: v.nullish(v.string(), ''),
  active: v.nullish(v.boolean(), false),
  environment: v.nullish(ActionEnvironment, 'server'),
  triggers: v.nullish(v.array(PageTrigger), []),
  frequency: Text,
  timezone: Text,
});
const PageLogs = v.object({ count: v.nullish(Id), logs: v.array(v.unknown()) });
const PageList = v.object({
  actions: v.array(v.unknown()),
  pagination: v.nullish(v.object({ hasMore: v.nullish(v.boolean(), false) })),
});

/** Null if it isn’t a V3 action. What the production copy fires on isn’t reported. */
export function parseActionV3(value: unknown): V3State | null {
  const parsed = v.safeParse(PageAction, value);
  if (!parsed.success) return null;
  const { environment: _, ...action } = parsed.output;
  return { ...action, live: undefined, revision: undefined };
}

export class V3Page implements V3Port {
  readonly #api: Pick<PageApi, 'call'>;
  readonly #target: () => Result<ApiTarget>;

  /** @param target the document, which the caller has checked to belong to the app */
  constructor(api: Pick<PageApi, 'call'>, target: () => Result<ApiTarget>) {
    this.#api = api;
    this.#target = target;
  }

  async read(id: number): Promise<Result<V3State | null>> {
    const read = await this.#call('getById', [id], 'read the V3 action');
    if (!read.ok) return read.error.said?.code === 'ACTION_NOT_FOUND' ? { ok: true, value: null } : read;
    return this.#one(read.value, 'getById', (action) => action.id === id);
  }

  async findByName(name: string): Promise<Result<V3State | null>> {
    for (let page = 0; page < MAX_PAGES; page++) {
      const options = { limit: PAGE_SIZE, offset: page * PAGE_SIZE };
      const read = await this.#call('get', [options], 'list the V3 actions');
      if (!read.ok) return read;
      const list = v.safeParse(PageList, read.value);
      if (!list.success) return unreadable('get');
      const found = list.output.actions.map(parseActionV3).find((action) => action?.name === name);
      if (found) return { ok: true, value: found };
      if (!list.output.pagination?.hasMore || list.output.actions.length === 0) break;
    }
    return { ok: true, value: null };
  }

  async create(draft: Draft): Promise<Result<V3State>> {
    const change = { whether: 'the V3 action was created', check: CHECK };
    const created = await this.#call('create', [fieldsOf(draft)], 'create the V3 action', change);
    return created.ok ? this.#changed(created.value, 'create', ({ name }) => name === draft.name) : created;
  }

  async update(seen: V3State, { active, triggers, frequency, timezone }: Firing & { active: boolean }) {
    const change = { whether: 'the V3 action was changed', check: CHECK };
    const properties = { active, triggers, frequency, timezone };
    const updated = await this.#call('update', [seen.id, properties], 'change the V3 action', change);
    return updated.ok ? this.#changed(updated.value, 'update', ({ id }) => id === seen.id) : updated;
  }

  async publish(seen: V3State): Promise<Result<V3State>> {
    const change = { whether: 'the V3 action was published', check: CHECK };
    const published = await this.#call('publish', [seen.id], 'publish the V3 action', change);
    if (!published.ok) return published;
    const { action } = Object(published.value) as { action?: unknown };
    return this.#changed(action, 'publish', ({ id, name }) => id === seen.id || name === seen.name);
  }

  unpublish({ id }: V3State): Promise<Result<null>> {
    const change = { whether: 'the V3 action was unpublished', check: CHECK };
    return mapped(this.#call('unpublish', [id], 'unpublish the V3 action', change), () => null);
  }

  remove({ id }: V3State): Promise<Result<null>> {
    const change = { whether: 'the V3 action was removed', check: CHECK };
    return mapped(this.#call('remove', [id], 'remove the V3 action', change), () => null);
  }

  run(id: number, payload: Record<string, unknown>): Promise<Result<null>> {
    const change = { whether: 'the run was queued', check: 'Check the missed events again.' };
    return mapped(this.#call('run', [id, payload], 'run the V3 action', change), () => null);
  }

  /** Records of an action’s runs, newest first. */
  async logs(id: number, offset: number): Promise<Result<LogList>> {
    const read = await this.#call('getLogs', [{ id, limit: LOG_PAGE, offset }], 'load the log of V3');
    if (!read.ok) return read;
    const list = v.safeParse(PageLogs, read.value);
    if (!list.success) return unreadable('getLogs');
    const target = this.#target();
    const appId = target.ok ? target.value.appId : 0;
    const logs: LogRecord[] = [];
    const notRead: Unreadable[] = [];
    for (const [index, each] of list.output.logs.entries()) {
      const parsed = v.safeParse(LogRecord, { ...Object(each), appId });
      if (parsed.success) logs.push(parsed.output);
      else notRead.push(describeUnreadable(each, index, '', parsed.issues[0].message));
    }
    const returned = list.output.logs.length;
    return {
      ok: true,
      value: { count: Math.max(list.output.count ?? 0, offset + returned), logs, unreadable: notRead },
    };
  }

  async #call(
    method: 'getLogs' | 'get' | 'getById' | 'create' | 'update' | 'publish' | 'unpublish' | 'remove' | 'run',
    args: readonly unknown[],
    task: string,
    change?: NonNullable<ApiCall['change']>,
  ): Promise<Result<unknown>> {
    const found = this.#target();
    if (!found.ok) return found;
    const target = found.value;
    const limit = change ? TIME_LIMITS.change : TIME_LIMITS.read;
    const call = { path: `App.V3.Actions.${method}` as const, args, task, limit, ...(change && { change }) };
    const called = this.#api.call(target, call);
    const result = await (change ? outcomeOf(called) : called);
    const isMissing = !result.ok && result.error.code === 'API_MISSING';
    return isMissing ? { ok: false, error: v3Missing(target.namespace) } : result;
  }

  #one(value: unknown, method: string, isIt: (action: V3State) => boolean): Result<V3State> {
    const action = parseActionV3(value);
    return action && isIt(action) ? { ok: true, value: action } : unreadable(method);
  }

  /** The change was made, but what it has led to is unknown. */
  #changed(value: unknown, method: string, isIt: (action: V3State) => boolean): Promise<Result<V3State>> {
    return outcomeOf(Promise.resolve(this.#one(value, method, isIt)));
  }
}

const CHECK = 'Refresh the switch-over, which reads the action again.';

const unreadable = (method: string): { ok: false; error: { code: string; message: string; hint: string } } => ({
  ok: false,
  error: {
    code: 'PAGE_ANSWER_UNREADABLE',
    message: `Couldn’t read the V3 action: App.V3.Actions.${method}() didn’t return what V3 returns elsewhere.`,
    hint: 'Check what it returns in the page’s console.',
  },
});
