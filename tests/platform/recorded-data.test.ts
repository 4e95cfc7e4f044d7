/** Starts the local platform on a data folder that version 0.1.0 wrote. */
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Action } from '../../lib/platform-api/index.ts';
import { recordedPath } from '../support/recorded-data.ts';
import { start, type TestPlatform } from './support/platform.ts';

const APP = '/v1/apps/101';
let folder: string;
let token: string;
const sentences: string[] = [];
let platform: TestPlatform;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recorded-'));
  const tar = brotliDecompressSync(await readFile(recordedPath('platform-database.tar.br')));
  const database = await PGlite.create({ dataDir: join(folder, 'database'), loadDataDir: new Blob([tar]) });
  await database.close();
  await writeFile(join(folder, 'ready'), 'Marks the data folder of a local platform.\n');
  await copyFile(recordedPath('platform-auth-token'), join(folder, 'auth-token'));
  token = (await readFile(join(folder, 'auth-token'), 'utf8')).trim();
  platform = await start({ data: folder, onReplaced: (sentence) => void sentences.push(sentence) });
});
afterAll(async () => {
  await platform?.close();
  await rm(folder, { recursive: true, force: true });
});

test('a folder of version 0.1.0, whose token doesn’t show who made it, gets a new one, and says so', async () => {
  expect(sentences).toEqual([
    `Couldn’t confirm that you made the data folder ${folder} here. Its token was replaced: enter the new one where you used the old one.`,
  ]);
  expect(platform.authToken).not.toBe(token);
  expect((await readFile(join(folder, 'auth-token'), 'utf8')).trim()).toBe(platform.authToken);
  expect((await platform.ask('/v1/apps', { token })).body.error).toBe('TOKEN_REVOKED');
});

test('a folder of version 0.1.0 keeps its actions, and a new run of one completes', async () => {
  const { actions } = (await platform.ask<{ actions: { id: number; name: string }[] }>(`${APP}/actions`)).body;
  const saved = actions.find(({ name }) => name === 'saved-by-0-1-0');
  const run = await platform.ask(`${APP}/actions/${saved?.id}/run-with-result`, { body: { payload: {} } });
  expect(run.text).toBe('{"result":null}');
});

test('an action of version 0.1.0 has its current version as a revision, which can be restored after a change', async () => {
  const action = `${APP}/actions/saved-by-0-1-0`;
  const before = (await platform.ask<{ action: Action }>(action)).body.action;
  await platform.ask(action, { method: 'PUT', body: { functions: [], triggers: [] } });
  const restored = await platform.ask<{ action: Action }>(`${action}/revisions/${before.revision}/restore`, {
    body: {},
  });
  const now = { revision: before.revision! + 2, updatedAt: expect.any(String) as string };
  expect(restored.body.action).toEqual({ ...before, ...now });
});

test('a folder of version 0.1.0 keeps its log, including failed runs with their trace', async () => {
  const { logs } = (await platform.ask<{ logs: { type: string; data: object }[] }>(`${APP}/logs?limit=1000`)).body;
  expect(logs.map(({ type }) => type)).toContain('app.action.completed');
  expect(logs.find(({ type }) => type === 'app.task.failed')?.data).toMatchObject({
    result: { errorType: 'Error', errorMessage: 'No lamps left' },
  });
});

test('a folder of version 0.1.0 keeps its releases', async () => {
  const { apps } = (await platform.ask<{ apps: { id: number; version: number }[] }>('/v1/apps')).body;
  expect(apps.find(({ id }) => id === 101)?.version).toBe(13);
});

test('a folder of version 0.1.0 keeps its data source entries', async () => {
  const entries = await platform.ask('/v1/data-sources/503/entries?where={"writtenBy":"0.1.0"}');
  expect(entries.text).toContain('"data":{"writtenBy":"0.1.0"}');
});
