/** Tests how a run is followed: its steps, its end, time limits, and cancels. */
import { describe, expect, it } from 'vitest';
import { FollowedRun, untilEnd } from '../../../../lib/cli/run/follow-run.ts';
import type { InspectorEvent } from '../../../../lib/extension/inspector/index.ts';
import { CodedError } from '../../../../lib/platform-api/coded-error.ts';

const NEVER = new Promise<never>(() => {});

class Inspector {
  readonly #listeners = new Set<(event: InspectorEvent) => void>();
  stops = 0;
  onStop = (): void => {};
  subscribe(listener: (event: InspectorEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  async stop(): Promise<{ ok: true; value: boolean }> {
    this.stops++;
    this.onStop();
    return { ok: true, value: true };
  }
  emit(event: Record<string, unknown>): void {
    for (const listener of this.#listeners) listener({ n: 1, runId: 'r', at: 0, ...event } as never);
  }
  start(step: number, path: string | null, more: object = {}): void {
    this.emit({
      kind: 'step-started',
      step,
      parent: null,
      path,
      iteration: [],
      stepKind: 'function',
      name: 'a.b',
      at: 5,
      ...more,
    });
  }
}

const wait = (signal = new AbortController().signal, timeout = 60_000, lost: Promise<never> = NEVER) => ({
  signal,
  timeout,
  lost,
});

describe('a followed run', () => {
  it('has its steps in the order in which they started, and reports them as they end', async () => {
    const inspector = new Inspector();
    const ended: unknown[] = [];
    const run = new FollowedRun(inspector, { onStep: ({ path }) => ended.push(path) });
    inspector.start(1, '/0', { stepKind: 'loop', name: 'loop' });
    inspector.start(2, '/0/functions/0', { iteration: [0] });
    inspector.emit({
      kind: 'step-ended',
      step: 2,
      state: 'completed',
      at: 7,
      changes: [],
      value: { t: 'number', v: 3 },
    });
    inspector.emit({ kind: 'step-ended', step: 9, state: 'completed', at: 7, changes: [] });
    inspector.emit({ kind: 'step-ended', step: 1, state: 'completed', at: 8, changes: [], iterations: 1 });
    inspector.start(3, null);
    inspector.emit({ kind: 'events-dropped', count: 4 });
    inspector.emit({ kind: 'run-ended', state: 'completed', milliseconds: 9 });
    const { steps, missing, end, reason } = await untilEnd(run, inspector, wait());
    expect(steps).toEqual([
      { kind: 'loop', path: '/0', at: 5, milliseconds: 3, state: 'completed', iterations: 1 },
      {
        kind: 'function',
        path: '/0/functions/0',
        iteration: [0],
        name: 'a.b',
        at: 5,
        milliseconds: 2,
        state: 'completed',
        value: 3,
      },
      { kind: 'function', name: 'a.b', at: 5, milliseconds: 0, state: 'interrupted' },
    ]);
    expect([missing, end!.state, reason, ended]).toEqual([4, 'completed', null, ['/0/functions/0', '/0']]);
  });

  it('has a reason if its page was left, or is gone', async () => {
    const inspector = new Inspector();
    const left = new FollowedRun(inspector);
    inspector.emit({ kind: 'run-lost', reason: 'navigation' });
    expect(await untilEnd(left, inspector, wait())).toMatchObject({ end: null, reason: { code: 'RUN_LOST' } });
    const crash = Promise.reject(new CodedError({ code: 'PAGE_CRASHED', message: 'gone' }));
    const gone = await untilEnd(new FollowedRun(inspector), inspector, wait(undefined, 60_000, crash));
    expect(gone).toMatchObject({ end: null, reason: { code: 'PAGE_CRASHED' } });
    expect(inspector.stops).toBe(0);
  });

  it('is stopped in the page at the time limit, and has how it ended', async () => {
    const inspector = new Inspector();
    inspector.onStop = () => inspector.emit({ kind: 'run-ended', state: 'stopped', milliseconds: 9 });
    const run = await untilEnd(new FollowedRun(inspector), inspector, wait(undefined, 1));
    expect(run).toMatchObject({ end: { state: 'stopped' }, reason: { code: 'TIMEOUT' } });
    expect(inspector.stops).toBe(1);
  });

  it('has no end if the page doesn’t stop it, so that it’s unknown how it ended', async () => {
    const inspector = new Inspector();
    const run = await untilEnd(new FollowedRun(inspector), inspector, wait(undefined, 1));
    expect(run).toMatchObject({
      end: null,
      reason: {
        code: 'TIMEOUT',
        message: expect.stringContaining('Couldn’t confirm whether the run stopped') as string,
      },
    });
    const canceled = untilEnd(new FollowedRun(inspector), inspector, wait(AbortSignal.abort()));
    await expect(canceled).rejects.toMatchObject({
      code: 'ABORTED',
      message: expect.stringContaining('Couldn’t confirm whether the run stopped') as string,
    });
  });

  it('isn’t called stopped if it ends in another way, or its page is left, before it’s stopped', async () => {
    const inspector = new Inspector();
    inspector.onStop = () => inspector.emit({ kind: 'run-ended', state: 'completed', milliseconds: 9 });
    const late = await untilEnd(new FollowedRun(inspector), inspector, wait(undefined, 1));
    expect(late).toMatchObject({ end: { state: 'completed' }, reason: null });
    const canceled = untilEnd(new FollowedRun(inspector), inspector, wait(AbortSignal.abort()));
    await expect(canceled).rejects.toMatchObject({ message: 'The run completed before it was stopped.' });
    inspector.onStop = () => inspector.emit({ kind: 'run-lost', reason: 'navigation' });
    const left = await untilEnd(new FollowedRun(inspector), inspector, wait(undefined, 1));
    expect(left).toMatchObject({ end: null, reason: { code: 'RUN_LOST' } });
  });

  it('is stopped in the page when it’s canceled, even before it’s awaited', async () => {
    const inspector = new Inspector();
    inspector.onStop = () => inspector.emit({ kind: 'run-ended', state: 'stopped', milliseconds: 9 });
    const canceled = untilEnd(new FollowedRun(inspector), inspector, wait(AbortSignal.abort()));
    await expect(canceled).rejects.toMatchObject({ code: 'ABORTED' });
    expect(inspector.stops).toBe(1);
  });
});
