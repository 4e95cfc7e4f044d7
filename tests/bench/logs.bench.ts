/** Measures the log list at a million records in the embedded database: each kind of first page, and searches. */
import type { LogQuery } from '../../lib/platform-api/index.ts';
import { sql } from '../../lib/local-platform/db/drizzle.ts';
import { openDatabase } from '../../lib/local-platform/db/open.ts';
import { listLogs } from '../../lib/local-platform/logs/read.ts';
import { interleaveByWall, row, type Table } from './measure.ts';

const RECORDS = 1_000_000;
const ALLOWED = 50;

export async function bench(): Promise<Table[]> {
  const { db, close } = await openDatabase({ data: 'memory' });
  // An index that is built at once takes a fraction of the time.
  await db.execute(sql`drop index logs_search_data`);
  // The results of an action are at the end of the list, in the middle, and far from the newest records.
  await db.execute(sql`
    insert into logs (app_id, organization_id, type, data, action_id)
    select 101, 21, case when n % 3 = 0 or n > 900000 then 'dataSource.entry.create' when n % 50 = 1 then 'app.task.failed' else 'app.action.completed' end,
      json_build_object('mode', 'on-demand', 'order', n % 50000, 'duration', n % 100, 'actionId', 1001 + n % 9), case when n % 3 = 0 or n > 900000 then null else 1001 + n % 9 end
    from generate_series(1, ${sql.raw(String(RECORDS))}) n`);
  await db.execute(
    sql`create index logs_search_data on logs using gin (search_data jsonb_path_ops) with (fastupdate = off)`,
  );
  await db.execute(sql`analyze logs`);
  const ask = (name: string, query: Partial<LogQuery>) => ({
    name,
    units: 1e6,
    isSubject: true,
    run: async () => void (await listLogs(db, 101, { id: null, before: null, ...query })),
  });
  const contenders = [
    ask('results of all actions', {}),
    ask('results of one action', { id: 1004 }),
    ask('failures of one action', { id: 1004, type: 'app.task.failed' }),
    ask('one type', { type: 'dataSource.entry.create' }),
    ask('any type', { where: {} }),
    ask('a page in the middle', { before: RECORDS / 2 }),
    ask('a value in data', { where: { data: { order: 77 } } }),
  ];
  const samples = await interleaveByWall(contenders, 15, 3);
  await close();
  const rows = contenders.map(({ name }) => {
    const one = row(name, samples.get(name)!);
    return { ...one, target: { text: `at most ${ALLOWED} ms`, met: one.median <= ALLOWED } };
  });
  return [{ title: `Log list of ${RECORDS.toLocaleString('en')} records: first page and count`, unit: 'ms', rows }];
}
