/** Tests breakpoints, stepping, and what can be changed while a run is paused. */
import { describe, expect, it } from 'vitest';
import { checkBreakpoint } from '../../../../lib/debugging/stepper/breakpoints.ts';
import { Stepper } from '../../../../lib/debugging/stepper/stepper.ts';
import type { Pause, ResumeCommand } from '../../../../lib/debugging/stepper/types.ts';
import { type PipelineStep, runPipeline } from '../../../../lib/pipeline/index.ts';
import { runPaused } from './run-paused.ts';

const FUNCTIONS = {
  read: (_: unknown, context: Record<string, unknown>) => void (context.records = [{ id: 1 }, { id: 2 }, { id: 3 }]),
  send: (_: unknown, context: Record<string, unknown>) => {
    context.sent = Number(context.sent ?? 0) + 1;
    return context.sent;
  },
  fail: () => {
    throw new RangeError('too much');
  },
};
const SEND = { functionPackage: 'send' };
const LOOP: PipelineStep[] = [
  { functionPackage: 'read' },
  {
    type: 'loop',
    items: 'records',
    functions: [{ type: 'if', conditions: [{ condition: 'currentItem.id == 2', functions: [SEND] }] }],
  },
  { functionPackage: 'send' },
];
const IF = '/1/functions/0';
const INSIDE = `${IF}/conditions/0/functions/0`;

/** Commands for the pauses, in order. Later pauses resume. */
const commands = (...given: (ResumeCommand['go'] | ResumeCommand)[]) => {
  const left = [...given];
  return (): ResumeCommand => {
    const next = left.shift() ?? 'resume';
    return typeof next === 'string' ? { go: next } : next;
  };
};
const pausesOf = async (
  breakpoints: Parameters<typeof checkBreakpoint>[0][],
  answer?: Parameters<typeof runPaused>[3],
): Promise<string[]> => (await runPaused(LOOP, FUNCTIONS, { breakpoints }, answer)).pauses;

describe('a breakpoint', () => {
  it('pauses before each visit of its step, and never twice at the same one', async () => {
    expect(await pausesOf([{ path: IF }])).toEqual([`${IF}#0 breakpoint`, `${IF}#1 breakpoint`, `${IF}#2 breakpoint`]);
  });

  it('with a condition pauses where it’s true', async () => {
    expect(await pausesOf([{ path: IF, condition: 'currentItem.id > 1' }])).toEqual([
      `${IF}#1 breakpoint`,
      `${IF}#2 breakpoint`,
    ]);
  });

  it('with a hit count pauses from that hit on, only at it, or at each multiple of it', async () => {
    const loop: PipelineStep[] = [{ type: 'loop', range: { from: 1, to: 7 }, functions: [SEND] }];
    const hitsAt = async (breakpoint: object): Promise<number[]> => {
      const run = await runPaused(loop, FUNCTIONS, { breakpoints: [{ path: '/0/functions/0', ...breakpoint }] });
      return run.pauses.map((pause) => Number(/#(\d+)/.exec(pause)![1]) + 1);
    };
    expect(await hitsAt({ hits: 3, hitRule: 'at' })).toEqual([3]);
    expect(await hitsAt({ hits: 3, hitRule: 'from' })).toEqual([3, 4, 5, 6, 7]);
    expect(await hitsAt({ hits: 3, hitRule: 'every' })).toEqual([3, 6]);
    // As stored by earlier versions.
    expect(await hitsAt({ hits: 6 })).toEqual([6, 7]);
    // Only where the condition is true.
    expect(await hitsAt({ condition: 'currentItem > 4', hits: 2, hitRule: 'at' })).toEqual([6]);
  });

  it('that is off does nothing', async () => {
    expect(await pausesOf([{ path: IF, isOff: true }])).toEqual([]);
  });

  it('that logs writes its text with the values of expressions, and never pauses', async () => {
    const log = 'item {{currentItem.id}} of {{records}}: {{missing.x}}{{ "a" + 1 }}';
    const { pauses, logs } = await runPaused(LOOP, FUNCTIONS, { breakpoints: [{ path: IF, log, hits: 3 }] });
    expect(pauses).toEqual([]);
    expect(logs).toEqual([expect.stringMatching(/^item 3 of \[\{"id":1\},.*\]: <.*missing.*>a1$/) as string]);
  });

  it('that logs finds the end of an expression, and writes values of every kind', async () => {
    const log = `{{ {a: {b: '}}'}} }} {{when}} {{list}} {{missing}}`;
    const payload = { when: new Date(0), list: [new Map([['a', 1n]])] };
    const run = await runPaused([SEND], FUNCTIONS, { breakpoints: [{ path: '/0', log }] }, undefined, { payload });
    expect(run.logs).toEqual(['{"a":{"b":"}}"}} 1970-01-01T00:00:00.000Z [[["a","1"]]] undefined']);
  });

  it('cuts a long value in its text', async () => {
    const run = await runPaused([SEND], FUNCTIONS, { breakpoints: [{ path: '/0', log: '{{text}}' }] }, undefined, {
      payload: { text: 'x'.repeat(5_000) },
    });
    expect(run.logs[0]).toHaveLength(1_001);
  });

  it.each([
    ['throws', 'missing.x.y'],
    ['doesn’t compile', 'currentItem.id ='],
    ['never ends', '[1,2,3,4,5,6,7,8,9].map(a => "x".repeat(100000).split("").map(b => "y".repeat(1000000)))'],
    ['would change the context', 'records.push(1)'],
  ])('pauses if its condition %s, with the error, and the context isn’t changed', async (_what, condition) => {
    const seen: unknown[] = [];
    const run = await runPaused(LOOP, FUNCTIONS, { breakpoints: [{ path: '/2', condition }] }, (_stepper, pause) => {
      seen.push(pause.error instanceof Error, JSON.stringify(pause.info.context.records));
    });
    expect(run.pauses).toEqual(['/2 breakpoint']);
    expect(seen).toEqual([true, '[{"id":1},{"id":2},{"id":3}]']);
    expect(run.result).toBe(2);
  });

  it('is checked while it’s entered', () => {
    expect(checkBreakpoint({ path: '/0', condition: 'a ==' })).toMatchObject({ field: 'condition', column: 5 });
    expect(checkBreakpoint({ path: '/0', log: 'a {{b +}}' })).toMatchObject({ field: 'log' });
    expect(checkBreakpoint({ path: '/0', log: 'a {{b} {{c}}' })).toEqual({
      field: 'log',
      message: 'Expected }}, found }.',
    });
    expect(checkBreakpoint({ path: '/0', hits: 0 })).toMatchObject({ field: 'hits' });
    expect(checkBreakpoint({ path: '/0', condition: 'a', hits: 2, log: 'no expression {{' })).toBeNull();
  });
});

describe('stepping', () => {
  it('into goes to the next step, and over goes past a step’s nested steps', async () => {
    const pauses = await pausesOf([{ path: '/0' }], commands('into', 'into', 'over', 'over', 'over', 'over'));
    expect(pauses).toEqual(['/0 breakpoint', '/1 step', `${IF}#0 step`, `${IF}#1 step`, `${IF}#2 step`, '/2 step']);
  });

  it('out of a block goes to the first step after it', async () => {
    expect(await pausesOf([{ path: INSIDE }], commands('out', 'out'))).toEqual([
      `${INSIDE}#1 breakpoint`,
      `${IF}#2 step`,
      '/2 step',
    ]);
  });

  describe('out', () => {
    const step = (...functions: PipelineStep[]): PipelineStep => ({ functionPackage: 'none', functions });
    const loop = (...functions: PipelineStep[]): PipelineStep => ({
      type: 'loop',
      range: { from: 1, to: 2 },
      functions,
    });
    const when = (...functions: PipelineStep[]): PipelineStep => ({
      type: 'if',
      conditions: [{ condition: 'true', functions }],
    });
    const F = '/functions/0';
    const C = '/conditions/0/functions/0';

    it.each<[string, PipelineStep[], string, string[]]>([
      [
        'a loop’s body: the next iteration, then the step after the loop',
        [loop(step(), step()), step()],
        `/0${F}`,
        [`/0${F}#0 breakpoint`, `/0${F}#1 breakpoint`, '/1 step'],
      ],
      [
        'the last step of a loop’s body: the next iteration',
        [loop(step(), step()), step()],
        '/0/functions/1',
        ['/0/functions/1#0 breakpoint', `/0${F}#1 step`, '/1 step'],
      ],
      [
        'a loop that ends with it: nothing is left',
        [loop(step())],
        `/0${F}`,
        [`/0${F}#0 breakpoint`, `/0${F}#1 breakpoint`],
      ],
      [
        'a branch in a loop: the step after the if',
        [loop(when(step(), step()), step())],
        `/0${F}${C}`,
        [`/0${F}${C}#0 breakpoint`, '/0/functions/1#0 step', `/0${F}#1 step`],
      ],
      [
        'a branch that ends an iteration: the next one',
        [loop(when(step())), step()],
        `/0${F}${C}`,
        [`/0${F}${C}#0 breakpoint`, `/0${F}#1 step`, '/1 step'],
      ],
      [
        'an inner loop: its next iteration, then that of the outer one',
        [loop(loop(step())), step()],
        `/0${F}${F}`,
        [`/0${F}${F}#0#0 breakpoint`, `/0${F}${F}#0#1 breakpoint`, `/0${F}#1 step`, '/1 step'],
      ],
      [
        'nested steps in a loop: the step after the function',
        [loop(step(step()), step())],
        `/0${F}${F}`,
        [`/0${F}${F}#0 breakpoint`, '/0/functions/1#0 step', `/0${F}#1 step`],
      ],
      ['a loop itself, which is in no block: the end', [loop(step()), step()], '/0', ['/0 breakpoint']],
    ])('of %s', async (_what, pipeline, path, pauses) => {
      const isFirst = { hits: 1, hitRule: 'at' as const };
      const run = await runPaused(
        pipeline,
        { none: () => undefined },
        { breakpoints: [{ path, ...isFirst }] },
        commands('out', 'out', 'out', 'out'),
      );
      const stepped = pauses.map((pause, nth) => (nth > 0 ? pause.replace('breakpoint', 'step') : pause));
      expect(run.pauses).toEqual(stepped);
    });
  });

  it('out of a top-level step, or past the last one, ends the run', async () => {
    expect(await pausesOf([{ path: '/0' }], commands('out'))).toEqual(['/0 breakpoint']);
    expect(await pausesOf([{ path: '/2' }], commands('over'))).toEqual(['/2 breakpoint']);
  });

  it('stops at a breakpoint inside a step that it goes over', async () => {
    expect(await pausesOf([{ path: '/0' }, { path: INSIDE }], commands('into', 'over'))).toEqual([
      '/0 breakpoint',
      '/1 step',
      `${INSIDE}#1 breakpoint`,
    ]);
  });

  it('runs to a step and iteration, once', async () => {
    const to = { path: IF, iteration: [1] };
    expect(await pausesOf([{ path: '/0' }], commands({ go: 'resume', runTo: to }))).toEqual([
      '/0 breakpoint',
      `${IF}#1 run-to`,
    ]);
    const start = (stepper: Stepper) => stepper.runTo({ path: IF });
    expect((await runPaused(LOOP, FUNCTIONS, {}, undefined, { start })).pauses).toEqual([`${IF}#0 run-to`]);
  });

  it('can be asked for before or during a run', async () => {
    const start = (stepper: Stepper) => stepper.pauseAtNext();
    expect((await runPaused(LOOP, FUNCTIONS, {}, undefined, { start })).pauses).toEqual(['/0 request']);
  });
});

describe('a paused run', () => {
  it.each([
    ['a value', { value: 9 }, { result: 9 }],
    ['an error', { error: { name: 'TypeError', message: 'mine' } }, { error: { code: 'STEP_FAILED' } }],
    ['nothing', { skip: true as const }, { result: undefined }],
  ])('has its step’s outcome set to %s', async (_what, outcome, expected) => {
    const run = await runPaused([SEND], FUNCTIONS, { breakpoints: [{ path: '/0' }] }, () => ({
      go: 'resume',
      outcome,
    }));
    expect(run).toMatchObject(expected);
  });

  it('skips a step together with its nested ones', async () => {
    const nested = [{ ...SEND, functions: [SEND] }, SEND];
    const skip = commands({ go: 'resume', outcome: { skip: true } });
    const run = await runPaused(nested, FUNCTIONS, { breakpoints: [{ path: '/0' }] }, skip);
    expect(run).toMatchObject({ steps: ['/0', '/1'], result: 1 });
  });

  it('has the branch of an if forced, and pauses at breakpoints in it', async () => {
    const force = commands({ go: 'resume', outcome: { branch: 0 } });
    expect(
      await pausesOf(
        [
          { path: IF, hits: 3 },
          { path: INSIDE, hits: 2 },
        ],
        force,
      ),
    ).toEqual([`${IF}#2 breakpoint`, `${INSIDE}#2 breakpoint`]);
  });

  it('refuses a branch that the step doesn’t have, and stays paused', async () => {
    const refused: string[] = [];
    const run = await runPaused(LOOP, FUNCTIONS, { breakpoints: [{ path: IF }] }, (stepper, pause) => {
      for (const branch of [1, 'else'] as const) {
        const answer = stepper.resume(pause.id, { go: 'resume', outcome: { branch } });
        if (!answer.ok) refused.push(answer.error.code);
      }
      return { go: 'resume', outcome: { branch: null } };
    });
    expect(refused).toEqual(Array.from({ length: 6 }, () => 'OUTCOME_IMPOSSIBLE'));
    expect(run.result).toBe(1);
  });

  it('evaluates expressions, which can’t change it', async () => {
    const values: unknown[] = [];
    await runPaused(LOOP, FUNCTIONS, { breakpoints: [{ path: '/2' }] }, (stepper, pause) => {
      values.push(stepper.evaluate(pause.id, 'records.length + sent'), stepper.evaluate(pause.id, 'records.push(1)'));
      values.push(stepper.evaluate(pause.id, 'a +'), stepper.evaluate(pause.id + 1, '1'));
    });
    expect(values).toMatchObject([
      { value: 4 },
      { error: {} },
      { error: { code: 'INVALID_CONDITION' } },
      { error: {} },
    ]);
  });

  it('ignores commands for a pause that has ended', async () => {
    let first: Pause | null = null;
    const codes: string[] = [];
    await runPaused(LOOP, FUNCTIONS, { breakpoints: [{ path: IF }] }, (stepper, pause) => {
      first ??= pause;
      if (first === pause) return;
      const late = [stepper.resume(first.id, { go: 'resume' }), stepper.editContext(first.id, '{}')];
      for (const answer of late) if (!answer.ok) codes.push(answer.error.code);
      expect(stepper.contextText(first.id)).toBeNull();
    });
    expect(codes).toEqual(['PAUSE_GONE', 'PAUSE_GONE', 'PAUSE_GONE', 'PAUSE_GONE']);
  });
});

describe('a pause on failure', () => {
  const PIPELINE: PipelineStep[] = [
    { type: 'loop', range: { from: 1, to: 2 }, functions: [{ functionPackage: 'fail' }] },
    SEND,
  ];

  it('happens at the step that failed, before the run ends, and not again at the steps around it', async () => {
    const run = await runPaused(PIPELINE, FUNCTIONS, { pauseOnFailure: true }, (_stepper, pause) => {
      expect(pause.error).toMatchObject({ code: 'STEP_FAILED', path: '/0/functions/0' });
    });
    expect(run).toMatchObject({ pauses: ['/0/functions/0#0 failure'], error: { code: 'STEP_FAILED' } });
  });

  it('can set another outcome, with which the run goes on', async () => {
    const answer = () => ({ go: 'resume' as const, outcome: { value: 7 } });
    const run = await runPaused(PIPELINE, FUNCTIONS, { pauseOnFailure: true }, answer);
    expect(run).toMatchObject({ pauses: ['/0/functions/0#0 failure', '/0/functions/0#1 failure'], result: 1 });
  });
});

describe('a failed step', () => {
  const PIPELINE: PipelineStep[] = [{ functionPackage: 'picky' }, SEND];
  const picky = (_: unknown, context: Record<string, unknown>): unknown => {
    context.tried = Number(context.tried ?? 0) + 1;
    if (context.qty !== 5) throw new RangeError(`${String(context.qty)} is too much`);
    return 'ok';
  };
  const functions = { ...FUNCTIONS, picky };

  it('runs again with the edited context, and pauses again if it fails again', async () => {
    const messages: string[] = [];
    const texts = ['{"qty":9,"tried":1}', '{"qty":5,"tried":2}'];
    const run = await runPaused(
      PIPELINE,
      functions,
      { pauseOnFailure: true },
      (stepper, pause) => {
        expect(pause.canRetry).toBe(true);
        messages.push((pause.error as Error).message);
        expect(stepper.editContext(pause.id, texts.shift()!)).toMatchObject({ ok: true });
        return { go: 'resume', outcome: { retry: true } };
      },
      { payload: { qty: 99 } },
    );
    expect(messages).toEqual(['picky failed: 99 is too much', 'picky failed: 9 is too much']);
    expect(run).toMatchObject({ steps: ['/0', '/1'], pauses: ['/0 failure', '/0 failure'], result: 1 });
  });

  it('can’t run again before it has failed, or where the runtime can’t', async () => {
    const codes: unknown[] = [];
    const refused = (stepper: Stepper, pause: Pause): void => {
      const answer = stepper.resume(pause.id, { go: 'resume', outcome: { retry: true } });
      codes.push(pause.canRetry, answer.ok || answer.error.message);
    };
    await runPaused([SEND], FUNCTIONS, { breakpoints: [{ path: '/0' }] }, refused);
    const stepper: Stepper = new Stepper({
      settings: { breakpoints: [], pauseOnFailure: true },
      canRetry: false,
      onPause: (pause) =>
        setImmediate(() => {
          refused(stepper, pause);
          stepper.release();
        }),
    });
    const run = runPipeline(PIPELINE, { functions: new Map(Object.entries(functions)), observer: stepper.observer });
    await expect(run).rejects.toThrow('undefined is too much');
    expect(codes).toEqual([
      false,
      'Couldn’t resume the run: only a failed step can be retried.',
      false,
      'Couldn’t resume the run: the page’s runtime can’t run a failed step again.',
    ]);
  });
});

describe('a stepper', () => {
  it('lets go of a run that is stopped while it’s paused', async () => {
    const ended: number[] = [];
    const stepper: Stepper = new Stepper({
      settings: { breakpoints: [{ path: IF }], pauseOnFailure: true },
      onPause: () => setImmediate(() => stepper.release()),
      onResume: ({ id }) => ended.push(id),
    });
    const functions = new Map(Object.entries(FUNCTIONS));
    expect(await runPipeline(LOOP, { functions, observer: stepper.observer })).toBe(2);
    expect(ended).toEqual([1]);
    expect(stepper.paused).toBeNull();
  });

  it('takes other breakpoints during a run, and keeps counting visits of those that stay', async () => {
    const breakpoints = [{ path: IF, hits: 2 }];
    const run = await runPaused(LOOP, FUNCTIONS, { breakpoints: [{ path: '/1' }, ...breakpoints] }, (stepper) =>
      stepper.update({ breakpoints: [...breakpoints, { path: '/2' }], pauseOnFailure: false }),
    );
    expect(run.pauses).toEqual(['/1 breakpoint', `${IF}#1 breakpoint`, `${IF}#2 breakpoint`, '/2 breakpoint']);
  });
});
