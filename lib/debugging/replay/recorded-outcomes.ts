/** Finds what a recorded run did at a step: by the step’s path in its pipeline, iteration, and call number. */
import type { StepInfo } from '../../pipeline/index.ts';
import { matchListed } from '../pipelines/match-steps.ts';
import { Contents, listSteps } from '../pipelines/steps.ts';
import type { RecordedStep, Recording } from '../recording/format.ts';
import type { RecordedValue } from '../recording/values.ts';

export interface RecordedOutcome {
  step: RecordedStep;
  /** Index of the recorded step. */
  index: number;
  /** Whether the step’s own content, such as its settings or conditions, differs from the recorded one. */
  isChanged: boolean;
}

interface Counterpart {
  path: string;
  isChanged: boolean;
}

export class RecordedOutcomes {
  readonly #steps: readonly RecordedStep[];
  /** Indexes of the recorded steps at each place, last call first. */
  readonly #places = new Map<string, number[]>();
  /** By the path in the pipeline that runs; null if it’s the recorded one. */
  readonly #counterparts: ReadonlyMap<string, Counterpart> | null;

  /** @param pipeline the one that runs if it isn’t the recorded one */
  constructor({ steps, pipeline: recorded }: Recording, pipeline?: RecordedValue) {
    this.#steps = steps;
    this.#counterparts = pipeline === undefined ? null : counterparts(recorded, pipeline);
    for (let index = steps.length - 1; index >= 0; index--) {
      const place = placeOf(steps[index]!.path, steps[index]!.iteration);
      const others = this.#places.get(place);
      if (others) others.push(index);
      else this.#places.set(place, [index]);
    }
  }

  /** The path of a step in the recorded pipeline. Null if it isn’t there. */
  recordedPath({ path }: Pick<StepInfo, 'path'>): string | null {
    return this.#counterparts ? (this.#counterparts.get(path)?.path ?? null) : path;
  }

  /** The outcome of a step’s next call. Null if there’s none. */
  take({ path, iteration, kind, name }: StepInfo): RecordedOutcome | null {
    const counterpart = this.#counterparts ? this.#counterparts.get(path) : { path, isChanged: false };
    if (!counterpart) return null;
    const index = this.#places.get(placeOf(counterpart.path, iteration))?.pop();
    if (index === undefined) return null;
    const step = this.#steps[index]!;
    const isSame = step.kind === kind && (step.name ?? name) === name;
    return isSame ? { step, index, isChanged: counterpart.isChanged } : null;
  }
}

const placeOf = (path: string, iteration: readonly number[] = []): string =>
  iteration.length > 0 ? `${path} ${iteration.join()}` : path;

function counterparts(recorded: RecordedValue, pipeline: RecordedValue): Map<string, Counterpart> {
  const contents = new Contents();
  const matches = matchListed(listSteps(recorded, contents), listSteps(pipeline, contents));
  return new Map([...matches].map(([now, old]) => [now.path, { path: old.path, isChanged: now.own !== old.own }]));
}
