/** Tests which page the command line waits for, and how it refuses one that can’t run its pipeline. */
import { describe, expect, it } from 'vitest';
import { type ReadyLimits, whenReady } from '../../../../lib/cli/run/page-ready.ts';
import type { Engine, PageState, RunInspector } from '../../../../lib/extension/inspector/index.ts';
import type { ErrorValue, Result } from '../../../../lib/platform-api/index.ts';

const LIMITS: ReadyLimits = { load: 100, runtime: 100, functions: { platform: 100, ours: 100 } };
const LONG = 600_000;
const PATIENT: ReadyLimits = { load: LONG, runtime: LONG, functions: { platform: LONG, ours: LONG } };
const STEPS = [{ functionPackage: 'com.example.one' }];
const WANTED = { baseUrl: 'https://eu.example/api', appId: 7, actionId: 9 };
const READY = {
  url: 'https://eu.example/api/v1/apps/7/tasks/9/compile?html&payload=%7B%7D',
  ready: true,
  platform: 'ready',
  tracing: 'observed',
  pipeline: { ok: true, steps: 1, handle: 1, bytes: 9 },
  functions: [],
} as unknown as PageState;
const WITH_FUNCTION: PageState = { ...READY, functions: [{ name: 'com.example.one', url: null }] };

const page = (change: Partial<PageState>): Result<PageState> => ({ ok: true, value: { ...READY, ...change } });
const failed = (code: string): { ok: false; error: ErrorValue } => ({
  ok: false,
  error: { code, message: 'It failed.' },
});

/** Waits for a page that has these states one after the other, and then the last one. */
async function wait(
  states: readonly Result<PageState>[],
  { limits = LIMITS, engine = 'platform', signal = new AbortController().signal, namespace = 'Platform' } = {} as {
    limits?: ReadyLimits;
    engine?: Engine;
    signal?: AbortSignal;
    namespace?: string;
  },
) {
  let asked = 0;
  const inspector = {
    attach: () => Promise.resolve(states[Math.min(asked++, states.length - 1)]!),
    pipeline: () => Promise.resolve({ ok: true, value: STEPS }),
  } as unknown as RunInspector;
  const ready = await whenReady(inspector, { ...WANTED, namespace }, engine, signal, limits);
  return { ...ready, asked };
}

describe('a page that can’t run its pipeline is refused:', () => {
  it.each([
    ['one without a runtime, such as a login page', { platform: 'absent' }, 'PLATFORM_ABSENT'],
    ['one whose runtime isn’t an object', { platform: 'not-an-object' }, 'PLATFORM_NOT_AN_OBJECT'],
    ['one whose runtime throws', { platform: 'throws' }, 'PLATFORM_THROWS'],
    ['one whose runtime can’t run a pipeline', { platform: 'no-pipeline' }, 'PLATFORM_NO_PIPELINE'],
  ] as const)('%s', async (_, change, code) => {
    const value = { code, message: expect.stringContaining('Acme'), hint: expect.any(String) };
    await expect(wait([page(change)], { namespace: 'Acme' })).rejects.toMatchObject({ value });
  });

  it('one without steps, with the error of its pipeline', async () => {
    const without = page({ pipeline: failed('PIPELINE_MISSING') });
    await expect(wait([without])).rejects.toMatchObject({ code: 'PIPELINE_MISSING' });
  });

  it('one that goes to a login page', async () => {
    const states = [page({ ready: false }), failed('NAVIGATED'), page({ platform: 'absent' })];
    const limits = { ...LIMITS, load: LONG };
    await expect(wait(states, { limits })).rejects.toMatchObject({ code: 'PLATFORM_ABSENT' });
  });

  it.each([
    ['another origin', 'https://evil.example/api/v1/apps/7/tasks/9/compile?html', 'https://evil.example'],
    ['a page without an origin', 'data:text/html,', 'another page'],
    ['another action', 'https://eu.example/api/v1/apps/7/tasks/10/compile?html', 'action 10 of app 7'],
    ['another app', 'https://eu.example/api/v1/apps/8/tasks/9/compile', 'action 9 of app 8'],
  ])('one that goes to %s, whose run would count as the action’s', async (_, url, place) => {
    const message = `Couldn’t run the action: its page went to ${place}. Nothing was run.`;
    await expect(wait([page({ ready: false }), page({ url })])).rejects.toMatchObject({
      value: { code: 'PAGE_ELSEWHERE', message },
    });
  });

  it('one that goes elsewhere while its functions are awaited', async () => {
    const gone = page({ tracing: 'wrapped', url: 'https://evil.example/' });
    const states = [page({ tracing: 'wrapped' }), page({ tracing: 'wrapped' }), gone];
    await expect(wait(states)).rejects.toMatchObject({ code: 'PAGE_ELSEWHERE' });
  });

  it('one that never responds, with the inspector’s error', async () => {
    await expect(wait([failed('PAGE_BUSY')])).rejects.toMatchObject({ code: 'PAGE_BUSY' });
  });

  it('with what was found in place of the runtime', async () => {
    const text = page({ platform: 'not-an-object', platformDetail: 'string' });
    await expect(wait([text])).rejects.toThrow(/Found: string\.$/);
  });
});

describe('a page is waited for', () => {
  it('while it loads, goes to another one, and until its runtime and steps are there', async () => {
    const states = [
      page({ ready: false }),
      failed('NAVIGATED'),
      page({ platform: 'absent' }),
      page({ pipeline: failed('PIPELINE_MISSING') }),
      page({}),
    ];
    expect(await wait(states, { limits: PATIENT })).toMatchObject({ state: READY, pipeline: STEPS });
  });

  it('also if it changes its URL', async () => {
    const url = 'https://eu.example/short';
    expect((await wait([page({ url })])).state.url).toBe(url);
  });

  it('until the functions of its pipeline are there, unless its runtime checks them itself', async () => {
    const wrapped = [page({ tracing: 'wrapped' }), page({ tracing: 'wrapped' }), page({ tracing: 'wrapped' })];
    const states = [...wrapped, { ok: true as const, value: WITH_FUNCTION }];
    expect((await wait(states, { limits: PATIENT })).state).toEqual(WITH_FUNCTION);
    const observed = [page({}), page({}), page({}), { ok: true as const, value: WITH_FUNCTION }];
    expect(await wait(observed, { limits: PATIENT })).toMatchObject({ state: READY, asked: 2 });
    expect((await wait(observed, { limits: PATIENT, engine: 'ours' })).state).toEqual(WITH_FUNCTION);
  });

  it('and is used without functions that never come', async () => {
    expect((await wait([page({})], { engine: 'ours' })).state).toEqual(READY);
  });

  it('until the run is canceled', async () => {
    const controller = new AbortController();
    const waiting = wait([page({ ready: false })], { limits: PATIENT, signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
