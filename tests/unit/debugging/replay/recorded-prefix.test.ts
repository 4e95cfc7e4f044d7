/** Tests runs that start at a step of a recorded run. */
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { lost } from '../../../../lib/debugging/recording/values.ts';
import { RecordedPrefix } from '../../../../lib/debugging/replay/recorded-prefix.ts';
import { LostOutcome } from '../../../../lib/debugging/replay/recorded-steps.ts';
import type { StepPlace } from '../../../../lib/debugging/stepper/types.ts';
import {
  type Context,
  type Pipeline,
  type PipelineFunction,
  runPipeline,
  type StepInfo,
  type StepOutcome,
} from '../../../../lib/pipeline/index.ts';
import { record, type RecordOptions } from '../record.ts';

const step = (functionPackage: string, more: object = {}) => ({ functionPackage, ...more });
const READ = step('read');
const SEND = step('send');
const FAIL = step('fail');
const branch = (condition: string, functions: Pipeline, elseFunctions?: Pipeline) => ({
  type: 'if' as const,
  conditions: [{ condition, functions }],
  ...(elseFunctions && { elseFunctions }),
});
const each = (...functions: Pipeline) => ({ type: 'loop' as const, items: 'records', functions });

class Functions {
  /** The packages that were called. */
  readonly calls: string[] = [];
  isFailing = true;
  readonly all: Record<string, PipelineFunction> = {
    read: (_, context) => {
      this.calls.push('read');
      context.records = [{ id: 1 }, { id: 2 }, { id: 3 }];
      return context.records;
    },
    send: (_, context) => {
      this.calls.push(`send ${(context.currentItem as { id: number } | undefined)?.id ?? ''}`.trim());
      context.sent = Number(context.sent ?? 0) + 1;
      return context.sent;
    },
    fail: () => {
      this.calls.push('fail');
      if (this.isFailing) throw new Error('Failed');
    },
    skip: () => Promise.reject(),
    none: () => undefined,
  };
}

interface StartedRun {
  calls: string[];
  /** Path, iteration, and state of each step, and what replaced it. */
  ends: string[];
  context?: Context;
  result?: unknown;
  /** The error's cause if it's a step's. */
  error?: { code?: string; message: string };
}

async function runFrom(recording: Recording, place: StepPlace, pipeline?: Pipeline): Promise<StartedRun> {
  const run: StartedRun = { calls: [], ends: [] };
  const functions = new Functions();
  functions.isFailing = false;
  const prefix = new RecordedPrefix(recording, place);
  try {
    run.result = await runPipeline(pipeline ?? recording.pipeline, {
      payload: prefix.payload,
      functions: new Map(Object.entries(functions.all)),
      observer: {
        before: (info) => {
          run.context = info.context;
          return prefix.before(info);
        },
        after: (info: StepInfo, { state, replaced }: StepOutcome) => {
          const at = [info.path, ...info.iteration].join('#');
          run.ends.push([at, state, ...(replaced ? [`by ${replaced}`] : [])].join(' '));
          prefix.after(info);
        },
      },
    });
  } catch (thrown) {
    run.error = ((thrown as Error).cause ?? thrown) as Error;
  }
  run.calls = functions.calls;
  return run;
}

const recorded = async (pipeline: Pipeline, options?: RecordOptions): Promise<Recording> =>
  (await record(pipeline, new Functions().all, options)).recording;

describe('a run from a step', () => {
  it('gives the steps before it their recorded outcomes and changes, and executes it', async () => {
    const run = await runFrom(await recorded([READ, SEND, SEND]), { path: '/2' });
    expect(run.ends).toEqual(['/0 completed by recording', '/1 completed by recording', '/2 completed']);
    expect(run.calls).toEqual(['send']);
    expect(run.context).toEqual({ records: [{ id: 1 }, { id: 2 }, { id: 3 }], sent: 2 });
    expect(run.result).toBe(2);
  });

  it('starts at the first step of the pipeline', async () => {
    const run = await runFrom(await recorded([READ, SEND]), { path: '/0' });
    expect(run.calls).toEqual(['read', 'send']);
  });

  it('starts at the step that failed, in a branch of a loop', async () => {
    const pipeline = [READ, each(branch('currentItem.id == 2', [SEND, FAIL], [SEND]))];
    const place = { path: '/1/functions/0/conditions/0/functions/1', iteration: [1] };
    const run = await runFrom(await recorded(pipeline), place);
    expect(run.calls).toEqual(['fail', 'send 3']);
    expect(run.ends.filter((end) => !end.endsWith('by recording'))).toEqual([
      '/1/functions/0/conditions/0/functions/1#1 completed',
      '/1/functions/0/elseFunctions/0#2 completed',
      '/1/functions/0#2 completed',
      '/1 completed',
    ]);
  });

  it('starts in an else branch, and in nested steps of a function that failed with them', async () => {
    const pipeline = [branch('false', [SEND], [step('read', { functions: [SEND, FAIL] })]), SEND];
    const run = await runFrom(await recorded(pipeline), { path: '/0/elseFunctions/0/functions/1' });
    expect(run.calls).toEqual(['fail', 'send']);
  });

  it('starts at an iteration of a loop', async () => {
    const run = await runFrom(await recorded([READ, each(SEND)]), { path: '/1/functions/0', iteration: [2] });
    expect(run.calls).toEqual(['send 3']);
    expect(run.result).toBe(3);
  });

  it('starts at the first recorded iteration if none is given', async () => {
    const run = await runFrom(await recorded([READ, each(SEND)]), { path: '/1/functions/0' });
    expect(run.calls).toEqual(['send 1', 'send 2', 'send 3']);
  });

  it('starts at an if, which is evaluated then', async () => {
    const recording = await recorded([READ, branch('records.length > 1', [SEND])]);
    const run = await runFrom(withPipeline(recording, [READ, branch('records.length > 3', [SEND])]), { path: '/1' });
    expect(run.ends).toEqual(['/0 completed by recording', '/1 completed']);
  });

  it('takes the recorded branch, whatever its condition is now', async () => {
    const recording = await recorded([READ, branch('records.length > 1', [SEND]), SEND]);
    const pipeline = [READ, branch('missing.length > 1', [SEND]), SEND];
    const run = await runFrom(recording, { path: '/2' }, pipeline);
    expect(run.ends).toEqual([
      '/0 completed by recording',
      '/1/conditions/0/functions/0 completed by recording',
      '/1 completed by recording',
      '/2 completed',
    ]);
  });

  it('skips what was skipped, and repeats what a mock did', async () => {
    const pipeline = [step('skip', { functions: [SEND] }), each(SEND), READ];
    const observer = {
      before: ({ kind }: StepInfo) => (kind === 'loop' ? { value: 'looped', by: 'mock' } : undefined),
    };
    const run = await runFrom(await recorded(pipeline, { observer }), { path: '/2' });
    expect(run.ends).toEqual(['/0 skipped by recording', '/1 completed by recording', '/2 completed']);
  });

  it('has the recorded changes that functions made after they returned', async () => {
    const pipeline = [READ, SEND, SEND];
    const recording = await recorded(pipeline);
    recording.steps[2]!.late = [{ changes: [['/late', 1]] }];
    const run = await runFrom(recording, { path: '/2' });
    expect(run.context).toMatchObject({ late: 1 });
  });
});

describe('a lost outcome before the step', () => {
  const runWithout = async (pipeline: Pipeline): Promise<StartedRun> => {
    const recording = await recorded(pipeline);
    recording.steps[0]!.value = lost('not-data');
    return runFrom(recording, { path: '/1' });
  };

  it('doesn’t matter if a later step has a value', async () => {
    expect((await runWithout([READ, SEND])).result).toBe(1);
  });

  it('is the result if no later step has a value, and says why', async () => {
    const { result } = await runWithout([READ, step('none')]);
    expect(result).toBeInstanceOf(LostOutcome);
    expect(JSON.stringify(result)).toBe('"The recording doesn’t have this value: it wasn’t data."');
  });
});

describe('a run from a step is refused before any step is executed', () => {
  const refused = async (
    change: (recording: Recording) => void,
    place: StepPlace = { path: '/2' },
    pipeline?: Pipeline,
  ): Promise<StartedRun> => {
    const recording = await recorded([READ, each(SEND), SEND, SEND]);
    change(recording);
    const run = await runFrom(recording, place, pipeline);
    expect(run.calls).toEqual([]);
    return run;
  };

  it('if the recorded run didn’t reach it', async () => {
    const recording = await recorded([READ, branch('false', [SEND])]);
    expect(() => new RecordedPrefix(recording, { path: '/1/conditions/0/functions/0' })).toThrow(
      'Couldn’t start at /1/conditions/0/functions/0: the recorded run didn’t reach this step.',
    );
    expect(() => new RecordedPrefix(recording, { path: '/0', iteration: [0] })).toThrow(
      'Couldn’t start at /0 #1: the recorded run didn’t reach this step.',
    );
  });

  it('if a step before it isn’t the recorded one', async () => {
    const run = await refused(() => undefined, { path: '/2' }, [SEND, each(SEND), SEND]);
    expect(run.error).toMatchObject({
      code: 'START_UNREACHABLE',
      message:
        'Couldn’t start at /2: the recorded run had read at /0, but this run has send at /0. No step was executed.',
    });
  });

  it('if a step before it is missing in the recording', async () => {
    const run = await refused(({ steps }) => void steps.splice(2, 1));
    expect(run.error).toMatchObject({ code: 'START_UNREACHABLE' });
  });

  it('if a loop has fewer items than it had', async () => {
    const run = await refused(({ steps }) => void (steps[0]!.changes = [['/records', [{ id: 1 }]]]), {
      path: '/1/functions/0',
      iteration: [2],
    });
    expect(run.error!.message).toBe(
      'Couldn’t start at /1/functions/0 #3: /1 ended without /1/functions/0 #2. No step was executed.',
    );
  });

  it('if a loop’s items are lost', async () => {
    const run = await refused(({ steps }) => void (steps[0]!.changes = [['/records', lost('cycle')]]));
    expect(run.error!.message).toBe('The recording doesn’t have this value: it contained itself.');
  });

  it('if a context change before it doesn’t fit', async () => {
    const run = await refused(({ steps }) => void (steps[0]!.changes = [['/records/0/id', 1]]));
    expect(run.error!.message).toBe(
      'Couldn’t start at /2: a change of /records/0/id at /0 doesn’t fit the context. No step was executed.',
    );
  });

  it('if a step before it failed', async () => {
    const run = await refused(({ steps }) => void (steps[0]!.state = 'failed'));
    expect(run.error!.message).toBe('Couldn’t start at /2: /0 had failed. No step was executed.');
  });
});

const withPipeline = (recording: Recording, pipeline: Pipeline): Recording => ({
  ...recording,
  pipeline: pipeline as Recording['pipeline'],
});
