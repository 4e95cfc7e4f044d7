/**
 * Lists log records, newest first, with a total count. Without `where` and a time range, a million records take no
 * longer than ten.
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
import { and, desc, eq, gte, isNull, lt, sql } from '../db/drizzle.ts';
import { logCounts, logs } from '../db/schema.ts';
import { recordedAmong } from '../recordings/store.ts';
import { logRecord } from './write.ts';

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
      const rows = await page(tx, appId, actionId, types, filters, before, limit, offset);
      const ids = rows.filter(({ type }) => RUN_LOG_TYPES.includes(type)).map(({ id }) => id);
      const recorded = recordedAt && (await recordedAmong(tx, ids, recordedAt));
      const records = rows.map((row) => ({ ...logRecord(row), ...(recorded?.has(row.id) && { hasRecording: true }) }));
      return { count: await counted(tx, appId, actionId, types, filters), logs: records };
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

async function page(
  db: Database,
  appId: number,
  actionId: number | null,
  types: string[] | null,
  filters: SQL[],
  before: number | null,
  limit: number,
  offset: number,
) {
  if (limit === 0 || types?.length === 0) return [];
  const range = (type: string | null) =>
    sql`(select id from ${logs} where ${and(...matching(appId, actionId, type === null ? null : [type]), ...filters, before === null ? undefined : lt(logs.id, before))} order by id desc limit ${limit + offset})`;
  const ranges = types === null ? [range(null)] : types.map(range);
  return db
    .select()
    .from(logs)
    .where(
      sql`${logs.id} in (select id from (${sql.join(ranges, sql` union all `)}) as found order by id desc limit ${limit} offset ${offset})`,
    )
    .orderBy(desc(logs.id));
}

/** Counts matching records on all pages. With filters other than type and action, the stored counts can’t be used. */
async function counted(
  db: Database,
  appId: number,
  actionId: number | null,
  types: string[] | null,
  filters: SQL[],
): Promise<number> {
  if (types?.length === 0) return 0;
  if (filters.length > 0) {
    const [row] = await db
      .select({ count: sql<string>`count(*)` })
      .from(logs)
      .where(and(...matching(appId, actionId, types), ...filters));
    return Number(row!.count);
  }
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
  return [...equal, ...(data ? matchingData(data, []) : [])];
}

function matchingData(fields: Record<string, unknown>, path: string[]): SQL[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    const fieldPath = [...path, field];
    const found = sql`(${logs.data} #> array[${sql.join(
      fieldPath.map((key) => sql`${key}`),
      sql`, `,
    )}]::text[])`;
    if (isRecord(value)) return [sql`json_typeof(${found}) = 'object'`, ...matchingData(value, fieldPath)];
    const spellings = fieldPath.join('.') === 'result.errorType' ? errorTypeSpellings(value) : [value];
    const values = spellings.map((each) => sql`${JSON.stringify(each)}::jsonb`);
    return [sql`coalesce(${found}::jsonb, 'null') in (${sql.join(values, sql`, `)})`];
  });
}
