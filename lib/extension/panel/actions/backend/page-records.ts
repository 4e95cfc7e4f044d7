/**
 * Parses what a page's `App.Actions` returns: only what the specification shows, with defaults for what it leaves open.
 * Items of lists that can't be read are counted.
 */
import * as v from 'valibot';
import { type Action, ActionEnvironment, FunctionDescriptor, Trigger } from '../../../../platform-api/action.ts';
import type { LogList, LogRecord } from '../../../../platform-api/log.ts';
import { PlainObject } from '../../../../platform-api/plain-object.ts';
import { issueDetails } from '../../../../platform-api/errors.ts';
import { describeUnreadable, type Unreadable, withUnreadable } from '../../../../platform-api/lists/unreadable.ts';
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
  const read = readAction(value, appId);
  return 'why' in read ? null : read.action;
}

function readAction(value: unknown, appId: number): { action: Action } | { path: string; why: string } {
  const parsed = v.safeParse(PageAction, value);
  if (!parsed.success) return firstIssue(parsed.issues);
  const { triggers, ...action } = parsed.output;
  if (action.appId != null && action.appId !== appId) return { path: '/appId', why: `belongs to app ${action.appId}` };
  const given = triggers ?? [{ trigger: action.frequency === null ? 'manual' : 'schedule' }];
  return { action: { ...action, appId, triggers: given as Trigger[] } };
}

function firstIssue(issues: readonly v.BaseIssue<unknown>[]): { path: string; why: string } {
  const [{ path, message } = { path: '', message: 'has another form' }] = issueDetails(issues);
  return { path, why: message };
}

/** Null if it isn't a list. Of several actions with the same ID, only the first can be read. */
export function parseActions(value: unknown, appId: number): ActionListing | null {
  if (!Array.isArray(value)) return null;
  const actions = new Map<number, Action>();
  const unreadable: Unreadable[] = [];
  for (const [index, item] of value.entries()) {
    const read = readAction(item, appId);
    if ('why' in read) unreadable.push(describeUnreadable(item, index, read.path, read.why));
    else if (actions.has(read.action.id)) unreadable.push(describeUnreadable(item, index, '/id', 'occurs twice'));
    else actions.set(read.action.id, read.action);
  }
  return { actions: [...actions.values()], unreadable };
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
  const unreadable: Unreadable[] = [];
  for (const [index, item] of parsed.output.logs.entries()) {
    const log = v.safeParse(PageLog, item);
    if (log.success) logs.push({ ...log.output, appId });
    else unreadable.push(unreadableItem(item, index, log.issues));
  }
  logs.sort((a, b) => b.id - a.id);
  const returned = parsed.output.logs.length;
  return { count: Math.max(parsed.output.count ?? 0, returned), logs, unreadable };
}

const PageFunction = v.object({
  ...FunctionDescriptor.entries,
  id: v.nullish(Id, 0),
  description: v.nullish(v.string(), ''),
});

/** Null if it isn't a list. */
export function parseFunctions(value: unknown): FunctionDescriptor[] | null {
  if (!Array.isArray(value)) return null;
  const functions: FunctionDescriptor[] = [];
  const unreadable: Unreadable[] = [];
  for (const [index, item] of value.entries()) {
    const parsed = v.safeParse(PageFunction, item);
    if (parsed.success) functions.push(parsed.output);
    else unreadable.push(unreadableItem(item, index, parsed.issues));
  }
  return withUnreadable(functions, unreadable);
}

function unreadableItem(item: unknown, index: number, issues: readonly v.BaseIssue<unknown>[]): Unreadable {
  const { path, why } = firstIssue(issues);
  return describeUnreadable(item, index, path, why);
}
