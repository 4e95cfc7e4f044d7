/**
 * Generates runs that take branches which no recorded run took. V2’s engine runs the pipeline with payloads and outcomes
 * that start from recorded ones, and from what the pipeline’s expressions compare. Each run is recorded like any other.
 */
import type { Recording } from '../../../debugging/recording/format.ts';
import type { PipelineStep } from '../../../pipeline/types.ts';
import { namedLists, packageOf } from '../../effects.ts';
import { OWN_PACKAGES } from '../../packages/index.ts';
import { whyOtherRevision } from '../aside.ts';
import { branchesOf, takenBlocks } from '../coverage.ts';
import type { GeneratedRun } from '../types.ts';
import { inputsText } from './describe.ts';
import { defaultInputs, inputsOf, withValue } from './inputs.ts';
import { Random } from './random.ts';
import { type Inputs, type Outcome, simulate } from './simulate.ts';
import { MISSING, type Slot, slotsOf, valuesOf } from './slots.ts';

export interface GenerateOptions {
  /** Recorded runs of the action. */
  recordings?: readonly Recording[];
  /** Default 1. The same seed, pipeline, and recordings give the same runs. */
  seed?: number;
  /** The most runs that are tried. Default 600. */
  tries?: number;
  /** The most runs that are returned. Default 60. */
  limit?: number;
  /** Called before each try. Lets other work happen. */
  pause?: () => Promise<void> | void;
}

/** Steps of one run, and of all runs together. */
const MAX_STEPS = 1_000;
const ALL_STEPS = 200_000;
/** Recorded runs to start from. */
const SEEDS = 4;
const LENGTHS = [0, 1, 2, 3];
const ENDS: readonly Outcome[] = [{ returns: 'text' }, { skip: true }, { error: 'Failed' }];
const NEARLY_EQUAL = [
  [MISSING, MISSING],
  [1, 1],
  [1, '1'],
  ['text', 'text'],
] as const;

/** Generated runs: those that reach a new branch, and then those with another kind of value somewhere. */
export async function generateRuns(
  pipeline: readonly PipelineStep[],
  options: GenerateOptions = {},
): Promise<GeneratedRun[]> {
  return new Search(pipeline, options).run();
}

class Search {
  readonly #pipeline: readonly PipelineStep[];
  readonly #options: GenerateOptions;
  readonly #random: Random;
  readonly #slots: readonly Slot[];
  readonly #pairs: readonly [Slot, Slot][];
  /** Branches that no run has taken yet. */
  readonly #open: Set<string>;
  /** Paths of the steps that no run has reached yet. */
  readonly #unrun: Set<string>;
  readonly #found: GeneratedRun[] = [];
  /** Inputs that reached something new, to start from. */
  readonly #starts: Inputs[];
  readonly #kinds = new Set<string>();
  /** How many steps the pipeline has. */
  readonly #size: number;
  #tries: number;
  #steps = ALL_STEPS;

  constructor(pipeline: readonly PipelineStep[], options: GenerateOptions) {
    this.#pipeline = pipeline;
    this.#options = options;
    this.#random = new Random(options.seed ?? 1);
    const { slots, pairs } = slotsOf(pipeline);
    [this.#slots, this.#pairs] = [slots, pairs];
    const recordings = (options.recordings ?? []).filter((recording) => whyOtherRevision(recording, pipeline) === null);
    this.#open = new Set(branchesOf(pipeline).map(({ block }) => block));
    this.#unrun = new Set(located(pipeline).map(([, path]) => path));
    this.#size = this.#unrun.size;
    for (const recording of recordings) {
      for (const block of takenBlocks(recording)) this.#open.delete(block);
      for (const { path } of recording.steps) this.#unrun.delete(path);
    }
    const recorded = recordings.slice(0, SEEDS).flatMap((recording) => inputsOf(recording) ?? []);
    this.#starts = [...recorded, defaultInputs(this.#slots)];
    this.#tries = options.tries ?? 600;
  }

  async run(): Promise<GeneratedRun[]> {
    for (const inputs of [...this.#starts, { payload: {}, outcomes: new Map() }]) await this.#try(inputs);
    // Starts that are found on the way are varied, too.
    for (let index = 0; index < this.#starts.length; index++) {
      await this.#varyOutcomes(this.#starts[index] as Inputs);
      await this.#varyPairs(this.#starts[index] as Inputs);
      await this.#vary(this.#starts[index] as Inputs);
    }
    while (this.#open.size > 0 && this.#slots.length > 0 && !this.#isOver) await this.#try(this.#mutated());
    return this.#found;
  }

  get #isOver(): boolean {
    return this.#tries <= 0 || this.#steps <= 0;
  }

  /** Users’ packages can end in any way. */
  async #varyOutcomes(inputs: Inputs): Promise<void> {
    for (const path of userSteps(this.#pipeline))
      for (const outcome of ENDS) {
        const outcomes = new Map(inputs.outcomes).set(path, [outcome]);
        await this.#try({ ...inputs, outcomes }, `${path} ${JSON.stringify(outcome)}`);
      }
  }

  /** Two values that are compared, as equal and as nearly equal. */
  async #varyPairs(inputs: Inputs): Promise<void> {
    for (const [one, other] of this.#pairs)
      for (const [value, same] of NEARLY_EQUAL)
        await this.#try(withValue(withValue(inputs, one, value), other, same), `pair ${kindOf(value)} ${kindOf(same)}`);
  }

  /** Replaces one value at a time. */
  async #vary(inputs: Inputs): Promise<void> {
    for (const slot of this.#slots) {
      for (const value of slot.isList ? LENGTHS : valuesOf(slot)) {
        if (this.#isOver) return;
        await this.#try(withValue(inputs, slot, value), `${slot.source} ${slot.keys.join('/')} ${kindOf(value)}`);
        if (slot.keys.includes('*')) await this.#try(withValue(inputs, slot, value, 'last'));
      }
    }
  }

  #mutated(): Inputs {
    let inputs = this.#random.pick(this.#starts);
    for (let count = 1 + Math.floor(this.#random.next() * 3); count > 0; count--) {
      const slot = this.#random.pick(this.#slots);
      const value = this.#random.pick(slot.isList ? LENGTHS : valuesOf(slot));
      inputs = withValue(inputs, slot, value, this.#random.next() < 0.5 ? 'all' : 'last');
    }
    return inputs;
  }

  /** @param kind of value that it has. A run with a new one is kept, even if it takes no new branch */
  async #try(inputs: Inputs, kind?: string): Promise<void> {
    if (this.#isOver) return;
    await this.#options.pause?.();
    this.#tries--;
    const recording = await simulate(this.#pipeline, inputs, MAX_STEPS);
    // Each try also checks and writes the whole pipeline.
    this.#steps -= Math.max(this.#size, recording?.steps.length ?? MAX_STEPS);
    if (!recording) return;
    const reached = [...takenBlocks(recording)].filter((block) => this.#open.delete(block));
    const ran = recording.steps.filter(({ path }) => this.#unrun.delete(path));
    const isFurther = reached.length > 0 || ran.length > 0;
    if (isFurther) this.#starts.push(inputs);
    const hasNewKind = this.#notesKind(kind) && recording.end.state !== 'stopped' && !this.#isFull;
    if (isFurther || hasNewKind) this.#found.push({ recording, reached, inputs: inputsText(inputs) });
  }

  get #isFull(): boolean {
    return this.#found.length >= (this.#options.limit ?? 60);
  }

  /** Whether it’s a new one. */
  #notesKind(kind: string | undefined): boolean {
    if (kind === undefined || this.#kinds.has(kind)) return false;
    this.#kinds.add(kind);
    return true;
  }
}

type Located = readonly [step: PipelineStep, path: string];

/** All steps, outermost first. */
function located(steps: readonly PipelineStep[], path = ''): Located[] {
  return steps.flatMap((step, index): Located[] => {
    const own = `${path}/${index}`;
    return [[step, own], ...namedLists(step).flatMap(([list, name]) => located(list, `${own}/${name}`))];
  });
}

const userSteps = (pipeline: readonly PipelineStep[]): string[] =>
  located(pipeline).flatMap(([step, path]) => {
    const name = step.type === 'loop' || step.type === 'if' ? '' : packageOf(step);
    return name === '' || OWN_PACKAGES.has(name) ? [] : [path];
  });

function kindOf(value: unknown): string {
  if (value === MISSING || value === null) return String(value?.toString());
  if (typeof value === 'string' && value !== '')
    return `string ${Number.isFinite(Number(value))} ${/[<>&"']/.test(value)}`;
  return JSON.stringify(value);
}
