/** Tests that a data source stores its entries unchanged, up to the limits of an app. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onBothDatabases } from './support/databases.ts';
import { start, startForTest, type TestPlatform } from './support/platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await start();
});
afterAll(() => platform.close());

const ENTRIES = '/v1/data-sources/503/entries';

it.each(['constructor', 'prototype', '__proto__', 'toString'])('stores a field named %s', async (name) => {
  const sent = `{"${name}":{"x":1}}`;
  const { status, text } = await platform.ask(ENTRIES, { body: `{"entries":[${sent}]}` });
  expect(status).toBe(201);
  expect(text).toContain(`"data":${sent}`);
  const where = encodeURIComponent(sent);
  expect((await platform.ask(`${ENTRIES}?where=${where}`)).text).toContain(`"data":${sent}`);
});

it.each(['x', '[]', 'null', '7'])('rejects where=%s with the position of the problem', async (where) => {
  expect(await platform.ask(`${ENTRIES}?where=${where}`)).toMatchObject({
    status: 422,
    body: { details: [{ path: '/where', message: expect.stringContaining('must be a JSON object') }] },
  });
});

it.each(['[1]', 'null', '7', '"text"'])('rejects the entry %s with the path of the problem', async (entry) => {
  const { status, body } = await platform.ask(ENTRIES, { body: `{"entries":[{},${entry}]}` });
  expect(status).toBe(422);
  expect(body.details).toEqual([{ path: '/entries/1', message: 'An entry must be an object.' }]);
});

onBothDatabases(({ url }) => {
  const PLENTY = 1_000_000;
  /** What a new database has. */
  let before: { entries: number; bytes: number };
  beforeAll(async () => {
    const plentiful = await start({ databaseUrl: await url() });
    before = await held(plentiful);
    await plentiful.close();
  });
  const entries = (count: number): { entries: object[] } => ({
    entries: Array.from({ length: count }, (_, n) => ({ n: n % 10 })),
  });

  async function full(limits: { entries: number; data: number }): Promise<TestPlatform> {
    return startForTest({ databaseUrl: await url(), limits });
  }
  /** The size of all data sources of app 101. */
  async function held(platform: TestPlatform): Promise<{ entries: number; bytes: number }> {
    const { dataSources } = (await platform.ask<{ dataSources: { id: number }[] }>('/v1/apps/101/data-sources')).body;
    const lists = await Promise.all(
      dataSources.map(
        async ({ id }) =>
          (await platform.ask<{ entries: { data: object }[] }>(`/v1/data-sources/${id}/entries`)).body.entries,
      ),
    );
    const all = lists.flat();
    return {
      entries: all.length,
      bytes: all.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)), 0),
    };
  }

  it('the number of entries of an app is limited over all of its data sources', async () => {
    const most = before.entries + 5;
    const platform = await full({ entries: most, data: PLENTY });
    expect((await platform.ask('/v1/data-sources/502/entries', { body: entries(2) })).status).toBe(201);
    // Four concurrent requests, with room for three.
    const sent = await Promise.all(
      Array.from({ length: 4 }, () => platform.ask('/v1/data-sources/501/entries', { body: entries(1) })),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 201, 413]);
    const { status, body } = await platform.ask('/v1/data-sources/501/entries', { body: entries(2) });
    const message = `The data sources of app 101 are limited to ${most} entries. With this request, they would have ${most + 2}.`;
    expect({ status, body }).toEqual({
      status: 413,
      body: {
        error: 'DATA_TOO_LARGE',
        message,
        hint: 'Write less data, or start the platform with a new data folder.',
        details: [{ path: '/entries', message }],
      },
    });
    expect((await held(platform)).entries).toBe(most);
    // Another app has its own limit.
    expect((await platform.ask('/v1/data-sources/521/entries', { body: entries(1) })).status).toBe(201);
  });

  it('the bytes of an app are limited', async () => {
    const platform = await full({ entries: PLENTY, data: before.bytes + 20 });
    // {"text":"ä…"}: 11 bytes and the text.
    const text = (bytes: number) =>
      platform.ask('/v1/data-sources/501/entries', { body: { entries: [{ text: 'ä'.repeat((bytes - 11) / 2) }] } });
    expect((await text(21)).body).toMatchObject({
      error: 'DATA_TOO_LARGE',
      message: expect.stringContaining('bytes of JSON.'),
    });
    expect((await text(19)).status).toBe(201);
    expect((await text(13)).status).toBe(413);
  });
});
