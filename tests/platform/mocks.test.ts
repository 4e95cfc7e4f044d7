/** Runs with mocks on the server: what is mocked never happens, and mocks that couldn’t apply are refused. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onDatabase } from './support/databases.ts';
import { step } from './support/page.ts';
import { start, type TestPlatform } from './support/platform.ts';
import { APP, created, recordingOf, recordOf } from './support/recorded-runs.ts';

const MAIL = [step('send-email', { to: 'a@example.com', subject: 'Hello', html: '<p>Hello</p>' })];
const MOCK = { target: { package: 'com.platform.function.send-email' }, outcome: { value: 'mocked' } };

onDatabase(({ url }) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url() });
  });
  afterAll(() => platform.close());

  it('a mocked email isn’t sent, and the log record and the recording say what was mocked', async () => {
    const id = await created(platform, MAIL);
    const record = await recordOf(platform, id, { mocks: [MOCK], record: true });
    expect(record).toMatchObject({ type: 'app.action.completed', data: { mocks: 1 } });
    expect((await recordingOf(platform, record)).body.steps).toMatchObject([
      { path: '/0', state: 'completed', value: 'mocked', replaced: 'mock' },
    ]);
    expect((await platform.ask(`${APP}/outbox`)).body).toEqual({ messages: [] });
    await recordOf(platform, id);
    expect((await platform.ask(`${APP}/outbox`)).body).toMatchObject({ messages: [{ kind: 'email' }] });
  });

  it.each([
    ['a condition that can’t be read', { ...MOCK, condition: 'a ===' }, '/mocks/0/condition'],
    ['a target that names nothing', { target: {} }, '/mocks/0/target'],
  ])('a run with %s in a mock is refused, and sends nothing', async (_, mock, path) => {
    const id = await created(platform, MAIL);
    const before = (await platform.ask(`${APP}/outbox`)).body;
    const { status, body } = await platform.ask<{ details: { path: string }[] }>(
      `${APP}/actions/${id}/run-with-result`,
      {
        body: { mocks: [mock] },
      },
    );
    expect(status).toBe(422);
    expect(body.details[0]!.path).toContain(path);
    expect((await platform.ask(`${APP}/outbox`)).body).toEqual(before);
  });
});
