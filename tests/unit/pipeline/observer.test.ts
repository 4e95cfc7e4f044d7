/** Tests what an observer sees, and what it can change (decisions, "Pipelines"). */
import { describe, expect, test } from 'vitest';
import {
  type Observer,
  type Pipeline,
  type PipelineFunction,
  type Replacement,
  type StepInfo,
  type StepOutcome,
  runPipeline,
} from '../../../lib/pipeline/index.ts';

const functions = new Map<string, PipelineFunction>([
  ['answer', ({ value }) => value],
  ['later', async ({ value }) => value],
  ['refuse', () => Promise.reject()],
  ['reject', () => Promise.reject(new Error('rejected'))],
  [
    'boom',
    () => {
      throw new Error('boom');
    },
  ],
]);

/** Lines such as `> /0 [] function answer`, `< /0 [] completed`. */
function recorder(before: Observer['before'] = () => undefined): {
  lines: string[];
  pairs: [StepInfo, StepOutcome][];
  observer: Observer;
} {
  const lines: string[] = [];
  const pairs: [StepInfo, StepOutcome][] = [];
  return {
    lines,
    pairs,
    observer: {
      before: (info) => {
        lines.push(`> ${info.path} ${JSON.stringify(info.iteration)} ${info.kind} ${info.name}`);
        return before(info);
      },
      after: (info, outcome) => {
        lines.push(`< ${info.path} ${JSON.stringify(info.iteration)} ${outcome.state}`);
        pairs.push([info, outcome]);
      },
    },
  };
}
const run = (pipeline: Pipeline, observer: Observer, payload?: Record<string, unknown>): Promise<unknown> =>
  runPipeline(pipeline, { functions, observer, payload });
const at =
  (path: string, what: () => void | Replacement | Promise<void | Replacement>): Observer['before'] =>
  (info) =>
    info.path === path ? what() : undefined;

const whole: Pipeline = [
  {
    function: 'answer',
    settings: { value: 1 },
    functions: [{ function: 'refuse', functions: [{ function: 'boom' }] }],
  },
  {
    type: 'loop',
    range: { from: 1, to: 2 },
    functions: [
      {
        type: 'if',
        conditions: [{ condition: 'currentItem == 2', functions: [{ function: 'later', settings: { value: 2 } }] }],
        elseFunctions: [],
      },
    ],
  },
];

describe('an observer is called', () => {
  test('before each step, and after each step with its outcome', async () => {
    const { lines, pairs, observer } = recorder();
    expect(await run(whole, observer)).toBe(2);
    expect(lines).toEqual([
      '> /0 [] function answer',
      '> /0/functions/0 [] function refuse',
      '< /0/functions/0 [] skipped',
      '< /0 [] completed',
      '> /1 [] loop loop',
      '> /1/functions/0 [0] if if',
      '< /1/functions/0 [0] completed',
      '> /1/functions/0 [1] if if',
      '> /1/functions/0/conditions/0/functions/0 [1] function later',
      '< /1/functions/0/conditions/0/functions/0 [1] completed',
      '< /1/functions/0 [1] completed',
      '< /1 [] completed',
    ]);
    expect(pairs.map(([, outcome]) => outcome)).toEqual([
      { state: 'skipped' },
      { state: 'completed', value: 1 },
      { state: 'completed', branch: 'else' },
      { state: 'completed', value: 2 },
      { state: 'completed', branch: 0 },
      { state: 'completed', iterations: 2 },
    ]);
  });
  test('with one object for before and after, which has the step of the pipeline and the live context', async () => {
    const before: StepInfo[] = [];
    const { pairs, observer } = recorder((info) => void before.push(info));
    await run(whole, observer, { foo: 1 });
    for (const [info] of pairs) expect(before).toContain(info);
    expect(before[0]?.step).toBe(whole[0]);
    expect(before[0]?.context).toBe(before[1]?.context);
    expect(before[0]?.context.foo).toBe(1);
  });
  test('with branch null for an if that ran nothing', async () => {
    const { pairs, observer } = recorder();
    await run([{ type: 'if', conditions: [{ condition: 'false', functions: [] }] }], observer);
    expect(pairs[0]?.[1]).toEqual({ state: 'completed', branch: null });
  });
  test('with the same error for each step that a failure ends, innermost first', async () => {
    const { pairs, observer } = recorder();
    const error: unknown = await run(
      [
        {
          type: 'loop',
          range: { from: 7, to: 9 },
          functions: [{ function: 'answer', functions: [{ function: 'boom' }] }],
        },
        { function: 'answer' },
      ],
      observer,
    ).catch((thrown: unknown) => thrown);
    expect(pairs.map(([{ path, iteration }, { state }]) => [path, iteration, state])).toEqual([
      ['/0/functions/0/functions/0', [0], 'failed'],
      ['/0/functions/0', [0], 'failed'],
      ['/0', [], 'failed'],
    ]);
    for (const [, outcome] of pairs) expect(outcome).toHaveProperty('error', error);
  });
  test.each<[string, Pipeline]>([
    ['a loop without its array', [{ type: 'loop', items: 'x' }]],
    ['a condition that fails', [{ type: 'if', conditions: [{ condition: 'x.y', functions: [] }] }]],
  ])('with the state failed for %s', async (_, pipeline) => {
    const { lines, observer } = recorder();
    await expect(run(pipeline, observer)).rejects.toThrow();
    expect(lines.at(-1)).toBe('< /0 [] failed');
  });
  test('never for a refused pipeline', async () => {
    const { lines, observer } = recorder();
    await expect(run([{ function: 'answer' }, { function: 'unknown' }], observer)).rejects.toMatchObject({
      code: 'PIPELINE_INVALID',
      path: '/1',
    });
    expect(lines).toEqual([]);
  });
});

describe('an observer can', () => {
  test('pause the run by returning a Promise from before', async () => {
    let resume!: () => void;
    const { lines, observer } = recorder(
      at(
        '/1',
        () =>
          new Promise<void>((resolve) => {
            resume = resolve;
          }),
      ),
    );
    const running = run([{ function: 'answer' }, { function: 'answer', settings: { value: 1 } }], observer);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines.at(-1)).toBe('> /1 [] function answer');
    resume();
    expect(await running).toBe(1);
  });
  test('change the context', async () => {
    const { observer } = recorder(({ context }) => void (context.a = 5));
    expect(
      await run(
        [
          {
            type: 'if',
            conditions: [{ condition: 'a === 5', functions: [{ function: 'answer', settings: { value: 'yes' } }] }],
          },
        ],
        observer,
      ),
    ).toBe('yes');
  });
  test('replace the value of a function, whose nested steps then run', async () => {
    const { pairs, observer } = recorder(at('/0', () => ({ value: 'mock' })));
    expect(await run([{ function: 'boom', functions: [{ function: 'answer' }] }], observer)).toBe('mock');
    expect(pairs.map(([{ path }, outcome]) => [path, outcome])).toEqual([
      ['/0/functions/0', { state: 'completed', value: undefined }],
      ['/0', { state: 'completed', value: 'mock', replaced: 'observer' }],
    ]);
  });
  test('replace a loop or an if, which then runs nothing', async () => {
    const { lines, observer } = recorder(({ kind }) => (kind === 'function' ? undefined : { value: kind }));
    expect(
      await run(
        [
          { type: 'loop', items: 'none', functions: [{ function: 'boom' }] },
          { type: 'if', conditions: [{ condition: 'a.b', functions: [{ function: 'boom' }] }] },
        ],
        observer,
      ),
    ).toBe('if');
    expect(lines).toHaveLength(4);
  });
  test('replace the value with a Promise, which is awaited and may reject', async () => {
    expect(await run([{ function: 'boom' }], { before: () => ({ value: Promise.resolve(3) }) })).toBe(3);
    const { lines, observer } = recorder(at('/0', () => ({ value: Promise.reject() })));
    await run([{ function: 'boom', functions: [{ function: 'boom' }] }], observer);
    expect(lines).toEqual(['> /0 [] function boom', '< /0 [] skipped']);
  });
  test.each<[branch: number | 'else' | null, ran: string, result: unknown]>([
    [0, '/0/conditions/0/functions/0', 'first'],
    [1, '/0/conditions/1/functions/0', 'second'],
    ['else', '/0/elseFunctions/0', 'other'],
    [null, '', undefined],
  ])('choose the block %j of an if, without evaluating conditions', async (branch, ran, result) => {
    const answer = (value: string) => [{ function: 'answer', settings: { value } }];
    const pipeline: Pipeline = [
      {
        type: 'if',
        conditions: [
          { condition: 'never.evaluated.at.all', functions: answer('first') },
          { condition: 'true', functions: answer('second') },
        ],
        elseFunctions: answer('other'),
      },
    ];
    const { pairs, observer } = recorder(at('/0', () => ({ branch })));
    expect(await run(pipeline, observer)).toBe(result);
    expect(pairs.map(([{ path }]) => path)).toEqual(ran ? [ran, '/0'] : ['/0']);
    expect(pairs.at(-1)?.[1]).toEqual({ state: 'completed', branch, replaced: 'observer' });
  });

  test.each([2, -1, 0.5, 'else' as const])('not choose a block that the if doesn’t have: %j', async (branch) => {
    const pipeline: Pipeline = [{ type: 'if', conditions: [{ condition: 'true', functions: [] }] }];
    await expect(run(pipeline, { before: () => ({ branch }) })).rejects.toMatchObject({
      code: 'STEP_FAILED',
      message: `if failed: The if step has no branch ${branch}.`,
      path: '/0',
    });
  });

  test('choose no block of a step that isn’t an if', async () => {
    const { lines, observer } = recorder(at('/0', () => ({ branch: 0 })));
    expect(await run([{ function: 'answer', settings: { value: 1 } }], observer)).toBe(1);
    expect(lines.at(-1)).toBe('< /0 [] completed');
  });

  test('fail a step, whose outer steps then fail by themselves', async () => {
    const { lines, pairs, observer } = recorder(at('/0/functions/0', () => ({ error: new Error('mock') })));
    await expect(
      run([{ type: 'loop', range: { from: 1, to: 1 }, functions: [{ function: 'answer' }] }], observer),
    ).rejects.toMatchObject({ code: 'STEP_FAILED', path: '/0/functions/0', cause: { message: 'mock' } });
    expect(lines.slice(-2)).toEqual(['< /0/functions/0 [0] failed', '< /0 [] failed']);
    expect(pairs.map(([{ path }, outcome]) => [path, outcome.replaced])).toEqual([
      ['/0/functions/0', 'observer'],
      ['/0', undefined],
    ]);
  });
  test('skip a step and its nested steps', async () => {
    const { lines, observer } = recorder(async () => ({ skip: true }));
    await run(
      [
        { function: 'boom', functions: [{ function: 'boom' }] },
        { type: 'loop', items: 'none' },
      ],
      observer,
    );
    expect(lines).toEqual(['> /0 [] function boom', '< /0 [] skipped', '> /1 [] loop loop', '< /1 [] skipped']);
  });
  test('return anything else without an effect', async () => {
    for (const response of [0, 7, true, 'x', {}, { skip: false }, null])
      expect(await run([{ function: 'answer', settings: { value: 1 } }], { before: () => response as never })).toBe(1);
  });
  test('have only one of its methods', async () => {
    const seen: string[] = [];
    await run(whole, { after: ({ path }) => void seen.push(path) });
    await run(whole, { before: ({ path }) => void seen.push(path) });
    expect(seen).toHaveLength(12);
  });
});

describe('when a step has failed, an observer', () => {
  const afterwards = { function: 'answer', settings: { value: 'afterwards' } };
  const failing: [string, Pipeline, code: string][] = [
    ['a function that throws', [{ function: 'boom' }, afterwards], 'STEP_FAILED'],
    ['a function that rejects', [{ function: 'reject' }, afterwards], 'STEP_FAILED'],
    ['a loop without its array', [{ type: 'loop', items: 'x' }, afterwards], 'LOOP_ITEMS_INVALID'],
    [
      'a condition',
      [{ type: 'if', conditions: [{ condition: 'x.y', functions: [] }] }, afterwards],
      'CONDITION_FAILED',
    ],
  ];

  test.each(failing)('is asked before the run ends, and can replace the failure of %s', async (_, pipeline, code) => {
    const asked: unknown[] = [];
    const { pairs, observer } = recorder();
    observer.failed = (info, error) => {
      asked.push([info.path, error.code]);
      expect(pairs).toEqual([]);
      return { value: 'replaced', by: 'debugger' };
    };
    expect(await run(pipeline, observer)).toBe('afterwards');
    expect(asked).toEqual([['/0', code]]);
    expect(pairs[0]?.[1]).toEqual({ state: 'completed', value: 'replaced', replaced: 'debugger' });
  });

  test.each(failing)('can wait, and leave the failure of %s as it is', async (_, pipeline, code) => {
    let resume!: () => void;
    const { lines, observer } = recorder();
    observer.failed = () =>
      new Promise<void>((resolve) => {
        resume = resolve;
      });
    const running = run(pipeline, observer);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toHaveLength(1);
    resume();
    await expect(running).rejects.toMatchObject({ code, path: '/0' });
    expect(lines.at(-1)).toBe('< /0 [] failed');
  });

  test('can skip the step, choose the block of an if, or fail the step with another error', async () => {
    const condition: Pipeline = [{ type: 'if', conditions: [{ condition: 'x.y', functions: [afterwards] }] }];
    expect(await run(condition, { failed: () => ({ branch: 0 }) })).toBe('afterwards');
    expect(
      await run([{ function: 'boom', functions: [{ function: 'boom' }] }], { failed: () => ({ skip: true }) }),
    ).toBe(undefined);
    let asked = 0;
    const failed = () => (asked++, { error: new Error('another') });
    await expect(run([{ function: 'boom' }], { failed })).rejects.toMatchObject({ cause: { message: 'another' } });
    expect(asked).toBe(1);
  });

  test('is asked once, with the iteration of the step, and not for the steps around it', async () => {
    const asked: [string, readonly number[]][] = [];
    const nested: Pipeline = [
      {
        type: 'loop',
        range: { from: 1, to: 1 },
        functions: [{ function: 'answer', functions: [{ function: 'boom' }] }],
      },
    ];
    await expect(
      run(nested, { failed: ({ path, iteration }) => void asked.push([path, iteration]) }),
    ).rejects.toThrow();
    expect(asked).toEqual([['/0/functions/0/functions/0', [0]]]);
  });

  test.each<[string, Observer]>([
    ['has failed the step itself', { before: () => ({ error: new Error('mock') }) }],
    [
      'throws',
      {
        before: () => {
          throw new Error('mock');
        },
      },
    ],
  ])('isn’t asked if it %s', async (_, { before }) => {
    await expect(run([{ function: 'answer' }], { before, failed: () => ({ value: 1 }) })).rejects.toMatchObject({
      cause: { message: 'mock' },
    });
  });

  test.each<[string, Observer['failed']]>([
    [
      'throws',
      () => {
        throw new Error('observer');
      },
    ],
    ['rejects', () => Promise.reject(new Error('observer'))],
    ['returns something else', () => ({}) as never],
  ])('and %s leaves the failure as it is', async (_, failed) => {
    await expect(run([{ function: 'boom' }], { failed })).rejects.toMatchObject({ cause: { message: 'boom' } });
  });

  test('and waits can’t continue a run that was stopped in the meantime', async () => {
    const controller = new AbortController();
    let resume!: (answer: Replacement) => void;
    const failed = () =>
      new Promise<Replacement>((resolve) => {
        resume = resolve;
      });
    const running = runPipeline([{ function: 'boom' }, afterwards], {
      functions,
      observer: { failed },
      signal: controller.signal,
    });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    resume({ value: 1 });
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('an observer that throws', () => {
  test.each<[string, Observer]>([
    [
      'in before',
      {
        before: () => {
          throw new Error('observer');
        },
      },
    ],
    ['in the Promise of before', { before: () => Promise.reject(new Error('observer')) }],
    [
      'in after',
      {
        after: () => {
          throw new Error('observer');
        },
      },
    ],
  ])('in %s fails the run and is the cause', async (_, observer) => {
    await expect(run([{ function: 'answer' }], observer)).rejects.toMatchObject({
      code: 'STEP_FAILED',
      path: '/0',
      cause: { message: 'observer' },
    });
  });
  test('while a failure is reported doesn’t replace the first failure', async () => {
    const reported: string[] = [];
    const observer: Observer = {
      after: ({ path }) => {
        reported.push(path);
        throw new Error('observer');
      },
    };
    await expect(
      run([{ type: 'loop', range: { from: 1, to: 1 }, functions: [{ function: 'boom' }] }], observer),
    ).rejects.toMatchObject({ cause: { message: 'boom' } });
    expect(reported).toEqual(['/0/functions/0', '/0']);
  });
});

describe('an observer can have a failed step run again', () => {
  /** Fails until the context has `fixed`. */
  const picky = new Map<string, PipelineFunction>([
    [
      'now',
      ({ by }, context) => {
        if (!context.fixed) throw new Error(`not fixed by ${String(by)}`);
        return context.fixed;
      },
    ],
    ['later', async (_, context) => (context.fixed ? 'later' : Promise.reject(new Error('not fixed')))],
    ['nested', () => 'nested'],
  ]);
  const fixes =
    (wait: boolean): Observer['failed'] =>
    (info) => {
      Object.assign(info.context, { fixed: 'fixed', list: [1, 2], a: { b: true } });
      return wait ? Promise.resolve({ retry: true }) : { retry: true };
    };

  test.each<[string, Pipeline, unknown]>([
    ['a function', [{ function: 'now', settings: { by: 'me' }, functions: [{ function: 'nested' }] }], 'nested'],
    ['a function that rejects', [{ function: 'later' }], 'later'],
    ['a loop without its array', [{ type: 'loop', items: 'list', functions: [{ function: 'nested' }] }], 'nested'],
    [
      'an if',
      [
        {
          type: 'if',
          conditions: [
            { condition: 'fixed == "never"', functions: [] },
            { condition: 'a.b', functions: [{ function: 'nested' }] },
          ],
        },
      ],
      'nested',
    ],
    [
      'a step in a loop, in its iteration',
      [{ type: 'loop', range: { from: 1, to: 3 }, functions: [{ function: 'now' }, { function: 'nested' }] }],
      'nested',
    ],
  ])('%s, with the context as it is then', async (_, pipeline, result) => {
    for (const wait of [false, true]) {
      const { lines, observer } = recorder();
      const failed = fixes(wait);
      expect(await runPipeline(pipeline, { functions: picky, observer: { ...observer, failed } })).toBe(result);
      // Each step is reported once, and with the outcome of its last attempt.
      expect(lines.filter((line) => line.endsWith('failed'))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('>')).length).toBe(lines.length / 2);
      expect(new Set(lines).size).toBe(lines.length);
    }
  });

  test('many times, without recursion, and the run stays stoppable', async () => {
    let attempts = 0;
    const observer: Observer = { failed: () => (attempts++ < 10_000 ? { retry: true } : undefined) };
    await expect(run([{ function: 'boom' }], observer)).rejects.toMatchObject({ code: 'STEP_FAILED' });
    expect(attempts).toBe(10_001);
    const controller = new AbortController();
    const endless = runPipeline([{ function: 'boom' }], {
      functions,
      observer: { failed: () => ({ retry: true }) },
      signal: controller.signal,
    });
    setImmediate(() => controller.abort());
    await expect(endless).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('only after it has failed: before a step, nothing is replaced', async () => {
    const before = (() => ({ retry: true })) as unknown as Observer['before'];
    expect(await run([{ function: 'answer', settings: { value: 1 } }], { before })).toBe(1);
  });

  test('and then replace the failure of its next attempt', async () => {
    const answers = [{ retry: true as const }, { value: 'mine' }];
    expect(await run([{ function: 'boom' }], { failed: () => answers.shift() })).toBe('mine');
  });
});
