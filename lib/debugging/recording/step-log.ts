/** Collects the steps of a run in progress in a form that takes little time and memory: every run pays for it. */
import type { StepInfo } from '../../pipeline/index.ts';
import type { RecordedStep, StepEnd } from './format.ts';

/** What only some steps have. */
export type StepRest = Omit<RecordedStep, 'kind' | 'path' | 'iteration' | 'name' | 'at' | 'milliseconds' | 'state'>;
type Site = Pick<StepInfo, 'kind' | 'path' | 'name'>;

export interface LoggedStep {
  readonly index: number;
  readonly site: Site;
  readonly iteration: readonly number[];
  /** In microseconds: whole numbers take a third of the time that others take. */
  readonly at: number;
  microseconds: number;
  state: StepEnd;
  rest: StepRest | null;
}

/** A list that grows is copied each time, so steps are in many short ones. */
const CHUNK = 1_024;

export class StepLog {
  readonly #chunks: LoggedStep[][] = [];
  readonly #sites = new Map<string, Site>();
  /** Of the last step. Steps of the same iteration share its list. */
  #iteration: readonly number[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @param at in microseconds */
  add(info: StepInfo, at: number): LoggedStep {
    const index = this.#length++;
    if (!isSameList(info.iteration, this.#iteration)) this.#iteration = info.iteration.slice();
    const step: LoggedStep = {
      index,
      site: this.#siteOf(info),
      iteration: this.#iteration,
      at,
      microseconds: 0,
      state: 'completed',
      rest: null,
    };
    if (index % CHUNK === 0) this.#chunks.push([]);
    this.#chunks.at(-1)!.push(step);
    return step;
  }

  steps(): RecordedStep[] {
    return this.#chunks.flatMap((chunk) => chunk.map(recorded));
  }

  #siteOf({ kind, path, name }: StepInfo): Site {
    const known = this.#sites.get(path);
    if (known && known.kind === kind && known.name === name) return known;
    const site = { kind, path, name };
    this.#sites.set(path, site);
    return site;
  }
}

/** @param at in microseconds */
export function endStep(step: LoggedStep, at: number, state: StepEnd): void {
  step.microseconds = at - step.at;
  step.state = state;
}

/** What is added to a step as it becomes known. */
export const restOf = (step: LoggedStep): StepRest => (step.rest ??= {});

function recorded({ site: { kind, path, name }, iteration, at, microseconds, state, rest }: LoggedStep): RecordedStep {
  // Spreading optional properties would take far longer.
  const step = { kind, path } as RecordedStep;
  if (iteration.length > 0) step.iteration = iteration.slice();
  if (kind === 'function') step.name = name;
  step.at = at / 1_000;
  step.milliseconds = microseconds / 1_000;
  step.state = state;
  return rest ? Object.assign(step, rest) : step;
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return one.length === other.length;
}
