/**
 * Generates runs that take branches which no recorded run took. V2’s engine runs the pipeline with payloads and outcomes
 * that start from recorded ones, and from what the pipeline’s expressions compare. Each run is recorded like any other.
 */
import type { Recording } from '../../../debugging/recording/format.ts';
import type { PipelineStep } from '../../../pipeline/types.ts';
import { whyOtherRevision } from '../aside.ts';
import { branchesOf, takenBlocks } from '../coverage.ts';
import type { GeneratedRun } from '../types.ts';
import { inputsText } from './describe.ts';
import { defaultInputs, inputsOf, withValue } from './inputs.ts';
import { Random } from './random.ts';
import { type Inputs, simulate } from './simulate.ts';
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
  /** Branches that no run has taken yet. */
  readonly #open: Set<string>;
  readonly #found: GeneratedRun[] = [];
  /** Inputs that reached something new, to start from. */
  readonly #starts: Inputs[];
  readonly #kinds = new Set<string>();
  #tries: number;
  #steps = ALL_STEPS;

  constructor(pipeline: readonly PipelineStep[], options: GenerateOptions) {
    this.#pipeline = pipeline;
    this.#options = options;
    this.#random = new Random(options.seed ?? 1);
    this.#slots = slotsOf(pipeline);
    const recordings = (options.recordings ?? []).filter((recording) => whyOtherRevision(recording, pipeline) === null);
    this.#open = new Set(branchesOf(pipeline).map(({ block }) => block));
    for (const recording of recordings) for (const block of takenBlocks(recording)) this.#open.delete(block);
    const recorded = recordings.slice(0, SEEDS).flatMap((recording) => inputsOf(recording) ?? []);
    this.#starts = [...recorded, defaultInputs(this.#slots)];
    this.#tries = options.tries ?? 600;
  }

  async run(): Promise<GeneratedRun[]> {
    for (const inputs of [...this.#starts, { payload: {}, outcomes: new Map() }]) await this.#try(inputs);
    // Starts that are found on the way are varied, too.
    for (let index = 0; index < this.#starts.length; index++) await this.#vary(this.#starts[index] as Inputs);
    while (this.#open.size > 0 && this.#slots.length > 0 && !this.#isOver) await this.#try(this.#mutated());
    return this.#found;
  }

  get #isOver(): boolean {
    return this.#tries <= 0 || this.#steps <= 0;
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
    this.#steps -= recording?.steps.length ?? MAX_STEPS;
    if (!recording) return;
    const reached = [...takenBlocks(recording)].filter((block) => this.#open.delete(block));
    if (reached.length > 0) this.#starts.push(inputs);
    const isNew =
      reached.length > 0 || (kind !== undefined && recording.end.state !== 'stopped' && !this.#kinds.has(kind));
    if (kind !== undefined) this.#kinds.add(kind);
    if (!isNew || (reached.length === 0 && this.#found.length >= (this.#options.limit ?? 60))) return;
    this.#found.push({ recording, reached, inputs: inputsText(inputs) });
  }
}

function kindOf(value: unknown): string {
  if (value === MISSING || value === null) return String(value?.toString());
  if (typeof value === 'string' && value !== '')
    return `string ${Number.isFinite(Number(value))} ${/[<>&"']/.test(value)}`;
  return JSON.stringify(value);
}
