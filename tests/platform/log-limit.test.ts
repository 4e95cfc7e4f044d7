/** The limit of an app’s log: the oldest records are removed, and a record says so. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { LogList } from '../../lib/platform-api/index.ts';
import { sql } from '../../lib/local-platform/db/drizzle.ts';
import type { OpenedDatabase } from '../../lib/local-platform/db/open.ts';
import { trimLog } from '../../lib/local-platform/logs/retention.ts';
import { createLogs } from '../../lib/local-platform/logs/write.ts';
import { onDatabase } from './support/databases.ts';
import { startForTest, type TestPlatform } from './support/platform.ts';
import { pooledDatabase } from './support/pooled-database.ts';

const [APP, ORGANIZATION, PLENTY] = [101, 21, 1_000_000_000];
const PATH = `/v1/apps/${APP}/logs`;
const soon = { timeout: 20_000, interval: 100 };

const list = async (platform: TestPlatform, query: string): Promise<LogList> =>
  (await platform.ask<LogList>(`${PATH}?${query}`)).body;
const write = (platform: TestPlatform, n: number, more: object = {}) =>
  platform.ask(PATH, { body: { type: 'happened', data: { n, ...more } } });

/** Adds records at once, one second apart. */
const fill = ({ db }: OpenedDatabase, count: number, appId = APP): Promise<unknown> =>
  db.execute(sql`
    insert into logs (app_id, organization_id, type, data, created_at)
    select ${appId}, ${ORGANIZATION}, 'happened', json_build_object('n', n), '2026-01-01'::timestamptz + n * interval '1 second'
    from generate_series(1, ${count}) n`);
const trimmed = ({ db }: OpenedDatabase, records: number, bytes = PLENTY): Promise<number> =>
  trimLog(
    {
      db,
      limits: { logs: records, logData: bytes },
      logs: createLogs(
        async () => {},
        () => new Date(),
      ),
    },
    APP,
  );
const kept = async ({ db }: OpenedDatabase, appId = APP): Promise<number[]> =>
  (
    await db.execute<{ n: number }>(
      sql`select (data ->> 'n')::int as n from logs where app_id = ${appId} and type = 'happened' order by id`,
    )
  ).rows.map(({ n }) => n);

onDatabase(({ url, open: openNew, kind }) => {
  let shared: OpenedDatabase;
  beforeAll(async () => {
    if (kind === 'PGlite') shared = await pooledDatabase();
  });
  afterAll(() => shared?.close());
  /** An embedded database is shared: creating one takes longer than most tests. */
  async function open(): Promise<OpenedDatabase> {
    if (kind === 'Postgres') return openNew();
    await shared.db.execute(sql`delete from logs`);
    return shared;
  }

  it('beyond it, the oldest records are removed, and a record says how many and until when', async () => {
    const limits = { logs: 20 };
    const platform = await startForTest({ databaseUrl: await url(), concurrency: 0, limits });
    for (let n = 1; n <= 21; n += 1) expect((await write(platform, n)).status).toBe(201);
    await vi.waitFor(async () => expect((await list(platform, 'type=app.logs.removed')).count).toBe(1), soon);
    const { count, logs } = await list(platform, 'type=happened');
    expect({ count, oldest: logs.at(-1)!.data!.n }).toEqual({ count: 18, oldest: 4 });
    const [note] = (await list(platform, 'type=app.logs.removed')).logs;
    expect(note!.data).toEqual({
      code: 'LOGS_REMOVED',
      removed: 3,
      total: 3,
      until: expect.stringMatching(/^\d{4}-.*Z$/),
      limits: { records: 20, bytes: 1024 ** 3 },
    });
    expect(Date.parse(note!.data!.until as string)).toBeLessThan(Date.parse(logs.at(-1)!.createdAt) + 1);
  });

  it('an action can listen for what was removed', async () => {
    const platform = await startForTest({ databaseUrl: await url(), limits: { logs: 20 } });
    const body = {
      name: 'warn',
      environment: 'server',
      triggers: [{ trigger: 'log', where: { type: 'app.logs.removed' } }],
    };
    const { id } = (await platform.ask<{ action: { id: number } }>(`/v1/apps/${APP}/actions`, { body })).body.action;
    await platform.ask(`/v1/apps/${APP}/actions/${id}/publish`, { body: { publish: true } });
    for (let n = 1; n <= 21; n += 1) await write(platform, n);
    await vi.waitFor(async () => expect((await list(platform, `id=${id}&outcome=completed`)).count).toBe(1), soon);
  });

  it('only the platform can write the record that says so', async () => {
    const platform = await startForTest({ databaseUrl: await url(), concurrency: 0 });
    const page = await platform.ask(`/v1/apps/${APP}/tasks/1001/compile?html`);
    const { token } = JSON.parse(/id="platform-env">([^<]*)</.exec(page.text)![1]!) as { token: string };
    const refused = await platform.ask(PATH, { token, body: { type: 'app.logs.removed', data: { removed: 0 } } });
    expect(refused).toMatchObject({ status: 403, body: { error: 'LOG_TYPE_RESERVED' } });
  });

  it('the size of the records is limited, too', async () => {
    const database = await open();
    await fill(database, 100);
    // {"n" : 10} has 10 bytes, as the database writes it.
    expect(await trimmed(database, PLENTY, 2_000)).toBe(0);
    expect(await trimmed(database, PLENTY, 900)).toBe(20);
    expect((await kept(database)).at(0)).toBe(21);
  });

  it('a log within its limits keeps all records, and so do other apps', async () => {
    const database = await open();
    await fill(database, 50);
    await fill(database, 50, 103);
    expect(await trimmed(database, 50)).toBe(0);
    expect(await trimmed(database, 49)).toBe(6);
    expect([(await kept(database)).length, (await kept(database, 103)).length]).toEqual([44, 50]);
  });

  it('one transaction removes at most 2,000 records, and counts stay right', async () => {
    const database = await open();
    await fill(database, 3_000);
    expect(await trimmed(database, 1_000)).toBe(2_000);
    expect(await trimmed(database, 1_000)).toBe(101);
    const { rows } = await database.db.execute<{ real: number; counted: number; used: number }>(sql`
      select (select count(*) from logs where app_id = ${APP})::int as real,
        (select sum(count) from log_counts where app_id = ${APP})::int as counted,
        (select sum(records) from log_usage where app_id = ${APP})::int as used`);
    expect(rows[0]).toEqual({ real: 901, counted: 901, used: 901 });
  });

  if (kind === 'Postgres')
    it('two processes that trim the same log remove no more than one', async () => {
      const database = await open();
      await fill(database, 1_000);
      const removed = await Promise.all(Array.from({ length: 8 }, () => trimmed(database, 900)));
      expect(removed.reduce((sum, each) => sum + each, 0)).toBe(190);
      expect((await kept(database)).length).toBe(810);
    });

  it('a flood of records stays within the limit and what a second brings', async () => {
    const limits = { logs: 50 };
    const platform = await startForTest({ databaseUrl: await url(), concurrency: 0, limits });
    const first = ((await write(platform, 0)).body as unknown as { log: { id: number } }).log.id;
    await Promise.all(Array.from({ length: 150 }, (_, n) => write(platform, n)));
    await vi.waitFor(async () => {
      const { count, logs } = await list(platform, 'where={}&limit=1000');
      expect(count).toBeLessThanOrEqual(50);
      expect(logs).toHaveLength(count);
    }, soon);
    // All that isn’t there anymore was counted, also the records that said so before.
    const [note] = (await list(platform, 'type=app.logs.removed')).logs;
    const { count, logs } = await list(platform, 'where={}&limit=1');
    expect(note!.data!.total).toBe(logs[0]!.id - first + 1 - count);
  });
});
