/* oxlint-disable unicorn/no-thenable -- what a function answers may have then */
/** Tests the engine’s messages, limits, and cleanup. */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  type Context,
  type PipelineError,
  type Problem,
  isPipelineError,
  runPipeline,
  validatePipeline,
} from '../../../lib/pipeline/index.ts';
import { describeThrown, describeValue } from '../../../lib/pipeline/errors.ts';

const run = (
  steps: unknown,
  payload: Record<string, unknown> = {},
  fn: (settings: Context, context: Context) => unknown = () => undefined,
): Promise<unknown> => runPipeline(steps, { payload, functions: new Map([['f', fn]]) });
const failure = (work: Promise<unknown>): Promise<PipelineError> =>
  work.then(
    () => {
      throw new Error('The operation didn’t fail.');
    },
    (error: unknown) => error as PipelineError,
  );
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('a thrown value is described in one line', () => {
  test.each<[unknown, string]>([
    [new Error('no'), 'no'],
    [new TypeError(''), 'TypeError'],
    ['text', 'threw “text”'],
    [7, 'threw a number'],
    [undefined, 'threw undefined'],
    [null, 'threw null'],
    [[1], 'threw an array'],
    [{}, 'threw an object'],
    [() => 1, 'threw a function'],
    [Object.assign(new Error('x'), { message: 7 }), 'Error'],
    [new Error('x'.repeat(1000)), 'x'.repeat(1000)],
    [new Error('x'.repeat(1001)), `${'x'.repeat(1000)}…`],
    ['y'.repeat(1001), `threw “${'y'.repeat(1000)}…”`],
  ])('%#', (thrown, text) => expect(describeThrown(thrown)).toBe(text));
  test.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['', 'a string'],
    [1n, 'a bigint'],
    [Symbol('x'), 'a symbol'],
    [[], 'an array'],
    [new Map(), 'an object'],
  ])('a value: %#', (value, text) => expect(describeValue(value)).toBe(text));
});

test('a value that can’t be read is described, too', () =>
  expect({ thrown: describeThrown(revoked()), value: describeValue(revoked()) }).toEqual({
    thrown: 'threw an unreadable value',
    value: 'an unreadable object',
  }));

describe('a refused pipeline', () => {
  test.each<[unknown, string]>([
    [[{ function: 'g' }], 'Couldn’t run the pipeline: /0: No function is registered under “g”.'],
    [
      [{ function: 'g' }, { type: 7 }],
      'Couldn’t run the pipeline: /0: No function is registered under “g”. (and 1 more)',
    ],
    [7, 'Couldn’t run the pipeline: Steps must be an array, not a number.'],
  ])('names the first problem and the number of others: %j', async (steps, message) =>
    expect(await failure(run(steps))).toMatchObject({ code: 'PIPELINE_INVALID', message }),
  );
  test('an unreadable payload keeps what was thrown as the cause', async () => {
    const cause = new Error('hands off');
    const error = await failure(
      run(
        [],
        Object.defineProperty({}, 'a', {
          enumerable: true,
          get() {
            throw cause;
          },
        }),
      ),
    );
    expect(error).toMatchObject({ code: 'PAYLOAD_INVALID', message: 'Couldn’t read the payload: hands off', cause });
    expect([isPipelineError(error), isPipelineError(cause)]).toEqual([true, false]);
  });
  test.each<[unknown, Problem[]]>([
    [
      [{ type: 'if', conditions: [{ condition: 7, functions: [] }] }],
      [
        {
          path: '/0/conditions/0/condition',
          code: 'INVALID_CONDITION',
          message: 'A condition must be a string. This one is a number.',
        },
      ],
    ],
    [
      [{ type: 'if', conditions: [{ condition: 'a b', functions: [] }, null] }],
      [
        { path: '/0/conditions/0/condition', code: 'INVALID_CONDITION', message: 'Unexpected b.', column: 3 },
        {
          path: '/0/conditions/1',
          code: 'NOT_AN_OBJECT',
          message: 'A block must be an object with condition and functions. This one is null.',
        },
      ],
    ],
    [
      [{ type: 'if', conditions: 7 }],
      [
        {
          path: '/0/conditions',
          code: 'NOT_AN_ARRAY',
          message: 'conditions must be an array of blocks. This one is a number.',
        },
      ],
    ],
    [
      [{ function: 'f', functionPackage: 'g' }],
      [
        {
          path: '/0',
          code: 'INVALID_FIELD',
          message: 'function and functionPackage name different packages. Remove one of them.',
        },
      ],
    ],
    [
      [{ type: 'loop', items: 7 }],
      [
        {
          path: '/0/items',
          code: 'INVALID_ITEMS',
          message: 'items must be the name or path of a property of the context.',
        },
      ],
    ],
    [
      [{ type: 'loop' }, { type: 'loop', items: 'a', range: {} }],
      [
        { path: '/0', code: 'LOOP_SOURCE', message: 'A loop needs items or range. This one has neither.' },
        { path: '/1', code: 'LOOP_SOURCE', message: 'A loop needs items or range. This one has both.' },
      ],
    ],
    [
      [{ type: 'loop', range: { from: -(2 ** 53), to: 'x' } }],
      [
        {
          path: '/0/range/from',
          code: 'INVALID_RANGE',
          message: 'from and to must be numbers up to 9007199254740991. This one is -9007199254740992.',
        },
        {
          path: '/0/range/to',
          code: 'INVALID_RANGE',
          message: 'from and to must be numbers up to 9007199254740991. This one is a string.',
        },
      ],
    ],
    [
      [{ type: 'x' }, { type: {} }],
      [
        { path: '/0', code: 'UNKNOWN_TYPE', message: 'type must be function, loop, or if. This one is “x”.' },
        {
          path: '/1',
          code: 'UNKNOWN_TYPE',
          message: 'type must be function, loop, or if. This one is an object.',
        },
      ],
    ],
    [
      [
        {
          function: 'f',
          settings: {
            get a() {
              throw new Error('hands off');
            },
          },
        },
      ],
      [
        {
          path: '/0/settings',
          code: 'INVALID_SETTINGS',
          message: 'Couldn’t read the settings: a property throws an error when it’s read.',
        },
      ],
    ],
    [
      [null, undefined],
      [
        { path: '/0', code: 'NOT_AN_OBJECT', message: 'A step must be an object. This one is null.' },
        { path: '/1', code: 'NOT_AN_OBJECT', message: 'A step must be an object. This one is undefined.' },
      ],
    ],
  ])('has exactly the expected problems: %#', (steps, problems) =>
    expect(validatePipeline(steps)).toStrictEqual(problems),
  );
  test('steps after an invalid step are checked, too', () =>
    expect(validatePipeline([7, { type: 'x' }, 7]).map(({ path }) => path)).toEqual(['/0', '/1', '/2']));

  const nested = (levels: number): unknown[] =>
    levels === 1 ? [{ function: 'f' }] : [{ function: 'f', functions: nested(levels - 1) }];
  test('steps may be nested 100 levels deep', () => {
    expect(validatePipeline(nested(100))).toEqual([]);
    expect(validatePipeline(nested(101)).map(({ code, path }) => [code, path.length])).toEqual([
      ['TOO_DEEP', 100 * '/0/functions'.length],
    ]);
  });
  test('settings may be nested 100 levels deep, with values of any kind', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
    expect(validatePipeline([{ function: 'f', settings: deep(100) }])).toEqual([]);
    expect(validatePipeline([{ function: 'f', settings: deep(101) }])).toMatchObject([
      { code: 'TOO_DEEP', path: `/0/settings${'/a'.repeat(100)}` },
    ]);
  });
});

test('settings that contain themselves are refused with the path', () => {
  const settings: Record<string, unknown> = { twice: {} };
  settings['a~b/c'] = [settings];
  settings.again = settings.twice;
  expect(validatePipeline([{ function: 'f', settings }])).toStrictEqual([
    { path: '/0/settings/a~0b~1c/0', code: 'CYCLE', message: 'The settings contain themselves.' },
  ]);
});

describe('settings are copied for each call', () => {
  test('when they are arrays or plain objects, even without a prototype, and shared otherwise', async () => {
    const when = new Date(0);
    const bare = Object.assign(Object.create(null) as object, { b: [1] });
    const settings = { list: [1, { a: 2 }], bare, when, call: Math.max, 'a/b~': { c: 1 } };
    const seen: Record<string, unknown>[] = [];
    const fn = (given: Record<string, unknown>): void => {
      seen.push(structuredClone({ ...given, call: undefined }), given);
      (given.list as unknown[]).push(3);
      (given.bare as { b: number[] }).b.push(2);
    };
    await run([{ type: 'loop', range: { from: 1, to: 2 }, functions: [{ function: 'f', settings }] }], {}, fn);
    expect(seen[2]).toEqual(seen[0]);
    expect(seen[1]?.when).toBe(when);
    expect(seen[1]?.call).toBe(Math.max);
    expect(settings.list).toHaveLength(2);
  });
});

describe('a loop', () => {
  const loop = (items: string) => [{ type: 'loop', items, functions: [{ function: 'f' }] }];
  test('counts up through a range, including both ends', async () => {
    const seen: unknown[] = [];
    const count = (from: number, to: number) =>
      run(
        [{ type: 'loop', range: { from, to }, functions: [{ function: 'f' }] }],
        {},
        (_settings, { currentItem, currentIndex }) => void seen.push([currentItem, currentIndex]),
      );
    await count(3, 4);
    await count(5, 5);
    await count(6, 5);
    expect(seen).toEqual([
      [3, 0],
      [4, 1],
      [5, 0],
    ]);
  });
  test('removes its names afterward, or restores their earlier values', async () => {
    const contexts: Context[] = [];
    const steps = [...loop('list'), { function: 'f', settings: { last: true } }];
    const fn = (settings: Context, context: Context): void => void (settings.last && contexts.push({ ...context }));
    await run(steps, { list: [1] }, fn);
    await run(steps, { list: [1], currentItem: 'mine', currentIndex: undefined }, fn);
    expect(contexts).toStrictEqual([{ list: [1] }, { list: [1], currentItem: 'mine', currentIndex: undefined }]);
  });
  test.each([
    ['a.b', { a: null }],
    ['a.b.c', { a: {} }],
    ['a.b', {}],
    ['a.length', { a: 7 }],
    ['a', { a: '123' }],
    ['a.inherited', { a: Object.create({ inherited: [] }) as object }],
    ['context', { a: [1] }],
    ['context.a', { a: [1], context: {} }],
    ['a[1]', { a: [[1]] }],
    ['a[b]', { a: [[1]], b: 0 }],
    ['a[', { a: [1] }],
    ['a..b', { a: { b: [1] } }],
  ])('over %s of %j fails without an array', async (items, payload) => {
    expect(await failure(run(loop(items), payload))).toMatchObject({
      code: 'LOOP_ITEMS_INVALID',
      path: '/0',
      message: expect.stringContaining(`The loop needs an array in “${items}”, but found `),
    });
  });
  test.each<[string, Context]>([
    ['context.list', { list: [1, 2] }],
    ['context.list', { list: [0], context: { list: [1, 2] } }],
    ['context.list', { list: [0], 'context.list': [1, 2] }],
    ['context.a.b', { a: { b: [1, 2] } }],
    ['context.a[0]', { a: [[1, 2]] }],
    ['a[0].c', { a: [{ c: [1, 2] }] }],
    ['a[0]["b c"].d', { a: [{ 'b c': { d: [1, 2] } }] }],
    ["a['b.c]']", { a: { 'b.c]': [1, 2] } }],
    ['a[0].c', { a: [{ c: [0] }], 'a[0].c': [1, 2] }],
    ['a.0.c', { a: [{ c: [1, 2] }] }],
    ['my list.a-b', { 'my list': { 'a-b': [1, 2] } }],
  ])('over %s of %j finds the items', async (items, payload) => {
    const seen: unknown[] = [];
    await run(loop(items), payload, (_settings, { currentItem }) => void seen.push(currentItem));
    expect(seen).toEqual([1, 2]);
  });
  test('looks up items as a whole name before it tries a path', async () => {
    const seen: unknown[] = [];
    await run(loop('a.b'), { 'a.b': [1], a: { b: [2] } }, (_settings, { currentItem }) => void seen.push(currentItem));
    await run(loop('a.b'), { a: { b: [2] } }, (_settings, { currentItem }) => void seen.push(currentItem));
    expect(seen).toEqual([1, 2]);
  });
});

describe('a function', () => {
  const THEN = 'then';
  test('may return any thenable, which is awaited before the next step', async () => {
    const order: string[] = [];
    const then = (resolve: (value: number) => void) => void setImmediate(() => (order.push('answered'), resolve(7)));
    for (const value of [Object.defineProperty(() => 1, THEN, { value: then }), { [THEN]: then }]) {
      order.length = 0;
      expect(
        await run([{ function: 'f', settings: { first: true } }, { function: 'f' }], {}, ({ first }) =>
          first ? value : void order.push('next'),
        ),
      ).toBe(7);
      expect(order).toEqual(['answered', 'next']);
    }
    const failing = { [THEN]: (_resolve: unknown, reject: (reason: Error) => void) => reject(new Error('no')) };
    expect(await failure(run([{ function: 'f' }], {}, () => failing))).toMatchObject({
      code: 'STEP_FAILED',
      message: 'f failed: no',
    });
  });
  test.each([[{ [THEN]: 7 }], [null], ['then'], [0]])('may return %j as a value', async (value) => {
    expect(
      await run([{ function: 'f' }, { function: 'f', settings: { last: true } }], {}, ({ last }) =>
        last ? undefined : value,
      ),
    ).toBe(value);
  });
  test('that rejects without a reason skips only its nested functions', async () => {
    const ran: unknown[] = [];
    const fn = ({ name, skip }: Context): unknown => (ran.push(name), skip ? Promise.reject() : name);
    expect(
      await run(
        [
          {
            function: 'f',
            settings: { name: 'a', skip: true },
            functions: [{ function: 'f', settings: { name: 'b' } }],
          },
          { function: 'f', settings: { name: 'c' } },
        ],
        {},
        fn,
      ),
    ).toBe('c');
    expect(ran).toEqual(['a', 'c']);
  });
});

describe('a signal', () => {
  test('has no listener after the run has ended, whatever the outcome', async () => {
    for (const fn of [() => 1, () => Promise.resolve(1), () => Promise.reject(new Error('no'))]) {
      const { signal } = new AbortController();
      const running = runPipeline([{ function: 'f' }], {
        signal,
        functions: new Map([['f', () => (expect(getEventListeners(signal, 'abort')).toHaveLength(1), fn())]]),
      });
      await running.catch(() => {});
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    }
  });
  test('that is already aborted stops the run before its first step, with its reason as the cause', async () => {
    const reason = new Error('enough');
    expect(
      await failure(
        runPipeline([{ function: 'f' }], {
          signal: AbortSignal.abort(reason),
          functions: new Map([['f', () => expect.unreachable()]]),
        }),
      ),
    ).toMatchObject({ code: 'ABORTED', message: 'The run was stopped.', path: '/0', iteration: [], cause: reason });
    expect(await failure(runPipeline([], { signal: AbortSignal.abort(reason), functions: new Map() }))).toMatchObject({
      code: 'ABORTED',
      path: undefined,
    });
  });
});

describe('an observer', () => {
  test('gets the iteration of each step, even after a nested loop', async () => {
    const seen: string[] = [];
    const inner = { type: 'loop', range: { from: 1, to: 2 }, functions: [{ function: 'f' }] };
    await runPipeline(
      [{ type: 'loop', range: { from: 1, to: 2 }, functions: [inner, { function: 'f' }] }, { function: 'f' }],
      {
        functions: new Map([['f', () => undefined]]),
        observer: { before: ({ path, iteration }) => void seen.push(`${path} ${iteration.join('.')}`) },
      },
    );
    expect(seen).toEqual([
      '/0 ',
      '/0/functions/0 0',
      '/0/functions/0/functions/0 0.0',
      '/0/functions/0/functions/0 0.1',
      '/0/functions/1 0',
      '/0/functions/0 1',
      '/0/functions/0/functions/0 1.0',
      '/0/functions/0/functions/0 1.1',
      '/0/functions/1 1',
      '/1 ',
    ]);
  });
  test('may have one of its two methods, or none', async () => {
    for (const observer of [{}, { after: () => {} }, { before: () => undefined }]) {
      expect(await runPipeline([{ function: 'f' }], { functions: new Map([['f', () => 1]]), observer })).toBe(1);
      expect(
        await failure(
          runPipeline([{ function: 'f' }], {
            functions: new Map([['f', () => Promise.reject(new Error('no'))]]),
            observer,
          }),
        ),
      ).toMatchObject({ code: 'STEP_FAILED' });
    }
  });
  test('that aborts the run in before isn’t called for later steps', async () => {
    const stop = new AbortController();
    const ended: string[] = [];
    const observer = {
      before: () => stop.abort(),
      after: (_info: unknown, { state }: { state: string }) => void ended.push(state),
    };
    expect(
      await failure(
        runPipeline([{ function: 'f' }], {
          signal: stop.signal,
          observer,
          functions: new Map([['f', () => expect.unreachable()]]),
        }),
      ),
    ).toMatchObject({ code: 'ABORTED' });
    expect(ended).toEqual(['stopped']);
  });
});
