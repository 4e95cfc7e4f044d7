/**
 * Lists log records, newest first, with a total count. Without `where` and a time range, a million records take no
 * longer than ten. With them, it takes as long as reading all matches, which indexes find.
 */
import type { SQL } from 'drizzle-orm';
import {
  DEFAULT_LOG_COUNT,
  errorTypeSpellings,
  RUN_LOG_TYPES,
  typesWithOutcome,
  type LogList,
  type LogQuery,
} from '../../platform-api/index.ts';
import { isRecord } from '../../shared/objects.ts';
import type { Database } from '../db/database.ts';
import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, sql } from '../db/drizzle.ts';
import { logCounts, logs } from '../db/schema.ts';
import { recordedAmong } from '../recordings/store.ts';
import { LOG_COLUMNS, logRecord, type LogRow } from './write.ts';

/** With more types than this, one scan of all records is faster than one search per type. */
const MAX_TYPES = 50;

/**
 * Reads the page and the total count in one snapshot.
 * @param recordedAt the time for which records say that they have a recording; undefined if they don’t
 * @param offset how many of the newest records to skip
 */
export function listLogs(
  db: Database,
  appId: number,
  query: LogQuery,
  recordedAt?: Date,
  offset = 0,
): Promise<LogList> {
  const { id: actionId, limit = DEFAULT_LOG_COUNT, before, where } = query;
  return db.transaction(
    async (tx) => {
      const types = await typesOf(tx, appId, query);
      const filters = [...(where ? searched(where) : []), ...within(query)];
      const search = { appId, actionId, types, filters, before, limit, offset };
      const { count, rows } = filters.length > 0 ? await matches(tx, search) : await newest(tx, search);
      const ids = rows.filter(({ type }) => RUN_LOG_TYPES.includes(type)).map(({ id }) => id);
      const recorded = recordedAt && (await recordedAmong(tx, ids, recordedAt));
      const records = rows.map((row) => ({ ...logRecord(row), ...(recorded?.has(row.id) && { hasRecording: true }) }));
      return { count, logs: records };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** The types to look for, each a separate, ordered range of the index. Null: any type. */
async function typesOf(db: Database, appId: number, query: LogQuery): Promise<string[] | null> {
  const { id: actionId, type, where, outcome } = query;
  const wanted = [type, where?.type].filter((each) => each !== undefined);
  const one = wanted.every((each) => each === wanted[0]) ? wanted.slice(0, 1) : [];
  if (outcome) return typesWithOutcome(outcome).filter((each) => wanted.length === 0 || each === one[0]);
  if (wanted.length > 0) return one;
  if (!where) return RUN_LOG_TYPES;
  const present = await db
    .selectDistinct({ type: logCounts.type })
    .from(logCounts)
    .where(and(eq(logCounts.appId, appId), actionId === null ? undefined : eq(logCounts.actionId, actionId)))
    .limit(MAX_TYPES + 1);
  return present.length > MAX_TYPES ? null : present.map((row) => row.type);
}

interface Search {
  appId: number;
  actionId: number | null;
  types: string[] | null;
  filters: SQL[];
  before: number | null;
  limit: number;
  offset: number;
}
interface Page {
  count: number;
  rows: LogRow[];
}

/** Reads each type’s newest records from the end of its range of the index, and takes the count from stored counts. */
async function newest(db: Database, { appId, actionId, types, before, limit, offset }: Search): Promise<Page> {
  if (types?.length === 0) return { count: 0, rows: [] };
  const older = before === null ? undefined : lt(logs.id, before);
  const range = (type: string | null) =>
    sql`(select id from ${logs} where ${and(...matching(appId, actionId, type === null ? null : [type]), older)} order by id desc limit ${limit + offset})`;
  const ranges = types === null ? [range(null)] : types.map(range);
  const ids = sql`select id from (${sql.join(ranges, sql` union all `)}) as found order by id desc limit ${limit} offset ${offset}`;
  const rows = limit === 0 ? [] : await rowsOf(db, sql`${logs.id} in (${ids})`);
  return { count: await counted(db, appId, actionId, types), rows };
}

/** Finds all matches once, for the page and for the count. Otherwise, a search from the newest could read everything. */
async function matches(
  db: Database,
  { appId, actionId, types, filters, before, limit, offset }: Search,
): Promise<Page> {
  if (types?.length === 0) return { count: 0, rows: [] };
  const older = before === null ? sql`` : sql`where id < ${before}`;
  const { rows: found } = await db.execute<{ count: string; ids: number[] }>(sql`
    with found as materialized (select id from ${logs} where ${and(...matching(appId, actionId, types), ...filters)})
    select (select count(*) from found) as count,
      array(select id from found ${older} order by id desc limit ${limit} offset ${offset}) as ids`);
  const { count, ids } = found[0]!;
  return { count: Number(count), rows: ids.length === 0 ? [] : await rowsOf(db, inArray(logs.id, ids)) };
}

const rowsOf = (db: Database, condition: SQL): Promise<LogRow[]> =>
  db.select(LOG_COLUMNS).from(logs).where(condition).orderBy(desc(logs.id));

/** Sums up the stored counts of matching records, which know only types and actions. */
async function counted(db: Database, appId: number, actionId: number | null, types: string[] | null): Promise<number> {
  const [row] = await db
    .select({ count: sql<string>`coalesce(sum(${logCounts.count}), 0)` })
    .from(logCounts)
    .where(
      and(
        eq(logCounts.appId, appId),
        actionId === null ? undefined : eq(logCounts.actionId, actionId),
        types === null ? undefined : anyOf(logCounts.type, types),
      ),
    );
  return Number(row!.count);
}

function matching(appId: number, actionId: number | null, types: string[] | null): (SQL | undefined)[] {
  return [
    eq(logs.appId, appId),
    actionId === null ? undefined : eq(logs.actionId, actionId),
    types === null ? undefined : types.length === 1 ? eq(logs.type, types[0]!) : anyOf(logs.type, types),
  ];
}

const anyOf = (column: typeof logs.type | typeof logCounts.type, types: string[]): SQL => sql`${column} in ${types}`;

const COLUMNS = {
  id: logs.id,
  dataSourceId: logs.dataSourceId,
  dataSourceEntryId: logs.dataSourceEntryId,
  appNotificationId: logs.appNotificationId,
  sessionId: logs.sessionId,
};

/** Conditions for `from` and `to`. */
const within = ({ from, to }: LogQuery): SQL[] => [
  ...(from === undefined ? [] : [gte(logs.createdAt, new Date(from))]),
  ...(to === undefined ? [] : [lt(logs.createdAt, new Date(to))]),
];

/** Conditions for `where` except its type, with the semantics of `whereMismatches`. */
function searched({ data, ...others }: NonNullable<LogQuery['where']>): SQL[] {
  const equal = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[])
    .filter((name) => name in others)
    .map((name) => {
      const column = COLUMNS[name];
      const value = others[name];
      // A number that can’t be an ID matches nothing. The database would reject it.
      return value === null || value === undefined
        ? isNull(column)
        : Number.isInteger(value) && Math.abs(value) < 2 ** 31
          ? eq(column, value)
          : sql`false`;
    });
  return [...equal, ...(data ? [...contained(data), ...matchingData(data, [])] : [])];
}

/**
 * What each match has at least, for the index. Not null, which also matches an absent field. A record that isn’t valid as
 * `jsonb` never matches.
 */
function contained(data: Record<string, unknown>): SQL[] {
  const known = withoutNulls(data);
  if (!known) return Object.keys(data).length > 0 ? [isNotNull(logs.searchData)] : [];
  const { result } = known;
  const errorType = isRecord(result) ? result.errorType : undefined;
  const variants =
    errorType === undefined
      ? [known]
      : errorTypeSpellings(errorType).map((each) => ({ ...known, result: { ...(result as object), errorType: each } }));
  const found = variants.map((each) => sql`${logs.searchData} @> ${JSON.stringify(each)}::jsonb`);
  return [sql`(${sql.join(found, sql` or `)})`];
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> | null {
  const known = Object.entries(fields).flatMap(([name, value]) => {
    const kept = isRecord(value) ? withoutNulls(value) : value;
    return kept === null ? [] : [[name, kept] as const];
  });
  return known.length === 0 ? null : Object.fromEntries(known);
}

function matchingData(fields: Record<string, unknown>, path: string[]): SQL[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    const fieldPath = [...path, field];
    const found = sql`(${logs.searchData} #> array[${sql.join(
      fieldPath.map((key) => sql`${key}`),
      sql`, `,
    )}]::text[])`;
    if (isRecord(value)) return [sql`jsonb_typeof(${found}) = 'object'`, ...matchingData(value, fieldPath)];
    const spellings = fieldPath.join('.') === 'result.errorType' ? errorTypeSpellings(value) : [value];
    const values = spellings.map((each) => sql`${JSON.stringify(each)}::jsonb`);
    return [sql`coalesce(${found}, 'null') in (${sql.join(values, sql`, `)})`];
  });
}
