import { beforeEach, describe, expect, it } from 'vitest';
import { QueueRoom } from '../../../lib/local-platform/jobs/queue-room.ts';
import type { Db, RunRequest } from '../../../lib/local-platform/jobs/types.ts';

const tx = {} as Db;
const run = (appId: number, actionName = ''): RunRequest => ({ appId, actionName }) as RunRequest;
const runs = (appId: number, count: number): RunRequest[] =>
  Array.from({ length: count }, (_, n) => run(appId, String(n)));

describe('QueueRoom', () => {
  let waiting: Map<number, number>;
  let counts: number;
  let time: number;
  let refused: unknown[];
  beforeEach(() => {
    waiting = new Map();
    counts = 0;
    time = 0;
    refused = [];
  });

  const roomOf = (limit: number): QueueRoom =>
    new QueueRoom({
      limit,
      count: async (appId) => {
        counts += 1;
        return waiting.get(appId) ?? 0;
      },
      writeRunLog: async (_, request, outcome) =>
        void refused.push([request.actionName, outcome.state === 'failed' && outcome.failure.errorType]),
      now: () => time,
    });
  const fill = (appId: number, count: number): void => void waiting.set(appId, (waiting.get(appId) ?? 0) + count);

  it('refuses a requested run of an app with as many waiting runs as it may have', async () => {
    const room = roomOf(5);
    fill(1, 5);
    await expect(room.require(run(1), tx)).rejects.toMatchObject({
      status: 429,
      code: 'QUEUE_FULL',
      message: 'Couldn’t queue the run: an app is limited to 5 waiting runs.',
      headers: { 'Retry-After': '5' },
    });
    await expect(room.require(run(2), tx)).resolves.toBeUndefined();
  });

  it('admits the first fired runs that fit, and records the others as failed', async () => {
    fill(1, 3);
    const admitted = await roomOf(5).admit([...runs(1, 4), ...runs(2, 1)], tx);
    expect(admitted.map(({ appId, actionName }) => [appId, actionName])).toEqual([
      [1, '0'],
      [1, '1'],
      [2, '0'],
    ]);
    expect(refused).toEqual([
      ['2', 'QUEUE_FULL'],
      ['3', 'QUEUE_FULL'],
    ]);
  });

  it('counts a far from full queue once for many runs, and never admits more than fit', async () => {
    const room = roomOf(10_000);
    let admitted = 0;
    for (;;) {
      const done = await room.require(run(1), tx).then(
        () => false,
        () => true,
      );
      if (done) break;
      admitted += 1;
      fill(1, 1);
    }
    expect(admitted).toBe(10_000);
    expect(counts).toBeLessThan(300);
  });

  it('counts a full queue once a second, whatever is requested', async () => {
    const room = roomOf(5);
    fill(1, 5);
    for (let n = 0; n < 50; n += 1) await expect(room.require(run(1), tx)).rejects.toMatchObject({ status: 429 });
    expect(counts).toBe(1);
    waiting.set(1, 4);
    time = 1_000;
    await expect(room.require(run(1), tx)).resolves.toBeUndefined();
  });

  it('exceeds the limit by at most 100 runs for each other process', async () => {
    const rooms = Array.from({ length: 4 }, () => roomOf(2_000));
    // All of them count an empty queue. Then the first fills it.
    for (const room of rooms) {
      await room.require(run(1), tx);
      fill(1, 1);
    }
    const admitted = await rooms[0]!.admit(runs(1, 5_000), tx);
    fill(1, admitted.length);
    for (const room of rooms)
      for (const each of runs(1, 500))
        await room.require(each, tx).then(
          () => fill(1, 1),
          () => undefined,
        );
    expect(waiting.get(1)).toBeGreaterThan(2_000);
    expect(waiting.get(1)).toBeLessThanOrEqual(2_000 + 3 * 100);
  });
});
