/** Log records, new log records, and log queries (specification, "Action log record"). */
import * as v from 'valibot';
import { LOG_LIMIT, WHERE_DEPTH, WHERE_LIMIT } from './limits.ts';
import { PlainObject } from './plain-object.ts';
import type { Unreadable } from './lists/unreadable.ts';
import { isWhere } from './where.ts';

const Id = v.pipe(v.number(), v.integer());
const OptionalId = v.nullish(Id, null);

/**
 * A log record. A run’s record has `data` `{mode, duration, actionId, result?}`, with `duration` in milliseconds. Not
 * in the specification: `runId`, `dueAt` of scheduled runs, `logId` of runs that handle a log record, `payload` of
 * failed runs, `console` (lines) of server runs, and `mocks` (their number) of runs with mocks.
 */
export const LogRecord = v.looseObject({
  id: Id,
  appId: Id,
  organizationId: OptionalId,
  dataSourceId: OptionalId,
  dataSourceEntryId: OptionalId,
  appNotificationId: OptionalId,
  sessionId: OptionalId,
  type: v.string(),
  data: v.nullish(PlainObject(), {}),
  createdAt: v.string(),
  /** Not in the specification: true if the platform has a recording of the run. */
  hasRecording: v.optional(v.boolean()),
});
export type LogRecord = v.InferOutput<typeof LogRecord>;
/** Log records. `count`: how many match in all. `unreadable`: more records that were returned. */
export interface LogList {
  count: number;
  logs: LogRecord[];
  unreadable?: Unreadable[];
}
/** The response to adding a log record. */
export const LogResponse = v.looseObject({ log: LogRecord });

/** The types of a run’s log records, which `getLogs` returns by default. */
export const RUN_LOG_TYPES = ['app.action.completed', 'app.task.completed', 'app.task.failed'];

export const LOG_OUTCOMES = ['completed', 'failed'] as const;
export type LogOutcome = (typeof LOG_OUTCOMES)[number];

/** The types of the log records of runs with an outcome. */
export const typesWithOutcome = (outcome: LogOutcome): string[] =>
  RUN_LOG_TYPES.filter((type) => type.endsWith(`.${outcome}`));

const MAX_ID = 2 ** 31 - 1;
const reference = /* @__NO_SIDE_EFFECTS__ */ (name: string) => {
  const message = `${name} must be an ID: a positive integer.`;
  return v.nullish(
    v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(MAX_ID, message)),
    null,
  );
};

export const LogType = v.pipe(
  v.string('type must be a string, such as dataSource.entry.create.'),
  v.regex(
    /^[\w.-]{1,255}$/,
    'type must be 1 to 255 letters, digits, dots, dashes, or underscores, such as dataSource.entry.create.',
  ),
);

/** The fields of a new log record that callers set. The platform adds the rest. */
export const NewLog = v.object({
  type: LogType,
  data: v.optional(PlainObject('data must be an object.'), {}),
  dataSourceId: reference('dataSourceId'),
  dataSourceEntryId: reference('dataSourceEntryId'),
  appNotificationId: reference('appNotificationId'),
  sessionId: reference('sessionId'),
});
export type NewLog = v.InferInput<typeof NewLog>;

const Limit = `limit must be an integer from 0 to ${LOG_LIMIT}. Use before to read older records.`;
const whereIssue = `where must be an object of fields and values, with at most ${WHERE_LIMIT} characters and ${WHERE_DEPTH} levels.`;

export const LogWhere = v.strictObject(
  {
    id: v.optional(v.nullable(v.number('where.id must be a number.'))),
    type: v.optional(v.string('where.type must be a string.')),
    dataSourceId: v.optional(v.nullable(v.number('where.dataSourceId must be a number.'))),
    dataSourceEntryId: v.optional(v.nullable(v.number('where.dataSourceEntryId must be a number.'))),
    appNotificationId: v.optional(v.nullable(v.number('where.appNotificationId must be a number.'))),
    sessionId: v.optional(v.nullable(v.number('where.sessionId must be a number.'))),
    data: v.optional(PlainObject('where.data must be an object.')),
  },
  (issue) =>
    issue.expected === 'never'
      ? 'where can name id, type, dataSourceId, dataSourceEntryId, appNotificationId, sessionId, and data.'
      : whereIssue,
);

const time = /* @__NO_SIDE_EFFECTS__ */ (name: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check((text) => isTime(text), `${name} must be a time with a zone, such as 2026-11-23T14:03:00Z.`),
    ),
  );

/** `Date` would read a time without a zone as this machine’s. */
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));

/**
 * The options of `getLogs`. Not in the specification: `before`, which is the last ID on the previous page, `outcome`,
 * and `from` and `to`, which limit `createdAt`. A record created at `to` is excluded.
 */
export const LogQuery = v.strictObject(
  {
    id: reference('id'),
    limit: v.optional(v.pipe(v.number(Limit), v.integer(Limit), v.minValue(0, Limit), v.maxValue(LOG_LIMIT, Limit))),
    before: reference('before'),
    type: v.optional(LogType),
    where: v.optional(v.pipe(v.custom<Record<string, unknown>>(isWhere, whereIssue), LogWhere)),
    outcome: v.optional(v.picklist(LOG_OUTCOMES, 'outcome must be completed or failed.')),
    from: time('from'),
    to: time('to'),
  },
  'A log query can have only the options id, limit, type, where, before, outcome, from, and to.',
);
export type LogQuery = v.InferOutput<typeof LogQuery>;
/** The options as callers pass them: every field is optional. */
export type LogQueryInput = v.InferInput<typeof LogQuery>;
