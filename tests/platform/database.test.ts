/** Tests the database: it is persistent, locked, migrated, and refused when it belongs to something else. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { App } from '../../lib/platform-api/index.ts';
import { migrate, sql } from '../../lib/local-platform/db/drizzle.ts';
import { openDatabase, type OpenedDatabase } from '../../lib/local-platform/db/open.ts';
import { listLogs } from '../../lib/local-platform/logs/read.ts';
import { loadSnapshot, MIGRATIONS_FOLDER, SNAPSHOT_FOLDER } from '../../lib/local-platform/db/snapshot.ts';
import { StartProblem } from '../../lib/local-platform/problem.ts';
import { firstOf, isExhaustive } from '../support/exhaustive.ts';
import { expectDamaged, refusal } from './support/data-folders.ts';
import { start, temporaryFolder } from './support/platform.ts';
import { pooledDatabase } from './support/pooled-database.ts';

// Each test starts several processes or databases, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

const versions = async (platform: Awaited<ReturnType<typeof start>>) =>
  (await platform.ask<{ apps: App[] }>('/v1/apps')).body.apps.map((app) => app.version);

let template: string;
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'platform-test-'));
  await (await openDatabase({ data: template })).close();
});
afterAll(() => rm(template, { recursive: true, force: true }));

/** A digest of each file in a folder. */
async function contentOf(folder: string): Promise<Record<string, string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const digests = files.map(async (file) => [
    file,
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ]);
  return Object.fromEntries(await Promise.all(digests)) as Record<string, string>;
}

async function open(data: string): Promise<OpenedDatabase> {
  const database = await openDatabase({ data });
  onTestFinished(() => database.close());
  return database;
}
async function created(): Promise<string> {
  const data = await temporaryFolder();
  await cp(template, data, { recursive: true });
  return data;
}
describe('a data folder', () => {
  it('keeps its data and its token over a restart: in a file for its owner, with only a digest in the database', async () => {
    const data = await created();
    const first = await start({ data });
    await first.ask('/v1/apps/103/publish', { body: { release: { type: 'forced', changelog: 'x' } } });
    await first.close();
    const second = await start({ data });
    expect(second.authToken).toBe(first.authToken);
    expect(await versions(second)).toEqual([12, 4, 1]);
    await second.close();
    expect((await readFile(join(data, 'auth-token'), 'utf8')).trim()).toBe(first.authToken);
    expect((await stat(join(data, 'auth-token'))).mode & 0o077).toBe(0);
    const { db } = await open(data);
    const { rows } = await db.execute(sql`select digest from auth_tokens`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(first.authToken);
  });

  it('is readable only by its owner, and has no readable token except in that one file, after any operation', async () => {
    const data = join(await temporaryFolder(), 'new', 'data');
    const platform = await start({ data });
    const page = (await platform.ask('/v1/apps/101/preview')).text;
    const { token: pageToken } = JSON.parse(/id="platform-env">([^<]*)</.exec(page)![1]!) as { token: string };
    await platform.ask('/v1/apps/101/actions', {
      body: {
        name: 'looks',
        functions: [
          { functionPackage: 'com.platform.function.return-string', settings: { message: 'a-result-to-look-for' } },
        ],
      },
    });
    expect(
      (await platform.ask<{ result: string }>('/v1/apps/101/actions/looks/run-with-result', { body: {} })).body.result,
    ).toBe('a-result-to-look-for');
    await platform.ask('/v1/apps', { token: pageToken });
    await platform.close();
    expect((await stat(data)).mode & 0o077).toBe(0);
    const names = (await readdir(data, { recursive: true, withFileTypes: true }))
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name));
    const holding = async (text: string): Promise<string[]> =>
      (await Promise.all(names.map(async (name) => ((await readFile(name)).includes(text) ? [name] : [])))).flat();
    expect(await holding('a-result-to-look-for')).not.toEqual([]);
    expect(await holding(platform.authToken)).toEqual([join(data, 'auth-token')]);
    for (const part of [pageToken, ...pageToken.split('.').slice(1)]) expect(await holding(part)).toEqual([]);
    await chmod(join(data, 'auth-token'), 0o644);
    await (await start({ data })).close();
    expect((await stat(join(data, 'auth-token'))).mode & 0o077).toBe(0);
  });

  it('of someone else gets a new token and a new key: none of its earlier tokens is valid', async () => {
    const data = await created();
    const theirs = await start({ data, home: await temporaryFolder() });
    const page = (await theirs.ask('/v1/apps/101/preview')).text;
    const { token: pageToken } = JSON.parse(/id="platform-env">([^<]*)</.exec(page)![1]!) as { token: string };
    await theirs.close();
    await chmod(join(data, 'auth-token'), 0o644);
    const sentences: string[] = [];
    const onReplaced = (sentence: string): void => void sentences.push(sentence);
    const ours = await start({ data, onReplaced });
    expect(ours.authToken).not.toBe(theirs.authToken);
    expect((await ours.ask('/v1/apps')).status).toBe(200);
    for (const token of [theirs.authToken, pageToken])
      expect((await ours.ask('/v1/apps/101/actions', { token })).status).toBe(401);
    expect((await stat(join(data, 'auth-token'))).mode & 0o077).toBe(0);
    await ours.close();
    const again = await start({ data, onReplaced });
    expect(again.authToken).toBe(ours.authToken);
    await again.close();
    expect(sentences).toEqual([
      `Couldn’t confirm that you made the data folder ${data} here. Its token was replaced: enter the new one where you used the old one.`,
    ]);
  });

  if (isExhaustive())
    it('of someone else keeps the token that PLATFORM_AUTH_TOKEN sets, and revokes others once', async () => {
      const data = await created();
      const [home, authToken] = [await temporaryFolder(), 'the-token-of-all-starts'];
      const { authToken: replaced, close } = await start({ data, home });
      await close();
      const sentences: string[] = [];
      const onReplaced = (sentence: string): void => void sentences.push(sentence);
      for (const other of [await temporaryFolder(), await temporaryFolder()]) {
        const platform = await start({ data, home: other, authToken, onReplaced });
        expect((await platform.ask('/v1/apps')).status).toBe(200);
        expect((await platform.ask('/v1/apps', { token: replaced })).status).toBe(401);
        await platform.close();
      }
      expect(sentences).toEqual([
        `Couldn’t confirm that you made the data folder ${data} here. Its other tokens were revoked.`,
      ]);
      // The folder’s own token was one of them.
      const again = await start({ data, home });
      expect(again.authToken).not.toBe(replaced);
      expect((await again.ask('/v1/apps')).status).toBe(200);
      await again.close();
    });

  // For each of them, the folder is copied.
  const names = ['owner', 'lock-journal', 'database', 'lock', 'ready', 'unfinished', 'auth-token'];
  it.each(firstOf(names, 3))('with %s that leads elsewhere is refused, and nothing is written there', async (name) => {
    const [data, elsewhere] = [await created(), join(await temporaryFolder(), 'elsewhere')];
    await writeFile(elsewhere, 'precious');
    await rm(join(data, name), { recursive: true, force: true });
    if (name === 'lock-journal') await writeFile(join(data, name), elsewhere);
    else await symlink(elsewhere, join(data, name));
    await expect(start({ data })).rejects.toThrow(`like “${name}”.`);
    expect(await readFile(elsewhere, 'utf8')).toBe('precious');
  });

  it('gives new rows IDs after those of the demo data', async () => {
    const { db } = await open('memory');
    const { rows } = await db.execute<{ id: number }>(
      sql`insert into apps (name, organization_id) values ('new', 21) returning id`,
    );
    expect(rows).toEqual([{ id: 105 }]);
  });
});

describe('the lock', () => {
  it('admits one of several processes that start at the same time, and is released when the database closes', async () => {
    const data = await created();
    expect((await readdir(data)).sort()).toEqual(['database', 'lock', 'ready']);
    const opened = await Promise.allSettled(Array.from({ length: 4 }, () => openDatabase({ data })));
    const winners = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.all(winners.map((each) => each.close()));
    expect(winners).toHaveLength(1);
    await open(data);
    // Another process is refused with one sentence that names the folder.
    const error = await refusal(data);
    expect(error).toBeInstanceOf(StartProblem);
    expect((error as Error).message).toBe(
      `The data folder ${data} is in use by the process ${process.pid} on ${hostname()}.`,
    );
  });

  it('that is lost ends the platform: it confirms nothing more, and leaves the folder as it is', async () => {
    const data = await created();
    const logged: unknown[] = [];
    const platform = await start({ data, log: (error) => void logged.push(error) });
    const add = () => platform.ask('/v1/apps/101/logs', { body: { type: 'note.added', data: {} } });
    expect((await add()).status).toBe(201);
    await writeFile(join(data, 'owner'), JSON.stringify({ pid: 2 ** 30, host: hostname() }));
    const left = await contentOf(data);
    // As after a suspension, before anything else runs.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(add()).rejects.toThrow('fetch failed');
    await platform.close();
    expect(logged).toEqual([expect.any(StartProblem)]);
    expect(await contentOf(data)).toEqual(left);
    const { db } = await open(data);
    const { rows } = await db.execute(sql`select count(*)::int as n from logs where type = 'note.added'`);
    expect(rows).toEqual([{ n: 1 }]);
  });
});

describe('migrations', () => {
  it('upgrade a folder of an older version, and keep its rows', async () => {
    const data = await created();
    const migrationsFolder = await temporaryFolder();
    await cp(MIGRATIONS_FOLDER, migrationsFolder, { recursive: true });
    await writeFile(
      join(migrationsFolder, '0001_later.sql'),
      'ALTER TABLE "apps" ADD COLUMN "colour" text DEFAULT \'blue\' NOT NULL;',
    );
    const journalFile = join(migrationsFolder, 'meta/_journal.json');
    const journal = JSON.parse(await readFile(journalFile, 'utf8')) as {
      entries: { idx: number; when: number; tag: string }[];
    };
    journal.entries.push({
      ...journal.entries.at(-1)!,
      idx: 1,
      when: journal.entries.at(-1)!.when + 1,
      tag: '0001_later',
    });
    await writeFile(journalFile, JSON.stringify(journal));

    for (let opening = 1; opening <= 2; opening += 1) {
      const database = await openDatabase({ data, migrationsFolder });
      const { rows } = await database.db.execute(sql`select name, colour from apps where id = 101`);
      await database.close();
      expect(rows).toEqual([{ name: 'Field Service', colour: 'blue' }]);
    }
    // This version doesn’t know the later one, and leaves it unchanged.
    expect(((await refusal(data)) as Error).message).toContain('newer or different version');
  });
});

/** The migrations before the one of this name. */
async function migrationsBefore(name: string): Promise<string> {
  const journal = JSON.parse(await readFile(join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[];
  };
  const before = await temporaryFolder();
  await cp(MIGRATIONS_FOLDER, before, { recursive: true });
  const entries = journal.entries.slice(
    0,
    journal.entries.findIndex(({ tag }) => tag.endsWith(name)),
  );
  await writeFile(join(before, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
  return before;
}

// Each migration follows the one before.
it('migrations change existing data', async () => {
  const { db, driver } = await open('memory');
  if (driver.kind !== 'pglite') throw new Error('It isn’t embedded.');
  const { pglite } = driver;
  // Creating an empty database takes seconds.
  await pglite.exec('drop schema public, queue, drizzle cascade; create schema public');

  // published_name gives existing published copies the name of their action, and leaves everything else unchanged.
  await migrate(db, { migrationsFolder: await migrationsBefore('published_name') });
  await pglite.exec(`
    insert into organizations values (1, 'o'); insert into apps (id, name, organization_id) values (1, 'a', 1);
    insert into actions (app_id, name, triggers, functions, published) values
      (1, 'live', '[]', '[]', '{"active":true,"functions":[{"z":1,"a":2}]}'), (1, 'live-"too', '[]', '[]', ' {"active":true}'), (1, 'never', '[]', '[]', null)`);
  const before = await migrationsBefore('search_data');
  await migrate(db, { migrationsFolder: before });
  const { rows } = await pglite.query<{ published: string }>('select published::text from actions order by id');
  expect(rows.map(({ published }) => published)).toEqual([
    '{"name":"live","active":true,"functions":[{"z":1,"a":2}]}',
    '{"name":"live-\\"too","active":true}',
    null,
  ]);

  // search_data makes existing log records searchable, and keeps those that it can’t search.
  await pglite.exec(`
    insert into logs (app_id, organization_id, type, data) values
      (1, 1, 'old', '{"z": 1, "a": 2}'), (1, 1, 'old', '{"a": 2, "text": "\\u0000"}')`);
  await migrate(db, { migrationsFolder: MIGRATIONS_FOLDER });
  const found = async (where: object): Promise<unknown[]> =>
    (await listLogs(db, 1, { id: null, before: null, where })).logs.map(({ data }) => JSON.stringify(data));
  expect(await found({ data: { a: 2 } })).toEqual(['{"z":1,"a":2}']);
  expect(await found({})).toEqual(['{"a":2,"text":"\\u0000"}', '{"z":1,"a":2}']);
});

describe('a damaged folder is refused with one sentence, and never erased', () => {
  // `tests/exhaustive/platform/database.test.ts` has more of them.
  it.each([
    ['without its database', async (data: string) => rm(join(data, 'database'), { recursive: true })],
    [
      'with tables cut off',
      async (data: string) => {
        const base = join(data, 'database/base/5');
        for (const name of await readdir(base)) await truncate(join(base, name), 0);
      },
    ],
  ])('when there is %s', async (_, damage) => {
    const data = await created();
    await damage(data);
    await expectDamaged(data);
  });

  it('but an interrupted creation starts again, and what it left is quarantined', async () => {
    const data = await temporaryFolder();
    await writeFile(join(data, 'unfinished'), '');
    await mkdir(join(data, 'database'));
    await writeFile(join(data, 'database/half'), '');
    const { db } = await open(data);
    expect((await db.execute(sql`select count(*)::int as n from apps`)).rows).toEqual([{ n: 4 }]);
    const quarantined = (await readdir(data)).find((name) => name.startsWith('database.unfinished-'))!;
    expect(await readdir(join(data, quarantined))).toEqual(['half']);
  });

  it('and neither is a folder of another program', async () => {
    const data = await temporaryFolder();
    await mkdir(join(data, 'database'));
    await writeFile(join(data, 'database/mine'), '');
    expect(((await refusal(data)) as Error).message).toBe(
      `The folder ${data} contains files that don’t belong to a platform.`,
    );
    expect((await readdir(data, { recursive: true })).sort()).toEqual(['database', 'database/mine']);
  });

  it('and neither is a path that is a file or isn’t writable', async () => {
    const data = await temporaryFolder();
    await writeFile(join(data, 'file'), '');
    expect(((await refusal(join(data, 'file'))) as Error).message).toContain(
      `Couldn’t use the data folder ${join(data, 'file')}`,
    );
    expect(((await refusal(join(data, 'file/below'))) as Error).message).toContain('Couldn’t use the data folder');
  });
});

// Both start processes with disks of their own.
if (isExhaustive())
  describe('a full disk', () => {
    /** The lock’s library would end the process at the signal that comes with a refused write. */
    const ignoreSignal = ['--import', 'data:text/javascript,process.on("SIGXFSZ", () => {})'];
    const command = (data: string): string[] => [
      ...ignoreSignal,
      'lib/cli/bin.ts',
      'platform',
      '--port',
      '0',
      '--no-oauth-demo',
      '--json',
      '--data',
      data,
    ];
    /** Starts the platform on a small disk of its own, which ends with its process. */
    function onSmallDisk(data: string): ReturnType<typeof spawn> {
      const isRoot = process.getuid!() === 0;
      const script = 'mount -t tmpfs -o size=60m tmpfs "$0" && cp -r "$1/." "$0" && shift && exec "$@"';
      const args = ['--mount', ...(isRoot ? [] : ['--user', '--map-root-user']), 'sh', '-c', script];
      return spawn('unshare', [...args, data, template, process.execPath, ...command(data)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    }

    it('keeps the platform from starting with one sentence, and leaves no half-made database', async () => {
      const data = await temporaryFolder();
      const child = spawn('prlimit', ['--fsize=1000000', process.execPath, ...command(data)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [text, [code]] = await Promise.all([child.stdout.toArray(), once(child, 'exit')]);
      expect(JSON.parse(text.join(''))).toEqual({
        error: {
          code: 'PLATFORM_NOT_STARTED',
          message: `Couldn’t start: the disk with the data folder ${data} is full.`,
          hint: 'Free at least 100 MB on it, or choose another folder with --data.',
        },
      });
      expect(code).toBe(1);
      expect((await readdir(data)).sort()).toEqual(['lock', 'unfinished']);
      await open(data);
    });

    it('is reported by each change while it lasts, and nothing of the data is printed', async () => {
      const data = await temporaryFolder();
      const child = onSmallDisk(data);
      onTestFinished(() => void child.kill('SIGKILL'));
      const printed: string[] = [];
      child.stderr!.on('data', (chunk: Buffer) => void printed.push(chunk.toString()));
      const [line] = (await once(child.stdout!, 'data')) as [Buffer];
      const { baseUrl, authToken } = JSON.parse(line.toString()) as { baseUrl: string; authToken: string };
      const headers = { 'Auth-token': authToken, 'Content-Type': 'application/json' };
      const post = async (path: string, body: object) => {
        const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
        return { status: response.status, ...((await response.json()) as { error?: string; message?: string }) };
      };
      const text = `classified ${randomBytes(200_000).toString('base64')}`;
      const add = () => post('/v1/apps/101/logs', { type: 'note.added', data: { text } });
      expect((await add()).status).toBe(201);
      const filler = `/proc/${child.pid}/root${data}/filler`;
      await writeFile(filler, new Uint8Array(100 * 1024 * 1024)).catch(() => undefined);
      const full = {
        status: 507,
        error: 'DISK_FULL',
        message: 'Couldn’t store the data: the disk of the platform’s database is full.',
        hint: 'Free some space on the disk, then try again.',
      };
      expect(await add()).toEqual(full);
      expect(await add()).toEqual(full);
      expect((await fetch(`${baseUrl}/v1/apps`, { headers })).status).toBe(200);
      await rm(filler);
      expect((await add()).status).toBe(201);
      child.kill();
      await once(child, 'close');
      expect(printed.join('')).toBe('Couldn’t write to the database: the disk is full. Free some space on it.\n');
    });
  });

describe('a disk that refuses the database’s log', () => {
  it('ends the platform, instead of a statement that never returns, and what was confirmed is there', async () => {
    const data = await created();
    const logged: unknown[] = [];
    const platform = await start({ data, log: (error) => void logged.push(error) });
    const add = () => platform.ask('/v1/apps/101/logs', { body: { type: 'note.added', data: {} } });
    expect((await add()).status).toBe(201);
    vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(add()).rejects.toThrow('fetch failed');
    await platform.close();
    vi.restoreAllMocks();
    expect(logged.at(-1)).toMatchObject({
      message: `The platform stopped, because it couldn’t write to the data folder ${data}. What it has confirmed is stored.`,
      hint: 'Free at least 100 MB on its disk, then start the platform again.',
    });
    const { db } = await open(data);
    const { rows } = await db.execute(sql`select count(*)::int as n from logs where type = 'note.added'`);
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('for a moment doesn’t leave a run waiting that was queued before', async () => {
    const database = await openDatabase({ data: 'memory' });
    const { pglite } = database.driver as { pglite: PGlite };
    let claims = -Infinity;
    for (const name of ['query', 'exec'] as const) {
      const execute = pglite[name].bind(pglite) as (text: string, ...rest: unknown[]) => Promise<never>;
      pglite[name] = (text: string, ...rest: unknown[]) =>
        /set\s+state = 'active'/i.test(text) && claims++ === 0
          ? Promise.reject(Object.assign(new Error('could not extend file'), { code: '53100' }))
          : execute(text, ...rest);
    }
    const platform = await start({ database, log: () => {} });
    const run = () => platform.ask('/v1/apps/101/actions/1001/run-with-result', { body: { payload: {} } });
    expect((await run()).status).toBe(200);
    claims = 0;
    expect((await run()).status).toBe(200);
    expect(claims).toBeGreaterThan(1);
  });
});

describe('damage in a table', () => {
  it('is reported when it is read, by its checksum', async () => {
    const data = await created();
    const { db, close } = await openDatabase({ data });
    const path = (table: string) =>
      db
        .execute<{ path: string }>(sql`select pg_relation_filepath(${table}) as path`)
        .then(({ rows }) => rows[0]!.path);
    const [entries, users] = [await path('data_source_entries'), await path('users')];
    await close();
    const damage = async (file: string): Promise<void> => {
      const handle = await openFile(join(data, 'database', file), 'r+');
      await handle.write(Buffer.from('random bytes'), 0, 12, 8_000);
      await handle.close();
    };
    await damage(entries);
    const logged: unknown[] = [];
    const platform = await start({ data, log: (error) => void logged.push(error) });
    const { status, body } = await platform.ask('/v1/data-sources/502/entries');
    expect({ status, body }).toEqual({
      status: 500,
      body: {
        error: 'DATABASE_DAMAGED',
        message: 'Couldn’t read the data: a part of the platform’s database is damaged.',
        hint: 'Restore the data folder from a backup, or start the platform with a new one.',
      },
    });
    await platform.close();
    expect(logged).toEqual(['Couldn’t read the database: some of its data is damaged. Restore it from a backup.']);
    await damage(users);
    await rm(join(data, 'auth-token'), { force: true });
    await expect(start({ data })).rejects.toThrow(/is damaged: a part of it doesn’t match its checksum\./);
  });
});

describe('a database without the demo user', () => {
  it('is refused with one sentence', async () => {
    const database = await pooledDatabase();
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`delete from users`);
    });
    const error: unknown = await start({ database }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartProblem);
    expect((error as Error).message).toBe('The database has no user 31, to whom the platform’s token belongs.');
  });
});

describe('the snapshot', () => {
  const tarIn = async (folder: string): Promise<string> =>
    join(
      folder,
      (await readdir(folder)).find((name) => name.endsWith('.tar'))!,
    );

  it('is loaded when it exists', async () => {
    const { mtimeMs } = await stat(await tarIn(SNAPSHOT_FOLDER));
    await loadSnapshot();
    expect((await stat(await tarIn(SNAPSHOT_FOLDER))).mtimeMs).toBe(mtimeMs);
  });

  // Creating a database takes seconds.
  if (isExhaustive())
    it('is rebuilt when it is damaged, and replaces older ones', async () => {
      const folder = await temporaryFolder();
      await cp(SNAPSHOT_FOLDER, folder, { recursive: true });
      const tar = await tarIn(folder);
      const { size } = await stat(tar);
      await truncate(tar, size - 1);
      await writeFile(join(folder, '2020-01-01-old.tar'), '');
      expect((await loadSnapshot(folder)).size).toBe(size);
      expect((await stat(tar)).size).toBe(size);
      expect((await readdir(folder)).sort()).toEqual([basename(tar), `${basename(tar)}.sha256`]);
    });
});
