/** A change with an `Idempotency-Key` is made once, however often its request arrives. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeOldKeys } from '../../lib/local-platform/http/once.ts';
import { sql } from '../../lib/local-platform/db/drizzle.ts';
import type { LogList } from '../../lib/platform-api/index.ts';
import { onBothDatabases } from './support/databases.ts';
import { type ApiResponse, start, startForTest, type TestPlatform } from './support/platform.ts';

const TOKEN = 'the-token-of-this-test';
const DONE = [{ functionPackage: 'com.platform.function.return-string', settings: { message: 'done' } }];

const send = (platform: TestPlatform, path: string, body: unknown, key: string, method?: string) =>
  platform.ask<Record<string, unknown>>(path, {
    ...(body !== undefined && { body }),
    ...(method && { method }),
    headers: { 'Idempotency-Key': key },
  });
const recorded = ({ status, text }: ApiResponse<unknown>) => ({ status, text });

async function logCount(platform: TestPlatform, type: string): Promise<number> {
  const where = encodeURIComponent(JSON.stringify({ type }));
  return (await platform.ask<LogList>(`/v1/apps/101/logs?where=${where}`)).body.count;
}

onBothDatabases(({ url, open }) => {
  /** Two platforms on one Postgres, or the same PGlite platform twice. */
  async function twoPlatforms(): Promise<[TestPlatform, TestPlatform]> {
    const databaseUrl = await url();
    const one = await startForTest({ authToken: TOKEN, ...(databaseUrl ? { databaseUrl } : { data: 'memory' }) });
    return [one, databaseUrl ? await startForTest({ authToken: TOKEN, databaseUrl }) : one];
  }

  it('makes every change once, and repeats its response, also through another platform', async () => {
    const [one, two] = await twoPlatforms();
    const changes: [path: string, body: unknown, method?: string][] = [
      ['/v1/apps/101/actions', { name: 'keyed', environment: 'server', functions: DONE }],
      ['/v1/apps/101/actions/keyed', { active: true }, 'PUT'],
      ['/v1/apps/101/actions/keyed/revisions/1/restore', {}],
      ['/v1/apps/101/actions/keyed/run', { payload: {} }],
      ['/v1/apps/101/actions/keyed/run-with-result', { payload: {} }],
      ['/v1/apps/101/actions/keyed', undefined, 'DELETE'],
      ['/v1/apps/101/logs', { type: 'keyed', data: {} }],
      ['/v1/data-sources/502/entries', { entries: [{ keyed: true }] }],
      ['/v1/apps/101/outbox', { kind: 'notification', title: 'Keyed', message: 'Once' }],
      ['/v1/apps/101/publish', { release: { type: 'silent', changelog: 'Keyed' } }],
    ];
    for (const [path, body, method] of changes) {
      const key = `${method} ${path}`;
      const first = await send(one, path, body, key, method);
      expect(first.status, path).toBeLessThan(300);
      expect(recorded(await send(two, path, body, key, method)), path).toEqual(recorded(first));
    }
    expect(await logCount(one, 'keyed')).toBe(1);
    expect(await logCount(one, 'app.publish')).toBe(1);
    await expect.poll(() => logCount(one, 'app.action.completed')).toBe(2);
    const { entries } = (await one.ask<{ entries: { data: object }[] }>('/v1/data-sources/502/entries')).body;
    expect(entries.filter(({ data }) => 'keyed' in data)).toHaveLength(1);
    const { messages } = (await one.ask<{ messages: { message: { title: string } }[] }>('/v1/apps/101/outbox')).body;
    expect(messages.filter(({ message }) => message.title === 'Keyed')).toHaveLength(1);
  });

  it('makes a change once when its requests arrive at the same time at both platforms', async () => {
    const [one, two] = await twoPlatforms();
    const action = {
      name: 'slow',
      environment: 'server',
      functions: [{ functionPackage: 'com.platform.function.wait', settings: { ms: 300 } }, ...DONE],
    };
    await one.ask('/v1/apps/101/actions', { body: action });
    const atOnce = async (path: string, body: unknown) => {
      const responses = await Promise.all([one, two, one, two].map((platform) => send(platform, path, body, path)));
      return [...new Set(responses.map((response) => JSON.stringify(recorded(response))))];
    };
    expect(await atOnce('/v1/apps/101/actions/slow/run-with-result', { payload: {} })).toEqual([
      JSON.stringify({ status: 200, text: '{"result":"done"}' }),
    ]);
    expect(await atOnce('/v1/apps/101/actions/slow/run', { payload: {} })).toHaveLength(1);
    expect(await atOnce('/v1/apps/101/logs', { type: 'keyed', data: {} })).toHaveLength(1);
    await expect.poll(() => logCount(one, 'app.action.completed')).toBe(2);
    expect(await logCount(one, 'keyed')).toBe(1);
  });

  it('keeps keys for a day, and the newest of each token', async () => {
    const { db } = await open();
    for (const [owner, key, age] of [
      ['1 ', 'old', '25 hours'],
      ['1 ', 'first', '3 minutes'],
      ['1 ', 'second', '2 minutes'],
      ['1 ', 'third', '1 minute'],
      ['2 ', 'other', '4 minutes'],
    ])
      await db.execute(
        sql`insert into request_keys (owner, key, request, created_at) values (${owner}, ${key}, '', now() - ${age}::interval)`,
      );
    await removeOldKeys(db, 2);
    const { rows } = await db.execute<{ key: string }>(sql`select key from request_keys order by key`);
    expect(rows.map(({ key }) => key)).toEqual(['other', 'second', 'third']);
  });
});

describe('a key', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ data: 'memory', clock: new Date('2026-11-02T08:00:00Z') });
  });
  afterAll(() => platform.close());

  it('can’t be used for another request, and belongs to one token', async () => {
    await send(platform, '/v1/apps/101/logs', { type: 'one' }, 'key');
    for (const [path, body, method] of [
      ['/v1/apps/101/logs', { type: 'two' }],
      ['/v1/apps/102/logs', { type: 'one' }],
      ['/v1/apps/101/actions/1004?by=id', { active: false }, 'PUT'],
    ] as const) {
      const { status, body: refusal } = await send(platform, path, body, 'key', method);
      expect({ status, error: refusal.error }).toEqual({ status: 422, error: 'IDEMPOTENCY_KEY_USED' });
    }
    const page = await platform.ask('/v1/apps/101/tasks/1004/compile?html');
    const { token } = JSON.parse(/id="platform-env">([^<]*)</.exec(page.text)![1]!) as { token: string };
    const { status } = await platform.ask('/v1/apps/101/logs', {
      body: { type: 'two' },
      token,
      headers: { 'Idempotency-Key': 'key' },
    });
    expect(status).toBe(201);
  });

  it('of a refused request can be used again', async () => {
    const run = () => send(platform, '/v1/apps/101/actions/later/run', { payload: {} }, 'later');
    expect((await run()).status).toBe(404);
    await platform.ask('/v1/apps/101/actions', { body: { name: 'later', functions: DONE } });
    expect((await run()).status).toBe(202);
  });

  it.each(['', 'x'.repeat(256), 'tab\there'])('%j is refused with 400 on every change', async (key) => {
    for (const path of ['/v1/apps/101/logs', '/v1/apps/101/publish']) {
      const body = path.endsWith('logs') ? { type: 'one' } : { release: { type: 'silent', changelog: 'x' } };
      const { status } = await send(platform, path, body, key);
      expect(status).toBe(400);
    }
  });

  it('keeps the clock from moving twice', async () => {
    const move = () => send(platform, '/v1/clock', { advance: 60_000 }, 'clock');
    await move();
    expect((await move()).body).toMatchObject({ now: '2026-11-02T08:01:00.000Z' });
  });
});
