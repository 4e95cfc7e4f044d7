/** Tests which pipelines are refused, with which path, and that hostile ones can’t break validation. */
import { describe, expect, test } from 'vitest';
import { type PipelineError, type Problem, runPipeline, validatePipeline } from '../../../lib/pipeline/index.ts';

const step = (more: object = {}): object => ({ functionPackage: 'known', ...more });
const check = (...steps: unknown[]): [string, string][] =>
  validatePipeline(steps, { packages: ['known'] }).map(({ path, code }) => [path, code]);
const hostile = (): never => {
  throw new Error('hands off');
};
const nest = (levels: number, wrap: (inner: object[]) => object): object[] => {
  let list: object[] = [step()];
  for (let level = 0; level < levels; level++) list = [wrap(list)];
  return list;
};

describe('a valid pipeline has no problems', () => {
  test.each<[string, unknown[]]>([
    ['an empty one', []],
    [
      'every kind of step',
      [
        step(),
        { type: 'function', function: 'known', settings: {}, functions: [step()] },
        { type: 'loop', items: 'a.b', functions: [step()] },
        { type: 'loop', range: { from: 1, to: 2 } },
        {
          type: 'if',
          conditions: [
            { condition: 'a', functions: [] },
            { condition: () => true, functions: [step()] },
          ],
          elseFunctions: [step()],
        },
      ],
    ],
    [
      'null where a field is absent',
      [
        {
          type: null,
          functionPackage: 'known',
          function: null,
          settings: null,
          functions: null,
          items: null,
          range: null,
          conditions: null,
          elseFunctions: null,
        },
      ],
    ],
    ['fields that are not known', [step({ label: 'x', id: 1 })]],
    [
      'the same step twice',
      (() => {
        const same = step();
        return [same, same, { type: 'loop', range: { from: 1, to: 1 }, functions: [same] }];
      })(),
    ],
    [
      'names and settings with markup',
      [step({ settings: { '</script>': '<script>alert(1)</script>', __proto__: 1, 'a/b~c': [] } })],
    ],
    ['100 levels', nest(99, (functions) => step({ functions }))],
  ])('%s', (_, steps) => expect(check(...steps)).toEqual([]));
  test('any package is valid when no packages are given', () =>
    expect(validatePipeline([{ function: 'anything' }])).toEqual([]));
  test('packages may be names, a Set, or a registry', () => {
    for (const packages of [['a'], new Set(['a']), new Map([['a', () => 1]])]) {
      expect(validatePipeline([{ function: 'a' }], { packages })).toEqual([]);
      expect(validatePipeline([{ function: 'b' }], { packages })).toMatchObject([{ code: 'UNKNOWN_PACKAGE' }]);
    }
  });
});

describe('validation refuses, with the path of the step,', () => {
  test('an unknown type', () =>
    expect(check(step(), { type: 'lopp' }, { type: 7 }, { type: 'toString' })).toEqual([
      ['/1', 'UNKNOWN_TYPE'],
      ['/2', 'UNKNOWN_TYPE'],
      ['/3', 'UNKNOWN_TYPE'],
    ]));
  test('an unregistered package', () =>
    expect(check(step({ functions: [{ function: 'other' }] }), { function: 'constructor' })).toEqual([
      ['/0/functions/0', 'UNKNOWN_PACKAGE'],
      ['/1', 'UNKNOWN_PACKAGE'],
    ]));
  test('a step without a package', () =>
    expect(check({}, { functionPackage: '' }, { functions: [] })).toEqual([
      ['/0', 'MISSING_PACKAGE'],
      ['/1', 'MISSING_PACKAGE'],
      ['/2', 'MISSING_PACKAGE'],
    ]));
  test('a package that isn’t a string, and two different packages', () =>
    expect(check({ function: 7 }, { function: 'known', functionPackage: 'other' })).toEqual([
      ['/0', 'INVALID_FIELD'],
      ['/1', 'INVALID_FIELD'],
    ]));
  test('a loop with both or neither of items and range', () =>
    expect(check({ type: 'loop' }, { type: 'loop', items: 'a', range: { from: 1, to: 2 } })).toEqual([
      ['/0', 'LOOP_SOURCE'],
      ['/1', 'LOOP_SOURCE'],
    ]));
  test('items that aren’t a name', () =>
    expect(check({ type: 'loop', items: '' }, { type: 'loop', items: [1] })).toEqual([
      ['/0/items', 'INVALID_ITEMS'],
      ['/1/items', 'INVALID_ITEMS'],
    ]));
  test('a range without two numbers', () =>
    expect(
      check(
        { type: 'loop', range: 'ab' },
        { type: 'loop', range: { from: '1', to: 2 } },
        { type: 'loop', range: { from: 1, to: Infinity } },
        { type: 'loop', range: { from: NaN, to: 2 ** 53 } },
      ),
    ).toEqual([
      ['/0/range/from', 'INVALID_RANGE'],
      ['/0/range/to', 'INVALID_RANGE'],
      ['/1/range/from', 'INVALID_RANGE'],
      ['/2/range/to', 'INVALID_RANGE'],
      ['/3/range/from', 'INVALID_RANGE'],
      ['/3/range/to', 'INVALID_RANGE'],
    ]));
  test('a range with anything but from and to, such as step', () => {
    const problems = validatePipeline([{ type: 'loop', range: { from: 1, to: 9, step: 2, 'a/b': 1 } as never }]);
    expect(problems).toEqual([
      { path: '/0/range/step', code: 'INVALID_RANGE', message: 'A range can have only from and to.' },
      { path: '/0/range/a~1b', code: 'INVALID_RANGE', message: 'A range can have only from and to.' },
    ]);
  });
  test('steps and loops that the type of their step would leave out', () =>
    expect(
      check(
        { function: 'known', items: 'a' },
        { function: 'known', conditions: [{ condition: 'a', functions: [] }] },
        { type: 'loop', items: 'a', functionPackage: 'known' },
        { type: 'loop', items: 'a', elseFunctions: [{ function: 'known' }] },
        { type: 'if', conditions: [], functions: [{ function: 'known' }] },
        { type: 'if', conditions: [], range: { from: 1, to: 2 } },
      ),
    ).toEqual([
      ['/0/items', 'INVALID_FIELD'],
      ['/1/conditions', 'INVALID_FIELD'],
      ['/2/functionPackage', 'INVALID_FIELD'],
      ['/3/elseFunctions', 'INVALID_FIELD'],
      ['/4/functions', 'INVALID_FIELD'],
      ['/5/range', 'INVALID_FIELD'],
    ]));
  test('but not empty ones, nor properties that the specification doesn’t know', () =>
    expect(
      check(
        { function: 'known', conditions: [], elseFunctions: null, label: 'first' },
        { type: 'loop', items: 'a', functionPackage: '', note: 1 },
        { type: 'if', conditions: [], functions: [], settings: {} },
      ),
    ).toEqual([]));
  test('a condition with invalid syntax, with the column', () =>
    expect(
      validatePipeline([
        {
          type: 'if',
          conditions: [
            { condition: 'a', functions: [] },
            { condition: 'a = 1', functions: [] },
          ],
        },
      ]),
    ).toMatchObject([
      {
        path: '/0/conditions/1/condition',
        code: 'INVALID_CONDITION',
        column: 3,
        message: expect.stringContaining('assign'),
      },
    ]));
  test('a condition that is neither a string nor a function', () =>
    expect(check({ type: 'if', conditions: [{ condition: true }, {}] })).toEqual([
      ['/0/conditions/0/condition', 'INVALID_CONDITION'],
      ['/0/conditions/1/condition', 'INVALID_CONDITION'],
    ]));
  test('settings that aren’t an object', () =>
    expect(check(step({ settings: [] }), step({ settings: 'a' }))).toEqual([
      ['/0/settings', 'INVALID_SETTINGS'],
      ['/1/settings', 'INVALID_SETTINGS'],
    ]));
  test('steps that aren’t an array, and a step that isn’t an object', () =>
    expect(
      check(
        step({ functions: {} }),
        { type: 'if' },
        { type: 'if', conditions: [7, { condition: 'a', functions: 7 }], elseFunctions: 'x' },
        7,
        null,
        [],
      ),
    ).toEqual([
      ['/0/functions', 'NOT_AN_ARRAY'],
      ['/1/conditions', 'NOT_AN_ARRAY'],
      ['/2/conditions/0', 'NOT_AN_OBJECT'],
      ['/2/conditions/1/functions', 'NOT_AN_ARRAY'],
      ['/2/elseFunctions', 'NOT_AN_ARRAY'],
      ['/3', 'NOT_AN_OBJECT'],
      ['/4', 'NOT_AN_OBJECT'],
      ['/5', 'NOT_AN_OBJECT'],
    ]));
  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'an object'],
    ['[]', 'a string'],
    [7, 'a number'],
  ])('a pipeline that is %s', (pipeline, found) =>
    expect(validatePipeline(pipeline)).toEqual([
      { path: '', code: 'NOT_AN_ARRAY', message: `Steps must be an array, not ${found}.` },
    ]),
  );
  test('all problems at once, in order, before anything runs', async () => {
    const pipeline = [step(), { type: 'lopp' }, { type: 'loop', items: 'a', functions: [{ function: 'other' }] }];
    let ran = 0;
    const error = (await runPipeline(pipeline, { functions: new Map([['known', () => ran++]]) }).catch(
      (thrown: unknown) => thrown,
    )) as PipelineError;
    expect(error).toMatchObject({
      name: 'PipelineError',
      code: 'PIPELINE_INVALID',
      path: '/1',
      problems: [{ path: '/1' }, { path: '/2/functions/0' }],
      message: expect.stringContaining('(and 1 more)'),
    });
    expect(ran).toBe(0);
  });
});

describe('validation survives huge, deep, cyclic, and hostile pipelines:', () => {
  const codes = (pipeline: unknown): Problem['code'][] => [
    ...new Set(validatePipeline(pipeline).map(({ code }) => code)),
  ];
  test('10,000 steps', async () => {
    const pipeline = Array.from({ length: 10_000 }, (_, n) => ({ function: 'known', settings: { n } }));
    expect(validatePipeline(pipeline)).toEqual([]);
    expect(
      await runPipeline(pipeline, { functions: new Map([['known', ({ n }: Record<string, unknown>) => n]]) }),
    ).toBe(9999);
  });
  test('more than 100,000 steps, even if they are the same few objects', () => {
    let list: object[] = [step(), step()];
    for (let level = 0; level < 60; level++) list = [step({ functions: list }), step({ functions: list })];
    expect(codes(list)).toEqual(['TOO_LARGE']);
    expect(codes(Object.assign([], { length: 4_000_000_000 }))).toContain('TOO_LARGE');
    expect(codes([{ type: 'if', conditions: Object.assign([], { length: 4_000_000_000 }) }])).toContain('TOO_LARGE');
  });
  test.each<[string, (inner: object[]) => object]>([
    ['functions', (functions) => step({ functions })],
    ['loops', (functions) => ({ type: 'loop', items: 'a', functions })],
    ['conditions', (functions) => ({ type: 'if', conditions: [{ condition: 'a', functions }] })],
    ['elseFunctions', (elseFunctions) => ({ type: 'if', conditions: [], elseFunctions })],
  ])('nested a hundred thousand levels deep in %s', (_, wrap) =>
    expect(codes(nest(100_000, wrap))).toEqual(['TOO_DEEP']),
  );
  test('cycles through every nesting field', () => {
    const a: Record<string, unknown> = { functionPackage: 'known' };
    a.functions = [a];
    expect(check(a)).toEqual([['/0/functions/0', 'CYCLE']]);
    const list: unknown[] = [];
    list.push(
      { type: 'if', conditions: [{ condition: 'a', functions: list }], elseFunctions: list },
      { type: 'loop', items: 'a', functions: list },
    );
    expect(check(...list)).toContainEqual(['/0/conditions/0/functions/0', 'CYCLE']);
    expect(validatePipeline(list).map(({ path, code }) => [path, code])).toEqual([
      ['/0/conditions/0/functions', 'CYCLE'],
      ['/0/elseFunctions', 'CYCLE'],
      ['/1/functions', 'CYCLE'],
    ]);
  });
  test('cyclic, deep, and huge settings, with the path', () => {
    const settings: Record<string, unknown> = { 'a/b': {} };
    (settings['a/b'] as Record<string, unknown>).self = settings;
    let deep: object = {};
    for (let level = 0; level < 100_000; level++) deep = [deep];
    let shared: object = {};
    for (let level = 0; level < 60; level++) shared = [shared, shared];
    expect(check(step({ settings }))).toEqual([['/0/settings/a~1b/self', 'CYCLE']]);
    expect(codes([step({ settings: { deep } })])).toEqual(['TOO_DEEP']);
    expect(codes([step({ settings: { shared } })])).toEqual(['TOO_LARGE']);
    const large = { list: Array.from({ length: 300_000 }, (_, n) => n) };
    expect(check(step({ settings: large }), step({ settings: large }), step())).toEqual([
      ['/1/settings/list', 'TOO_LARGE'],
    ]);
    expect(codes([step({ settings: { list: Object.assign([], { length: 4_000_000_000 }) } })])).toEqual(['TOO_LARGE']);
  }, 30_000);
  test('getters and proxies that throw', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const throwing = new Proxy([], {
      get: hostile,
      getOwnPropertyDescriptor: hostile,
      ownKeys: hostile,
      getPrototypeOf: hostile,
    });
    for (const value of [proxy, throwing]) {
      for (const pipeline of [
        value,
        [value],
        [step({ functions: value })],
        [step({ settings: value })],
        [step({ settings: { a: value } })],
        [{ type: 'loop', items: value }],
        [{ type: 'loop', range: value }],
        [{ type: 'if', conditions: value }],
        [{ type: 'if', conditions: [value] }],
        [{ type: value }],
        [{ function: value }],
      ]) {
        expect(validatePipeline(pipeline).length).toBeGreaterThan(0);
      }
    }
    for (const field of ['type', 'functionPackage', 'function', 'settings', 'functions'])
      expect(check(Object.defineProperty(step(), field, { get: hostile }))).toEqual([['/0', 'INVALID_FIELD']]);
    expect(validatePipeline([Object.defineProperty(step(), 'type', { get: hostile })])[0]?.message).toBe(
      'Couldn’t read this value: hands off',
    );
  });
  test('a getter whose value changes is read once', async () => {
    let reads = 0;
    const sly = {
      get functionPackage() {
        return reads++ === 0 ? 'known' : 'unknown';
      },
    };
    expect(await runPipeline([sly], { functions: new Map([['known', () => 'ran']]) })).toBe('ran');
    expect(reads).toBe(1);
  });
  test('names of Object.prototype in settings and payload remain properties', async () => {
    const text = '{"__proto__": {"admin": true}, "constructor": 1, "toString": 2}';
    const seen: unknown[] = [];
    const validateRun = (settings: Record<string, unknown>, context: Record<string, unknown>): void =>
      void seen.push(settings.deep, context);
    await runPipeline([{ function: 'look', settings: { deep: JSON.parse(text) as unknown } }], {
      functions: new Map([['look', validateRun]]),
      payload: JSON.parse(text) as Record<string, unknown>,
    });
    for (const value of seen as Record<string, unknown>[]) {
      expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(value.admin).toBeUndefined();
    }
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });
  test.each<[string, unknown]>([
    ['an array', []],
    ['null', null],
    ['a text', '{}'],
    [
      'a getter that throws',
      {
        get a() {
          return hostile();
        },
      },
    ],
    ['a proxy that was revoked', revoked()],
  ])('a payload that is %s is refused', async (_, payload) => {
    await expect(runPipeline([], { functions: new Map(), payload: payload as never })).rejects.toMatchObject({
      name: 'PipelineError',
      code: 'PAYLOAD_INVALID',
      hint: expect.stringContaining('JSON object'),
    });
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}
