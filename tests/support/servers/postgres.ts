/** Starts Debian’s Postgres server in a temporary folder for tests, and installs it where that is allowed. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

export interface PostgresServer {
  /** The URL of a new, empty database. */
  database(): Promise<string>;
  /** Shuts the server down: its connections break, and new ones are refused. */
  stop(): Promise<void>;
  /** Starts the same server with the same data after `stop`. */
  again(): Promise<void>;
  close(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const bin = findServer();
  const folder = mkdtempSync(join(tmpdir(), 'platform-postgres-'));
  // Postgres refuses to run as root.
  const user = process.getuid?.() === 0 ? postgresUser() : null;
  if (user) chownSync(folder, user.uid, user.gid);
  const port = await freePort();
  const data = join(folder, 'data');
  const at = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }, ...user };
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'platform', '-A', 'trust', '-E', 'UTF8', '--no-sync'], at);
  const settings = [
    'fsync=off',
    'max_connections=60',
    'shared_buffers=64MB',
    'unix_socket_directories=',
    'listen_addresses=127.0.0.1',
  ].flatMap((each) => ['-c', each]);
  const launch = () =>
    spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
      ...at,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  let server = launch();
  // It must not outlive a killed test process.
  const end = (): void => void server.kill('SIGQUIT');
  process.once('exit', end);
  await ready(server.stderr);
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGINT');
    await exited;
  };
  const url = (name: string): string => `postgres://platform@127.0.0.1:${port}/${name}`;
  return {
    async database() {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      const client = new pg.Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return url(name);
    },
    stop,
    async again() {
      server = launch();
      await ready(server.stderr);
    },
    async close() {
      process.off('exit', end);
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function ready(log: NodeJS.ReadableStream): Promise<void> {
  let output = '';
  return new Promise((resolve, reject) => {
    log.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      if (output.includes('database system is ready to accept connections')) resolve();
    });
    log.on('end', () => reject(new Error(`Postgres did not start: ${output.trim().split('\n').at(-1)}`)));
  });
}

/** The folder of the server’s binaries. */
export function findServer(): string {
  const found = installed();
  if (found) return found;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error('These tests need a Postgres server: install the package postgresql, then run them again.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'], { env, stdio: 'ignore' });
  const after = installed();
  if (!after)
    throw new Error(
      'The package postgresql was installed, but brought no server; install one by hand, then run the tests again.',
    );
  return after;
}

function installed(): string | null {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN)
        .sort((a, b) => Number(b) - Number(a))
        .map((each) => join(DEBIAN, each, 'bin'))
    : [];
  const folders = [...versions, ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']).toString());
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
