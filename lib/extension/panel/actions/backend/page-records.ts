/**
 * Parses what a page's `App.Actions` returns: only what the specification shows, with defaults for what it leaves open.
 * Items of lists that can't be read are counted.
 */
import * as v from 'valibot';
import { type Action, ActionEnvironment, FunctionDescriptor, Trigger } from '../../../../platform-api/action.ts';
import type { LogList, LogRecord } from '../../../../platform-api/log.ts';
import { PlainObject } from '../../../../platform-api/plain-object.ts';
import type { ActionListing } from './types.ts';

const Id = v.pipe(v.number(), v.integer());
const Text = v.nullish(v.string(), null);

/** Other fields that are absent can be null, so `where` can be, too. */
const PageTrigger = v.pipe(
  v.looseObject({ ...Trigger.entries, where: v.nullish(PlainObject()) }),
  v.transform(({ where, ...trigger }): Trigger => (where == null ? trigger : { ...trigger, where })),
);

/** Only `id` and `name` can't be missing: the specification calls other fields optional, or doesn't show defaults. */
const PageAction = v.object({
  id: Id,
  name: v.pipe(v.string(), v.nonEmpty()),
  active: v.nullish(v.boolean(), true),
  frequency: Text,
  timezone: Text,
  environment: v.nullish(ActionEnvironment, 'any'),
  triggers: v.nullish(v.array(PageTrigger)),
  functions: v.nullish(v.array(v.unknown()), []),
  pageId: v.nullish(Id, null),
  lastRunAt: Text,
  nextRunAt: Text,
  createdAt: v.nullish(v.string(), ''),
  updatedAt: v.nullish(v.string(), ''),
  appId: v.nullish(Id),
});

/** Null if it isn't an action of this app. */
export function parseAction(value: unknown, appId: number): Action | null {
  const parsed = v.safeParse(PageAction, value);
  if (!parsed.success) return null;
  const { triggers, ...action } = parsed.output;
  if (action.appId != null && action.appId !== appId) return null;
  return { ...action, appId, triggers: triggers ?? [{ trigger: action.frequency === null ? 'manual' : 'schedule' }] };
}

/** Null if it isn't a list. Of several actions with the same ID, only the first can be read. */
export function parseActions(value: unknown, appId: number): ActionListing | null {
  if (!Array.isArray(value)) return null;
  const actions = new Map<number, Action>();
  for (const item of value) {
    const action = parseAction(item, appId);
    if (action && !actions.has(action.id)) actions.set(action.id, action);
  }
  return { actions: [...actions.values()], unreadable: value.length - actions.size };
}

const OptionalId = v.nullish(Id, null);
const PageLog = v.object({
  id: Id,
  createdAt: v.nullish(v.string(), ''),
  type: v.string(),
  data: v.nullish(PlainObject(), {}),
  organizationId: OptionalId,
  dataSourceId: OptionalId,
  dataSourceEntryId: OptionalId,
  appNotificationId: OptionalId,
  sessionId: OptionalId,
});

/** Null if it isn't a list of log records. Newest first, whatever the page's order is. */
export function parseLogs(value: unknown, appId: number): LogList | null {
  const parsed = v.safeParse(v.object({ count: v.nullish(Id), logs: v.array(v.unknown()) }), value);
  if (!parsed.success) return null;
  const logs: LogRecord[] = [];
  for (const item of parsed.output.logs) {
    const log = v.safeParse(PageLog, item);
    if (log.success) logs.push({ ...log.output, appId });
  }
  logs.sort((a, b) => b.id - a.id);
  const returned = parsed.output.logs.length;
  return { count: Math.max(parsed.output.count ?? 0, returned), logs, unreadable: returned - logs.length };
}

const PageFunction = v.object({
  ...FunctionDescriptor.entries,
  id: v.nullish(Id, 0),
  description: v.nullish(v.string(), ''),
});

/** Null if it isn't a list. */
export function parseFunctions(value: unknown): FunctionDescriptor[] | null {
  if (!Array.isArray(value)) return null;
  return value.flatMap((item) => {
    const parsed = v.safeParse(PageFunction, item);
    return parsed.success ? [parsed.output] : [];
  });
}
