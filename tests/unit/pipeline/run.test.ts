/** Tests how pipelines run (specification, "Pipeline step"; decisions, "Pipelines"). */
import { describe, expect, test } from 'vitest';
import { type Pipeline, type PipelineError, type PipelineFunction, runPipeline } from '../../../lib/pipeline/index.ts';

type Functions = Record<string, PipelineFunction>;

const run = (pipeline: Pipeline, functions: Functions = {}, payload?: Record<string, unknown>): Promise<unknown> =>
  runPipeline(pipeline, { functions: new Map(Object.entries({ ...standard, ...functions })), payload });

const standard: Functions = {
  answer: ({ value }) => value,
  later: async ({ value }) => value,
  set: (settings, context) => void Object.assign(context, settings),
  refuse: () => Promise.reject(),
  boom: () => {
    throw new TypeError('settings.to is not a string');
  },
};

/** A function that records the value of `of` each time it runs. */
function notes(of: (context: Record<string, unknown>, settings: Record<string, unknown>) => unknown): {
  seen: unknown[];
  note: PipelineFunction;
} {
  const seen: unknown[] = [];
  return { seen, note: (settings, context) => void seen.push(of(context, settings)) };
}

async function failure(running: Promise<unknown>): Promise<PipelineError> {
  const reason: unknown = await running.then(
    () => 'The operation didn’t fail.',
    (thrown: unknown) => thrown,
  );
  expect(reason).toBeInstanceOf(Error);
  return reason as PipelineError;
}

describe('functions', () => {
  test('a function gets its settings and the context', async () => {
    const { seen, note } = notes((context, settings) => [context.foo, settings]);
    await run([{ functionPackage: 'note', settings: { a: 1 } }], { note }, { foo: true });
    expect(seen).toEqual([[true, { a: 1 }]]);
  });
  test('a function without settings gets an empty object', async () => {
    const { seen, note } = notes((_, settings) => settings);
    await run([{ functionPackage: 'note' }, { functionPackage: 'note', settings: null as never }], { note });
    expect(seen).toEqual([{}, {}]);
  });
  test('functions share one context, and extend it for later steps', async () => {
    const contexts = notes((context) => context);
    await run(
      [{ functionPackage: 'set', settings: { a: 1 } }, { functionPackage: 'note' }, { functionPackage: 'note' }],
      { note: contexts.note },
    );
    expect(contexts.seen[0]).toBe(contexts.seen[1]);
    expect(contexts.seen[0]).toEqual({ a: 1 });
  });
  test('the context starts as a copy of the own properties of the payload', async () => {
    const payload = Object.assign(Object.create({ inherited: 1 }), { own: 1 }) as Record<string, unknown>;
    const { seen, note } = notes((context) => context);
    await run([{ functionPackage: 'set', settings: { own: 2 } }, { functionPackage: 'note' }], { note }, payload);
    expect(seen).toEqual([{ own: 2 }]);
    expect(payload.own).toBe(1);
    expect('inherited' in (seen[0] as object)).toBe(false);
  });
  test('type "function" is the same as no type, and function the same as functionPackage', async () => {
    expect(await run([{ type: 'function', functionPackage: 'answer', settings: { value: 1 } }])).toBe(1);
    expect(await run([{ function: 'answer', settings: { value: 2 } }])).toBe(2);
    expect(
      await run([{ type: null as never, function: 'answer', functionPackage: 'answer', settings: { value: 3 } }]),
    ).toBe(3);
  });
  test('a step starts when the previous one has ended', async () => {
    const order: string[] = [];
    const slow = async ({ name }: Record<string, unknown>): Promise<void> => {
      order.push(`${String(name)} starts`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${String(name)} ends`);
    };
    await run(
      [
        { function: 'slow', settings: { name: 'a' }, functions: [{ function: 'slow', settings: { name: 'b' } }] },
        { function: 'slow', settings: { name: 'c' } },
      ],
      { slow },
    );
    expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  });
  test('a function may return any thenable', async () => {
    expect(
      await run([{ function: 'thenable' }], {
        // oxlint-disable-next-line unicorn/no-thenable -- what this test is about
        thenable: () => ({ then: (resolve: (value: unknown) => void) => resolve(7) }),
      }),
    ).toBe(7);
  });
  test('a function that returns no Promise isn’t awaited', async () => {
    const attempt = (): boolean => {
      let done = false;
      void run(
        [{ type: 'loop', range: { from: 1, to: 20 }, functions: [{ function: 'answer' }] }, { function: 'end' }],
        { end: () => void (done = true) },
      );
      return done;
    };
    // A busy machine can delay any of them for 10 ms, after which the run yields to the event loop.
    expect([attempt(), attempt(), attempt(), attempt(), attempt()]).toContain(true);
  });
  test('a function has no this', async () => {
    function self(this: unknown): boolean {
      return this === undefined;
    }
    expect(await run([{ function: 'self' }], { self })).toBe(true);
  });
});

describe('the result', () => {
  test('is the last value other than undefined that a function returned', async () => {
    expect(
      await run([
        { function: 'answer', settings: { value: 1 } },
        { function: 'later', settings: { value: 2 } },
        { function: 'answer' },
        { function: 'set' },
      ]),
    ).toBe(2);
  });
  test.each([null, false, 0, ''])('%j is a value', async (value) =>
    expect(
      await run([
        { function: 'answer', settings: { value: 1 } },
        { function: 'answer', settings: { value } },
      ]),
    ).toBe(value),
  );
  test('is undefined when no function returned a value', async () =>
    expect(await run([{ function: 'set' }])).toBeUndefined());
  test('of an empty pipeline is undefined', async () => expect(await run([])).toBeUndefined());
  test('may come from a nested step', async () =>
    expect(
      await run([
        { function: 'answer', settings: { value: 1 }, functions: [{ function: 'answer', settings: { value: 2 } }] },
      ]),
    ).toBe(2));
});

describe('nested functions', () => {
  test('run after the function of their step', async () => {
    const { seen, note } = notes((_, settings) => settings.n);
    await run(
      [
        { function: 'note', settings: { n: 1 }, functions: [{ function: 'note', settings: { n: 2 } }] },
        { function: 'note', settings: { n: 3 } },
      ],
      { note },
    );
    expect(seen).toEqual([1, 2, 3]);
  });
  test('a rejection without a reason skips the nested functions, and the run continues', async () => {
    const { seen, note } = notes((_, settings) => settings.n);
    await run(
      [
        { function: 'refuse', functions: [{ function: 'note', settings: { n: 1 } }] },
        { function: 'note', settings: { n: 2 } },
      ],
      { note },
    );
    expect(seen).toEqual([2]);
  });
  test.each([
    ['null', null],
    ['false', false],
    ['an empty text', ''],
    ['an error', new Error('no')],
  ])('any other rejection fails the run: %s', async (_, reason) => {
    const error = await failure(run([{ function: 'reject' }], { reject: () => Promise.reject(reason as Error) }));
    expect(error).toMatchObject({ code: 'STEP_FAILED', path: '/0' });
    expect(error.cause).toBe(reason);
  });
  test('a function that throws, even undefined, fails the run with the path of the step', async () => {
    const thrown = await failure(
      run([{ function: 'set', functions: [{ function: 'set' }, { function: 'raise' }] }], {
        raise: () => {
          // oxlint-disable-next-line no-throw-literal -- what this test is about
          throw undefined;
        },
      }),
    );
    expect(thrown).toMatchObject({
      code: 'STEP_FAILED',
      path: '/0/functions/1',
      cause: undefined,
      message: 'raise failed: threw undefined',
    });
  });
  test('the error has the message of the cause, the cause, and a hint', async () => {
    const error = await failure(run([{ function: 'boom' }]));
    expect(error).toMatchObject({
      name: 'PipelineError',
      message: 'boom failed: settings.to is not a string',
      cause: expect.any(TypeError),
      hint: expect.stringContaining('cause'),
    });
  });
  test.each<[string, unknown, string]>([
    ['a text', 'sorry', 'threw “sorry”'],
    ['an object', { code: 1 }, 'threw an object'],
    ['a long message', new Error('x'.repeat(1e6)), `${'x'.repeat(1000)}…`],
    [
      'a message that throws',
      Object.defineProperty(new Error('a'), 'message', {
        get() {
          throw new Error('b');
        },
      }),
      'threw an unreadable value',
    ],
  ])('a thrown %s is described in the message', async (_, thrown, description) => {
    const error = await failure(
      run([{ function: 'raise' }], {
        raise: () => {
          throw thrown;
        },
      }),
    );
    expect(error.message).toBe(`raise failed: ${description}`);
    expect(error.cause).toBe(thrown);
  });
  test('no step runs after a failed one', async () => {
    const { seen, note } = notes(() => 1);
    await failure(run([{ function: 'boom' }, { function: 'note' }], { note }));
    expect(seen).toEqual([]);
  });
});

describe('loop over items', () => {
  const items = (of: string, payload: Record<string, unknown>, body: Pipeline = [{ function: 'note' }]) => {
    const { seen, note } = notes((context) => [context.currentItem, context.currentIndex]);
    return run([{ type: 'loop', items: of, functions: body }], { note }, payload).then(() => seen);
  };
  test('runs its functions once per item, with the item in currentItem and its index in currentIndex', async () =>
    expect(await items('records', { records: ['a', 'b'] })).toEqual([
      ['a', 0],
      ['b', 1],
    ]));
  test('items may be a dotted path', async () =>
    expect(await items('log.data.columns', { log: { data: { columns: ['a'] } } })).toEqual([['a', 0]]));
  test('a property whose name has dots is preferred to a path', async () =>
    expect(await items('a.b', { 'a.b': [1], a: { b: [2] } })).toEqual([[1, 0]]));
  test('an empty array runs nothing', async () => expect(await items('records', { records: [] })).toEqual([]));
  test('a loop without functions does nothing', async () =>
    expect(await run([{ type: 'loop', items: 'records' }], {}, { records: [1, 2] })).toBeUndefined());
  test('a hole is undefined', async () =>
    expect(await items('records', { records: Object.assign([], { 1: 1 }) })).toEqual([
      [undefined, 0],
      [1, 1],
    ]));
  test.each<[string, unknown, string]>([
    ['records', undefined, 'undefined'],
    ['records', null, 'null'],
    ['records', 'abc', 'a string'],
    ['records', 7, 'a number'],
    ['records', { length: 1 }, 'an object'],
    ['records.list', {}, 'undefined'],
    ['toString', [], 'undefined'],
    ['records.length', [1], 'a number'],
  ])('%s that isn’t an array fails the run, and the message says what was found', async (name, records, found) =>
    expect(await failure(run([{ type: 'loop', items: name, functions: [] }], {}, { records }))).toMatchObject({
      code: 'LOOP_ITEMS_INVALID',
      path: '/0',
      iteration: [],
      message: `The loop needs an array in “${name}”, but found ${found}.`,
    }),
  );
  test('a nested loop shadows both names and restores them', async () => {
    const seen = await items('outer', { outer: [{ inner: ['x', 'y'] }, { inner: [] }] }, [
      { type: 'loop', items: 'currentItem.inner', functions: [{ function: 'note' }] },
      { function: 'note' },
    ]);
    expect(seen).toEqual([
      ['x', 0],
      ['y', 1],
      [{ inner: ['x', 'y'] }, 0],
      [{ inner: [] }, 1],
    ]);
  });
  test('after the loop, both names have their earlier values', async () => {
    const { seen, note } = notes((context) => ({ ...context }));
    await run([{ type: 'loop', range: { from: 1, to: 2 } }, { function: 'note' }], { note }, { currentItem: 'mine' });
    await run([{ type: 'loop', range: { from: 1, to: 2 } }, { function: 'note' }], { note });
    expect(seen).toEqual([{ currentItem: 'mine' }, {}]);
  });
  test('items that the body adds or removes are skipped', async () => {
    const seen: unknown[] = [];
    const grow: PipelineFunction = (_, context) =>
      void (seen.push(context.currentItem), (context.list as unknown[]).push(9));
    const shrink: PipelineFunction = (_, context) =>
      void (seen.push(context.currentItem), (context.list as unknown[]).pop());
    await run([{ type: 'loop', items: 'list', functions: [{ function: 'grow' }] }], { grow }, { list: [1, 2] });
    await run([{ type: 'loop', items: 'list', functions: [{ function: 'shrink' }] }], { shrink }, { list: [3, 4] });
    expect(seen).toEqual([1, 2, 3]);
  });
  test('the error has the iteration beside the path', async () => {
    const fail = (_: unknown, { currentItem }: Record<string, unknown>): void => {
      if (currentItem === 'c') throw new Error('c');
    };
    expect(
      await failure(
        run(
          [
            {
              type: 'loop',
              range: { from: 5, to: 6 },
              functions: [{ type: 'loop', items: 'list', functions: [{ function: 'fail' }] }],
            },
          ],
          { fail },
          { list: ['a', 'b', 'c'] },
        ),
      ),
    ).toMatchObject({
      path: '/0/functions/0/functions/0',
      iteration: [0, 2],
    });
  });
});

describe('loop over range', () => {
  const range = async (from: number, to: number): Promise<unknown[]> => {
    const { seen, note } = notes(({ currentItem, currentIndex }) => [currentItem, currentIndex]);
    await run([{ type: 'loop', range: { from, to }, functions: [{ function: 'note' }] }], { note });
    return seen;
  };
  test('counts up from from to to, including both, with the number in currentItem', async () =>
    expect(await range(3, 5)).toEqual([
      [3, 0],
      [4, 1],
      [5, 2],
    ]));
  test('from and to may be the same, and negative', async () => expect(await range(-1, -1)).toEqual([[-1, 0]]));
  test('runs nothing when from is greater than to', async () => expect(await range(2, 1)).toEqual([]));
  test('fractions go up by one', async () =>
    expect(await range(0.5, 2)).toEqual([
      [0.5, 0],
      [1.5, 1],
    ]));
});

describe('if', () => {
  const branch = (
    conditions: [string | ((context: Record<string, unknown>) => unknown), string][],
    otherwise: string | null,
    payload: Record<string, unknown> = {},
  ): Promise<unknown> =>
    run(
      [
        {
          type: 'if',
          conditions: conditions.map(([condition, value]) => ({
            condition,
            functions: [{ function: 'answer', settings: { value } }],
          })),
          ...(otherwise !== null && { elseFunctions: [{ function: 'answer', settings: { value: otherwise } }] }),
        },
      ],
      {},
      payload,
    );
  test('only the first block whose condition holds runs', async () =>
    expect(
      await branch(
        [
          ['a > 1', 'one'],
          ['a > 0', 'two'],
          ['true', 'three'],
        ],
        'else',
        { a: 1 },
      ),
    ).toBe('two'));
  test('elseFunctions run when no condition holds', async () =>
    expect(await branch([['a > 1', 'one']], 'else', { a: 1 })).toBe('else'));
  test('nothing runs when no condition holds and there are no elseFunctions', async () =>
    expect(await branch([['false', 'one']], null)).toBeUndefined());
  test('elseFunctions run when there are no blocks', async () => expect(await branch([], 'else')).toBe('else'));
  test('conditions after the first that holds aren’t evaluated', async () =>
    expect(
      await branch(
        [
          ['true', 'one'],
          ['missing.x', 'two'],
        ],
        null,
      ),
    ).toBe('one'));
  test.each<[string, boolean]>([
    ['1', true],
    ['"0"', true],
    ['[]', true],
    ['0', false],
    ['""', false],
    ['null', false],
    ['NaN', false],
  ])('%s holds: %s', async (source, holds) => expect(await branch([[source, 'yes']], 'no')).toBe(holds ? 'yes' : 'no'));
  test('a condition may be a function of the context', async () =>
    expect(await branch([[({ a }) => a === 1, 'yes']], 'no', { a: 1 })).toBe('yes'));
  test('a function as condition may return a Promise', async () =>
    expect(
      await branch(
        [
          [async () => false, 'one'],
          [async ({ a }) => a === 1, 'two'],
        ],
        'no',
        { a: 1 },
      ),
    ).toBe('two'));
  test('an expression whose value is a thenable isn’t awaited', async () => {
    expect(
      await branch([['thing', 'yes']], 'no', {
        // oxlint-disable-next-line unicorn/no-thenable -- what this test is about
        thing: { then: (resolve: (value: unknown) => void) => resolve(false) },
      }),
    ).toBe('yes');
  });
  test('conditions can read the current item', async () => {
    const { seen, note } = notes(({ currentItem }) => currentItem);
    await run(
      [
        {
          type: 'loop',
          items: 'records',
          functions: [
            {
              type: 'if',
              conditions: [{ condition: 'currentItem.data.Admin == true', functions: [{ function: 'note' }] }],
            },
          ],
        },
      ],
      { note },
      { records: [{ data: { Admin: true } }, { data: {} }] },
    );
    expect(seen).toEqual([{ data: { Admin: true } }]);
  });
  test('a condition that reads a member of undefined fails the run, and names the step and the sub-expression', async () => {
    const error = await failure(
      branch(
        [
          ['false', 'one'],
          ['1 + user.email', 'two'],
        ],
        null,
      ),
    );
    expect(error).toMatchObject({
      code: 'CONDITION_FAILED',
      path: '/0',
      message: 'Condition 2 of the if step failed: Couldn’t read “email”: user is undefined.',
      cause: { expression: 'user', column: 5 },
    });
  });
  test('a function as condition that throws or rejects fails the run', async () => {
    expect(
      await failure(
        branch(
          [
            [
              () => {
                throw new Error('no');
              },
              'one',
            ],
          ],
          null,
        ),
      ),
    ).toMatchObject({ code: 'CONDITION_FAILED', cause: expect.any(Error) });
    expect(await failure(branch([[() => Promise.reject(new Error('no')), 'one']], null))).toMatchObject({
      code: 'CONDITION_FAILED',
      cause: expect.any(Error),
    });
  });
  test('the path of a step in a block includes the block', async () =>
    expect(
      await failure(
        run([
          {
            type: 'if',
            conditions: [
              { condition: 'false', functions: [] },
              { condition: 'true', functions: [{ function: 'set' }, { function: 'boom' }] },
            ],
          },
        ]),
      ),
    ).toMatchObject({ path: '/0/conditions/1/functions/1' }));
  test('the path of a step in elseFunctions includes them', async () =>
    expect(await failure(run([{ type: 'if', conditions: [], elseFunctions: [{ function: 'boom' }] }]))).toMatchObject({
      path: '/0/elseFunctions/0',
    }));
});

describe('settings', () => {
  const pipeline = (): Pipeline => [
    {
      type: 'loop',
      range: { from: 1, to: 2 },
      functions: [{ function: 'change', settings: { n: 0, deep: { list: [{ n: 0 }] } } }],
    },
  ];
  const change: PipelineFunction = (settings) => {
    const before = JSON.stringify(settings);
    settings.n = 1;
    ((settings.deep as { list: { n: number }[] }).list[0] as { n: number }).n = 1;
    return before;
  };
  test('changes by a function reach neither its next call nor the pipeline', async () => {
    const given = pipeline();
    expect(await run(given, { change })).toBe('{"n":0,"deep":{"list":[{"n":0}]}}');
    expect(given).toEqual(pipeline());
  });
  test('a value that isn’t a plain object or array is shared', async () => {
    const [date, instance, callback] = [new Date(), new Map(), (): number => 1];
    const { seen, note } = notes((_, settings) => [
      settings.date,
      (settings.deep as { instance: unknown }).instance,
      settings.callback,
    ]);
    await run([{ function: 'note', settings: { date, deep: { instance }, callback } }], { note });
    expect((seen[0] as unknown[])[0]).toBe(date);
    expect((seen[0] as unknown[])[1]).toBe(instance);
    expect((seen[0] as unknown[])[2]).toBe(callback);
  });
  test('changing the pipeline during a run doesn’t affect the run', async () => {
    const settings = { value: 1 };
    const steps: Pipeline = [{ function: 'spoil' }, { function: 'answer', settings }];
    expect(await run(steps, { spoil: () => void ((settings.value = 2), (steps.length = 0)) })).toBe(1);
  });
});
