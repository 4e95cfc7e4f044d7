/** Tests the limits of messages: their size, their depth, and that they contain only data. */
import { describe, expect, it } from 'vitest';
import type { ListenRuntime } from '../../../../lib/extension/messaging/listen.ts';
import { listen } from '../../../../lib/extension/messaging/listen.ts';
import { DEPTH_LIMIT, measure } from '../../../../lib/extension/messaging/measure.ts';
import type { Handlers } from '../../../../lib/extension/messaging/receive.ts';
import { createRefusals } from '../../../../lib/extension/messaging/refusals.ts';

describe('the size of a value', () => {
  it.each<[unknown]>([
    ['text'],
    ['a "quote"\n'],
    [''],
    [12.5],
    [-1],
    [true],
    [false],
    [null],
    [{}],
    [[]],
    [[1, 2, 3]],
    [{ a: 1 }],
    [{ a: 1, bc: [true, 'x'] }],
    [[[], [{}]]],
    [{ '"': '"' }],
  ])('%j is that of its JSON', (value) => {
    expect(measure(value, 1000)).toBe(JSON.stringify(value).length);
  });

  it('counts what JSON omits as little, and array holes as JSON writes them', () => {
    expect(measure(undefined, 10)).toBe(0);
    expect(measure(Object.assign([], { length: 100 }), 1000)).toBe(101);
    expect(measure(Object.assign([], { length: 1 }), 1000)).toBe(2);
  });

  it('is measured up to the limit, and reported as one more beyond it, without reading the whole value', () => {
    expect(measure('12345678', 10)).toBe(10);
    expect(measure('123456789', 10)).toBe(11);
    expect(measure('"""', 7)).toBe(8);
    expect(measure({ a: 'xxxxxxx', b: 1 }, 10)).toBe(11);
    expect(measure({ abcdefghijk: 1 }, 10)).toBe(11);
    expect(measure(Object.assign([], { length: 4_000_000_000 }), 1000)).toBe(1001);
    const cycle: unknown[] = [];
    cycle.push(cycle, cycle);
    expect(measure(cycle, 100)).toBe(101);
  });

  it.each([
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a bigint', 1n],
    ['a Date', new Date()],
    ['a Map', new Map()],
    ['a regular expression', /x/],
    ['bytes', new Uint8Array(2)],
    ['an error', new Error('x')],
  ])('%s isn’t data, at any depth', (_what, value) => {
    expect([measure(value, 1000), measure({ a: [value] }, 1000)]).toEqual(['not data', 'not data']);
  });

  it('a value that throws when it is read isn’t data', () => {
    expect(
      measure(
        {
          get a() {
            throw new Error('hands off');
          },
        },
        1000,
      ),
    ).toBe('not data');
  });

  it('a thousand levels are accepted, and one more isn’t', () => {
    const nested = (levels: number) => {
      let value: unknown = 1;
      for (let level = 0; level < levels; level++) value = [value];
      return value;
    };
    expect(measure(nested(DEPTH_LIMIT), 10_000)).toBe(2001);
    expect(measure(nested(DEPTH_LIMIT + 1), 10_000)).toBe('deep');
    expect(DEPTH_LIMIT).toBe(1000);
  });
});

it('reports a response that can’t be sent', async () => {
  const responses: unknown[] = [];
  let hear: Parameters<ListenRuntime['onMessage']['addListener']>[0] | undefined;
  listen(
    {
      id: 'ours',
      getURL: (path) => `chrome-extension://ours${path}`,
      onMessage: { addListener: (listener) => (hear = listener) },
    },
    { 'environments.list': () => Promise.resolve([]) } as unknown as Handlers,
  );
  await new Promise<void>((resolve) => {
    const respond = (value: unknown) => {
      responses.push(value);
      if (responses.length === 1) throw new Error('could not be cloned');
      resolve();
    };
    expect(
      hear?.(
        { to: 'background', name: 'environments.list' },
        { id: 'ours', url: 'chrome-extension://ours/panel.html' },
        respond,
      ),
    ).toBe(true);
  });
  expect(responses).toEqual([
    { ok: true, value: [] },
    {
      ok: false,
      error: {
        code: 'ANSWER_UNSENDABLE',
        message: 'Couldn’t send the response: could not be cloned',
        hint: 'Try again with less data.',
      },
    },
  ]);
});

describe('refused messages', () => {
  const session = (stored: Record<string, unknown> = {}) => ({
    stored,
    get: (key: string) => Promise.resolve({ [key]: stored[key] }),
    set: (items: Record<string, unknown>) => Promise.resolve(void Object.assign(stored, items)),
  });
  let at = 0;
  const now = () => ++at;

  it('are counted by code and reason with the time of the last one, newest first, and survive the worker', async () => {
    at = 100;
    const area = session();
    const first = createRefusals(area, now);
    for (const [code, reason] of [
      ['A', 'x'],
      ['A', 'y'],
      ['A', 'x'],
      ['B', 'x'],
    ] as const)
      first.count(code, reason);
    const reported = {
      since: 101,
      refusals: [
        { code: 'B', reason: 'x', count: 1, last: 105 },
        { code: 'A', reason: 'x', count: 2, last: 104 },
        { code: 'A', reason: 'y', count: 1, last: 103 },
      ],
    };
    expect(await first.read()).toEqual(reported);
    expect(area.stored).toEqual({ 'messages.refused': reported });
    const second = createRefusals(area, now);
    second.count('A', 'y');
    expect(await second.read()).toEqual({
      since: 101,
      refusals: [{ code: 'A', reason: 'y', count: 2, last: 107 }, reported.refusals[0], reported.refusals[1]],
    });
  });

  it.each([
    ['nothing', {}],
    ['damaged', { 'messages.refused': { since: 'x' } }],
  ])('are counted from zero when what is stored is %s', async (_what, stored) => {
    at = 0;
    expect(await createRefusals(session(stored), now).read()).toEqual({ since: 1, refusals: [] });
  });

  it('are counted even without storage, or when it fails', async () => {
    const failing = { get: () => Promise.reject(new Error('no')), set: () => Promise.reject(new Error('no')) };
    for (const area of [undefined, failing]) {
      at = 0;
      const refusals = createRefusals(area, now);
      refusals.count('A', 'x');
      expect(await refusals.read()).toEqual({ since: 1, refusals: [{ code: 'A', reason: 'x', count: 1, last: 2 }] });
    }
  });
});
