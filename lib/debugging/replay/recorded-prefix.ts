/**
 * Starts a run at a step of a recorded run ("run from here"). The steps before it aren’t executed: they have their recorded
 * outcomes and context changes. It’s an observer: pass it to the run, or call it from one. A step that the recording doesn’t
 * lead to is never executed before that place: the run fails instead.
 */
import type { Context, Replacement, StepInfo } from '../../pipeline/index.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import type { RecordedStep, Recording } from '../recording/format.ts';
import type { StepPlace } from '../stepper/types.ts';
import { applyChanges, loseChanges } from './apply-changes.ts';
import { RecordedPayload } from './recorded-payload.ts';
import { branchTo, isSameStep, lossesOf, outcomeValue, placeText, stepText } from './recorded-steps.ts';

export class RecordedPrefix {
  readonly #payload: RecordedPayload;
  readonly #steps: readonly RecordedStep[];
  /** Index of the recorded step where the run starts. */
  readonly #start: number;
  readonly #losses: ReturnType<typeof lossesOf>;
  /** Index of the next recorded step. */
  #next = 0;
  /** The step that has arrived, so that it does so only once. */
  #arrived: StepInfo | null = null;

  /** @throws CodedError `START_NOT_RECORDED`, or LostValueError if the recording doesn’t have the payload */
  constructor(recording: Recording, place: StepPlace) {
    this.#payload = new RecordedPayload(recording.payload);
    this.#steps = recording.steps;
    this.#start = this.#steps.findIndex(({ path, iteration = [] }) => path === place.path && isIn(iteration, place));
    this.#losses = lossesOf(this.#steps);
    if (this.#start >= 0) return;
    throw new CodedError({
      code: 'START_NOT_RECORDED',
      message: `Couldn’t start at ${placeText(place)}: the recorded run didn’t reach this step.`,
      hint: 'Choose a step that the recorded run executed.',
    });
  }

  /** Whether the place is reached. From there on, the steps are executed. */
  get isLive(): boolean {
    return this.#next > this.#start;
  }

  /** The recorded payload, which the run must start with. Lost properties are added before the first step. */
  get payload(): Context {
    return this.#payload.payload;
  }

  /**
   * Brings the context to what it was before a step. `before` does it, too. Call it first to show the context, or to record
   * it, before the step.
   * @throws CodedError `START_UNREACHABLE` if it isn’t the recorded step
   */
  arrive(info: StepInfo): void {
    if (this.isLive || this.#arrived === info) return;
    this.#arrived = info;
    if (this.#next === 0) this.#payload.addLost(info.context);
    const step = this.#steps[this.#next]!;
    if (!isSameStep(step, info))
      this.#refuse(`the recorded run had ${stepText(step)}, but this run has ${stepText(info)}`);
    for (const { changes } of step.late ?? []) this.#apply(changes, info);
    if (this.#next === this.#start) this.#next++;
  }

  /** The recorded outcome, or nothing if the step is executed. */
  before(info: StepInfo): void | Replacement {
    this.arrive(info);
    if (this.isLive) return undefined;
    const index = this.#next++;
    const step = this.#steps[index]!;
    this.#apply(step.changes ?? [], info);
    const outcome = this.#outcomeOf(step, this.#steps[index + 1]!, info);
    const losses = this.#losses.get(index);
    if (losses) loseChanges(info.context, losses);
    return outcome;
  }

  /** @throws CodedError `START_UNREACHABLE` if the step has ended before the place in it was reached */
  after(info: StepInfo): void {
    if (this.isLive) return;
    const next = this.#steps[this.#next]!;
    const isInside = next.path.startsWith(`${info.path}/`) && isPart(info.iteration, next.iteration ?? []);
    if (isInside) this.#refuse(`${placeText(info)} ended without ${placeText(next)}`);
  }

  #outcomeOf(step: RecordedStep, next: RecordedStep, { context }: StepInfo): void | Replacement {
    const isInside = next.path.startsWith(`${step.path}/`);
    if ((step.state === 'failed' || step.state === 'stopped') && !isInside)
      this.#refuse(`${placeText(step)} had ${step.state}`);
    if (step.state === 'skipped') return { skip: true, by: BY };
    if (step.kind === 'if' && (isInside || step.branch !== undefined))
      return { branch: isInside ? branchTo(next.path, step.path) : step.branch!, by: BY };
    if (step.kind !== 'function' && step.replaced === undefined) return undefined;
    return { value: outcomeValue(step, context), by: BY };
  }

  #apply(changes: NonNullable<RecordedStep['changes']>, info: StepInfo): void {
    const misfit = applyChanges(info.context, changes);
    if (misfit !== null) this.#refuse(`a change of ${misfit} at ${placeText(info)} doesn’t fit the context`);
  }

  #refuse(why: string): never {
    throw new CodedError({
      code: 'START_UNREACHABLE',
      message: `Couldn’t start at ${placeText(this.#steps[this.#start]!)}: ${why}. No step was executed.`,
      hint: 'Run the whole pipeline, or start at another step.',
    });
  }
}

const BY = 'recording';

const isIn = (iteration: readonly number[], place: StepPlace): boolean =>
  place.iteration === undefined || String(iteration) === String(place.iteration);

const isPart = (outer: readonly number[], inner: readonly number[]): boolean =>
  outer.every((index, level) => inner[level] === index);
