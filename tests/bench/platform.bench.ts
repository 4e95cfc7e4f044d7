/** Measures the local platform, in its own process: its start compared with a bare PGlite, and its list of 100 apps compared with node:http. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '../../lib/local-platform/db/drizzle.ts';
import { openDatabase } from '../../lib/local-platform/db/open.ts';
import { loadSnapshot } from '../../lib/local-platform/db/snapshot.ts';
import { interleaveByWall, ratio, row, type Table } from './measure.ts';
import { childArguments, childEnvironment } from './slow.ts';

const CLI = ['lib/cli/bin.ts', 'platform', '--port', '0', '--json'];
/** Starts the platform; a self-check slows it down in its own process. */
const startCli = (data: string) => firstLine([...childArguments(), ...CLI, '--data', data], childEnvironment());
/** Prints a line once PGlite has loaded the same image as the platform. */
const BARE = `
  import { PGlite } from '@electric-sql/pglite';
  import { loadSnapshot } from './lib/local-platform/db/snapshot.ts';
  await PGlite.create({ dataDir: 'memory://', loadDataDir: await loadSnapshot() });
  console.log('ready');`;
const NODE_HTTP = `
  import { createServer } from 'node:http';
  const list = JSON.parse(process.env.LIST);
  const server = createServer((request, response) => {
    const body = JSON.stringify(list);
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ baseUrl: 'http://127.0.0.1:' + server.address().port, authToken: 'none' })));`;
const MODULE = ['--input-type=module', '-e'];

export async function bench(): Promise<Table[]> {
  return [await starting(), await listing()];
}

async function firstLine(args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  let line = '';
  while (!line.endsWith('\n')) line += String((await once(child.stdout!, 'data'))[0]);
  return { child, line };
}

async function starting(): Promise<Table> {
  await loadSnapshot();
  const start = (launch: () => Promise<{ child: ChildProcess }>) => async () => {
    const { child } = await launch();
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const bare = 'bare PGlite from the same image';
  const ours = 'platform, new database in memory';
  const contenders = [
    { name: bare, units: 1e6, run: start(() => firstLine([...MODULE, BARE])) },
    { name: ours, units: 1e6, run: start(() => startCli('memory')) },
  ];
  const samples = await interleaveByWall(contenders, 7, 1);
  const rows = contenders.map(({ name }) => row(name, samples.get(name)!));
  const times = ratio(samples, ours, bare);
  rows[1]!.target = { text: `no slower, within 1.3x: ${times.toFixed(2)}x`, met: times <= 1.3 };
  return { title: 'Local platform: process start to ready', unit: 'ms', rows };
}

async function listing(): Promise<Table> {
  const data = await mkdtemp(join(tmpdir(), 'platform-bench-'));
  const { db, close } = await openDatabase({ data: join(data, 'new') });
  await db.execute(
    sql`insert into apps (name, organization_id, icon) select 'App ' || n, 21, 'https://cdn.example.com/icons/' || n || '.png' from generate_series(4, 100) n`,
  );
  await db.execute(sql`insert into app_users (app_role_id, app_id, user_id) select 2, id, 31 from apps where id > 104`);
  await close();
  const platform = await startCli(join(data, 'new'));
  const ours = JSON.parse(platform.line) as Server;
  const list = await (await fetch(`${ours.baseUrl}/v1/apps`, { headers: { 'Auth-token': ours.authToken } })).text();
  const count = (JSON.parse(list) as { apps: unknown[] }).apps.length;
  if (count !== 100) throw new Error(`The list holds ${count} apps, not 100.`);
  const reference = await firstLine([...MODULE, NODE_HTTP], { LIST: list });
  try {
    const contenders = [
      {
        name: 'node:http, serialising per request',
        units: REQUESTS,
        run: () => load(JSON.parse(reference.line) as Server),
      },
      { name: 'platform, GET /v1/apps', units: REQUESTS, run: () => load(ours) },
    ];
    const samples = await interleaveByWall(contenders, 15, 3);
    const rows = contenders.map(({ name }) =>
      row(
        name,
        samples.get(name)!.map((time) => time / 1000),
      ),
    );
    const times = ratio(samples, contenders[1]!.name, contenders[0]!.name);
    rows[1]!.target = { text: `no slower, within 1.3x: ${times.toFixed(2)}x`, met: times <= 1.3 };
    return { title: 'Local platform: list of 100 apps, 16 connections', unit: 'µs per request', rows };
  } finally {
    for (const { child } of [platform, reference]) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(data, { recursive: true });
  }
}

interface Server {
  baseUrl: string;
  authToken: string;
}
const REQUESTS = 1000;
const CONNECTIONS = 16;

async function load({ baseUrl, authToken }: Server): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let left = REQUESTS;
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      get(`${baseUrl}/v1/apps`, { agent, headers: { 'Auth-token': authToken } }, (response) =>
        response.resume().on('end', resolve),
      ).on('error', reject);
    });
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) await ask();
    }),
  );
  agent.destroy();
}
