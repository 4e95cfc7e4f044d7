/**
 * Measures endpoints of a platform on Postgres with 1,000,000 log records, half of them of one app, and with 100,000
 * actions in one app and as many in 1,000 apps.
 */
import pg from 'pg';
import { startPlatform, type Platform } from '../../lib/local-platform/index.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { row, type Row, type Table } from './measure.ts';
import { delay } from './slow.ts';

const RECORDS = 1_000_000;
const ACTIONS = 100_000;
const APPS = 1_000;
const ROUNDS = 5;
/** The app with half of the records, and the app with all actions. */
const [LOGGED, LARGE] = [101, 103];
/** In milliseconds: the target for filtering and sorting, and for reading a whole list. */
const [FILTER, WHOLE] = [100, 3_000];

export async function bench(): Promise<Table[]> {
  const server = await startPostgres();
  const databaseUrl = await server.database();
  let platform = await startPlatform({ port: 0, databaseUrl, concurrency: 0, oauthDemoPort: null });
  const { authToken } = platform;
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    await fill(client);
    await platform.close();
    const begin = performance.now();
    platform = await startPlatform({ port: 0, databaseUrl, authToken, concurrency: 0, oauthDemoPort: null });
    const start = row('the platform’s start', [performance.now() - begin]);
    return [await logTable(platform), await actionTable(platform, start), await writing(platform, client)];
  } finally {
    await client.end();
    await platform.close();
    await server.close();
  }
}

async function fill(client: pg.Client): Promise<void> {
  // An index that is built at once takes a fraction of the time.
  await client.query('drop index logs_search_data');
  await client.query(`
    insert into apps (id, name, organization_id) select 10000 + n, 'App ' || n, 21 from generate_series(1, ${APPS}) n`);
  await client.query(
    `insert into app_users (app_role_id, app_id, user_id) select 2, 10000 + n, 31 from generate_series(1, ${APPS}) n`,
  );
  await client.query(`
    insert into logs (app_id, organization_id, type, data, action_id, data_source_id, created_at)
    select case when n % 2 = 0 then ${LOGGED} else 10000 + n % ${APPS} + 1 end, 21,
      case when n % 3 = 0 then 'dataSource.entry.create' when n % 50 = 2 then 'app.task.failed' else 'app.action.completed' end,
      json_build_object('mode', 'on-demand', 'duration', n % 100, 'actionId', 1001 + n % 7, 'runId', gen_random_uuid(),
        'result', case when n % 50 = 2 then json_build_object('errorType', case when n % 4 = 0 then 'TIMEOUT' else 'TypeError' end) end,
        'payload', json_build_object('orderId', n % 50000)),
      case when n % 3 = 0 then null else 1001 + n % 7 end, case when n % 3 = 0 then 500 + n % 20 end, now() - (${RECORDS} - n) * interval '1 second'
    from generate_series(1, ${RECORDS}) n`);
  await client.query(
    'create index logs_search_data on logs using gin (search_data jsonb_path_ops) with (fastupdate = off)',
  );
  const action = (app: string, name: string): string => `
    insert into actions (app_id, name, triggers, functions)
    select ${app}, ${name}, '[{"trigger":"manual"}]', '[{"functionPackage":"com.platform.function.return-string","settings":{"message":"hello"}}]'
    from generate_series(1, ${ACTIONS}) n`;
  await client.query(action(String(LARGE), `'one-' || n`));
  await client.query(action(`10000 + n % ${APPS} + 1`, `'many-' || n`));
  await client.query('vacuum analyze');
}

/** Reads the whole response, and returns its text. */
async function read({ baseUrl, authToken }: Platform, path: string): Promise<string> {
  await delay(WHOLE);
  const response = await fetch(baseUrl + path, { headers: { 'Auth-token': authToken } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}

/** @param what how many records or actions are expected at least, so that an empty page isn’t measured */
async function timed(platform: Platform, name: string, path: string, limit: number, least = 1): Promise<Row> {
  const samples: number[] = [];
  let shown = '';
  for (let round = -1; round < ROUNDS; round += 1) {
    const begin = performance.now();
    const text = await read(platform, path);
    if (round >= 0) samples.push(performance.now() - begin);
    const { count, logs = [], actions = [] } = JSON.parse(text) as { count?: number; logs?: []; actions?: [] };
    if (logs.length + actions.length < least) throw new Error(`${name}: ${logs.length + actions.length} were found.`);
    shown = count === undefined ? '' : `, ${count.toLocaleString('en')} match`;
  }
  const found = row(name + shown, samples);
  return { ...found, target: { text: `at most ${limit.toLocaleString('en')} ms`, met: found.median <= limit } };
}

async function logTable(platform: Platform): Promise<Table> {
  const ask = (name: string, query: string, limit = FILTER): Promise<Row> =>
    timed(platform, name, `/v1/apps/${LOGGED}/logs?${query}`, limit);
  const where = (filter: object): string => `where=${encodeURIComponent(JSON.stringify(filter))}`;
  const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  const rows = [
    await ask('newest 50', ''),
    await ask('newest 1,000', 'limit=1000'),
    await ask('a page in the middle', `before=${RECORDS / 2}`),
    await ask('one action', 'id=1003'),
    await ask('failures of one action', 'id=1003&outcome=failed'),
    await ask('a day, a week ago', `from=${ago(8)}&to=${ago(7)}`),
    await ask('one data source', where({ dataSourceId: 506 })),
    await ask('a value in data', where({ data: { payload: { orderId: 78 } } })),
    await ask('an error type', where({ data: { result: { errorType: 'TIMEOUT' } } })),
    await ask('one duration of 100', where({ data: { duration: 42 } })),
    await ask('a value that all have', where({ data: { mode: 'on-demand' } }), WHOLE),
  ];
  return {
    title: `GET logs: ${RECORDS.toLocaleString('en')} records on Postgres, half of them of this app`,
    unit: 'ms',
    rows,
  };
}

async function actionTable(platform: Platform, start: Row): Promise<Table> {
  const ask = (name: string, path: string, limit = FILTER, least = 1): Promise<Row> =>
    timed(platform, name, path, limit, least);
  const large = `/v1/apps/${LARGE}/actions`;
  const rows = [
    await ask('100 of an app with 100,000', `${large}?limit=100`, FILTER, 100),
    await ask('100 of them, after 99,000', `${large}?limit=100&offset=99000`, FILTER, 100),
    await ask('all 100 of one of 1,000 apps', '/v1/apps/10500/actions', FILTER, 100),
    await ask('all of an app with 100,000', large, WHOLE, ACTIONS),
    start,
  ];
  return { title: 'GET actions: 100,000 in one app, 100,000 in 1,000 apps', unit: 'ms', rows };
}

/** What the indexes cost: one record at a time, from 8 clients. */
async function writing({ baseUrl, authToken }: Platform, client: pg.Client): Promise<Table> {
  const headers = { 'Auth-token': authToken, 'content-type': 'application/json' };
  const write = async (n: number): Promise<void> => {
    const body = JSON.stringify({ type: 'bench', data: { n, text: 'some text', list: [1, 2, 3] } });
    const response = await fetch(`${baseUrl}/v1/apps/${LOGGED}/logs`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    if (response.status !== 201) throw new Error(`A record was refused: ${response.status}`);
  };
  const samples: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const begin = performance.now();
    for (let n = 0; n < 25; n += 1) await Promise.all(Array.from({ length: 8 }, (_, each) => write(n * 8 + each)));
    if (round >= 0) samples.push(200_000 / (performance.now() - begin));
  }
  const { rows } = await client.query<{ size: string }>(`select pg_total_relation_size('logs')::text as size`);
  const size = row('MB for a million records, with indexes', [Number(rows[0]!.size) / 1e6]);
  return {
    title: 'POST logs, 8 at a time, with a million records',
    unit: 'see name',
    rows: [row('records/s', samples), size],
  };
}
