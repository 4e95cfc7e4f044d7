/** Two platforms on one Postgres database: a change through one applies to the other at once. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import pg from 'pg';
import { users } from '../../lib/local-platform/db/schema.ts';
import { prepareToken } from '../../lib/local-platform/tokens.ts';
import { postgresDatabase, testDatabases } from './support/databases.ts';
import { start, startForTest, type TestPlatform } from './support/platform.ts';

const TOKEN = 'one-token-for-both-platforms';
let url: string;
let one: TestPlatform;
let two: TestPlatform;

beforeAll(async () => {
  url = await postgresDatabase({ isEmpty: true });
  // Both start at the same time on a new database.
  [one, two] = await Promise.all([
    start({ databaseUrl: url, authToken: TOKEN, concurrency: 0 }),
    start({ databaseUrl: url, authToken: TOKEN, concurrency: 0 }),
  ]);
});
afterAll(() => Promise.all([one.close(), two.close()]));

async function query(text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text, values);
  await client.end();
}

it('a token that two platforms store at the same moment is accepted', async () => {
  const { db } = await testDatabases('PGlite').open();
  const [{ id } = { id: 0 }] = await db.select({ id: users.id }).from(users);
  const store = () =>
    prepareToken(db, { folder: null, home: '', onReplaced: () => {} }, id, 'a-token-of-two-platforms');
  expect(await Promise.all([store(), store()])).toEqual(['a-token-of-two-platforms', 'a-token-of-two-platforms']);
});

it('an app published through one platform has its new version in the other’s list', async () => {
  const version = async (platform: TestPlatform): Promise<number | null> =>
    (await platform.ask<{ apps: { id: number; version: number | null }[] }>('/v1/apps')).body.apps.find(
      ({ id }) => id === 101,
    )!.version;
  const before = await version(two);
  expect(await version(one)).toBe(before);
  for (let n = 1; n <= 3; n += 1) {
    const [by, seenBy] = n % 2 ? [one, two] : [two, one];
    const { status, body } = await by.ask<{ app: { version: number } }>('/v1/apps/101/publish', {
      body: { release: { type: 'silent', changelog: `number ${n}` } },
    });
    expect({ status, version: body.app.version }).toEqual({ status: 201, version: (before ?? 0) + n });
    expect(await version(seenBy)).toBe((before ?? 0) + n);
  }
});

it('an action created through one platform is listed, changed, and removed through the other', async () => {
  const created = await one.ask<{ action: { id: number } }>('/v1/apps/101/actions', { body: { name: 'made-by-one' } });
  expect(created.status).toBe(201);
  const names = async (platform: TestPlatform): Promise<string[]> =>
    (await platform.ask<{ actions: { name: string }[] }>('/v1/apps/101/actions')).body.actions.map(({ name }) => name);
  expect(await names(two)).toContain('made-by-one');
  expect((await two.ask('/v1/apps/101/actions/made-by-one', { method: 'DELETE' })).status).toBe(204);
  expect(await names(one)).not.toContain('made-by-one');
});

it('an entry written through one platform is read through the other', async () => {
  const { body } = await one.ask<{ entries: { id: number }[] }>('/v1/data-sources/502/entries', {
    body: { entries: [{ by: 'one' }] },
  });
  const read = await two.ask<{ entries: { id: number }[] }>('/v1/data-sources/502/entries');
  expect(read.body.entries.map(({ id }) => id)).toContain(body.entries[0]!.id);
});

it('a token of a third platform is accepted at once, and refused by all after it was revoked', async () => {
  const token = 'a-token-of-the-third-platform';
  const third = await startForTest({ databaseUrl: url, authToken: token, concurrency: 0 });
  const all = [one, two, third];
  const statuses = () => Promise.all(all.map(async (platform) => (await platform.ask('/v1/apps', { token })).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  await query('update auth_tokens set revoked_at = now() where id = (select max(id) from auth_tokens)');
  expect(await statuses()).toEqual([401, 401, 401]);
  expect((await two.ask('/v1/apps', { token })).body.error).toBe('TOKEN_REVOKED');
});

it('a one-time token of one platform opens its page through the other, and then through neither', async () => {
  const path = '/v1/apps/101/preview';
  const { token } = (await one.ask<{ token: string }>('/v1/apps/101/one-time-tokens', { body: { path } })).body;
  const statuses = await Promise.all(
    [one, two, one, two].map(async (each) => (await each.ask(path, { token })).status),
  );
  expect(statuses.sort()).toEqual([200, 401, 401, 401]);
});

it('an app that the user lost access to disappears from both, in any order of requests', async () => {
  const ids = async (platform: TestPlatform): Promise<number[]> =>
    (await platform.ask<{ apps: { id: number }[] }>('/v1/apps')).body.apps.map(({ id }) => id);
  expect([await ids(one), await ids(two)]).toEqual([expect.arrayContaining([102]), expect.arrayContaining([102])]);
  await query('update apps set deleted_at = now() where id = 102');
  onTestFinished(() => query('update apps set deleted_at = null where id = 102'));
  for (const platform of [one, two]) {
    expect(await ids(platform)).not.toContain(102);
    expect((await platform.ask('/v1/apps/102/actions')).status).toBe(404);
  }
});
