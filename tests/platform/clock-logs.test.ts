/**
 * The times in a run’s log record when the clock moves while the run is queued or running: those of the run, not of the
 * clock.
 */
import { expect, it, vi } from 'vitest';
import type { Action, LogList } from '../../lib/platform-api/index.ts';
import { onDatabase } from './support/databases.ts';
import { step } from './support/page.ts';
import { startForTest, type TestPlatform } from './support/platform.ts';

const START = '2026-03-02T00:00:00.000Z';
/** Times at which no demo schedule is due. */
const MINUTES = [1, 2, 3].map((minute) => `2026-03-02T00:0${minute}:00.000Z`);

onDatabase(({ url }) => {
  const platformAt = async (clock: string): Promise<TestPlatform> =>
    startForTest({ databaseUrl: await url(), clock: new Date(clock) });
  const moveTo = (platform: TestPlatform, to: string) => platform.ask('/v1/clock', { body: { to } });

  async function created(platform: TestPlatform, properties: object): Promise<Action> {
    const { body } = await platform.ask<{ action: Action }>('/v1/apps/103/actions', {
      body: { environment: 'server', ...properties },
    });
    expect(
      (await platform.ask(`/v1/apps/103/actions/${body.action.id}/publish`, { body: { publish: true } })).status,
    ).toBe(200);
    return body.action;
  }
  const logged = (platform: TestPlatform, { id }: Action, count: number): Promise<LogList['logs']> =>
    vi.waitFor(
      async () => {
        const { logs } = (await platform.ask<LogList>(`/v1/apps/103/logs?id=${id}`)).body;
        expect(logs).toHaveLength(count);
        return logs;
      },
      { timeout: 30_000, interval: 50 },
    );
  /**
   * A run that was over before the clock was moved ended when it was fired; another so long after as it took, at most.
   */
  function expectEnded({ createdAt, data }: LogList['logs'][number], fired: string): void {
    const after = Date.parse(createdAt) - Date.parse(fired);
    expect(after).toBeGreaterThanOrEqual(0);
    expect(after).toBeLessThanOrEqual(data!.duration as number);
  }

  it('scheduled runs of skipped minutes are logged in their own minutes, and so are runs that they fire', async () => {
    const platform = await platformAt(START);
    const often = await created(platform, {
      name: 'often',
      frequency: '* * * * *',
      functions: [step('wait', { ms: 20 })],
    });
    const follows = await created(platform, {
      name: 'follows',
      triggers: [{ trigger: 'log', where: { type: 'app.task.completed', data: { actionId: often.id } } }],
    });
    await moveTo(platform, '2026-03-02T00:03:30.000Z');
    const runs = await logged(platform, often, 3);
    const inOrder = (logs: LogList['logs']) =>
      logs.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
    for (const [n, run] of inOrder(runs).entries()) expectEnded(run, MINUTES[n]!);
    expect(inOrder(runs).map(({ data }) => data!.dueAt)).toEqual(MINUTES);
    const received = inOrder(await logged(platform, follows, 3));
    for (const [n, run] of received.entries()) expectEnded(run, inOrder(runs)[n]!.createdAt);
    const { actions } = (await platform.ask<{ actions: Action[] }>('/v1/apps/103/actions')).body;
    expect(received.map(({ data }) => data!.dueAt)).toEqual([undefined, undefined, undefined]);
    expect(actions.find(({ id }) => id === often.id)!.lastRunAt).toBe(MINUTES[2]);
  });

  it('a run that is running while the clock is moved ends as long after it was fired as it took', async () => {
    const platform = await platformAt(START);
    const slow = await created(platform, { name: 'slow', functions: [step('wait', { ms: 1_000 })] });
    await platform.ask('/v1/apps/103/actions/slow/run', { body: {} });
    await moveTo(platform, '2026-03-02T00:02:00.000Z');
    const [record] = await logged(platform, slow, 1);
    expect(record!.data!.duration).toBeGreaterThanOrEqual(1_000);
    expectEnded(record!, START);
  });

  it('while the clock stands still, a run ends when it is fired', async () => {
    const platform = await platformAt(START);
    const quick = await created(platform, { name: 'quick' });
    await platform.ask('/v1/apps/103/actions/quick/run', { body: {} });
    expect((await logged(platform, quick, 1))[0]!.createdAt).toBe(START);
  });
});
