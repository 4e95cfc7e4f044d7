/** What a replay with changes takes for granted, beside that functions do the same with the same input. */
import type { StepInfo } from '../../pipeline/index.ts';
import { OUTGOING_PACKAGES, STAYING_PACKAGES } from '../mocks/dry-run.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import type { RecordedStep, Recording } from '../recording/format.ts';
import { isComputed } from './inputs/own-packages.ts';
import type { RecordedOutcome } from './recorded-outcomes.ts';
import { stepText } from './recorded-steps.ts';

/** As sentences. */
export type Assumptions = string[];

/** The most that a sentence names. */
const MAX_NAMED = 5;

export class Assumed {
  readonly #edits = new Set<string>();
  readonly #byHand = new Set<string>();
  /** Steps that could have changed something outside, and haven’t run, by their index in the recorded run. */
  readonly #notRun = new Map<number, RecordedStep>();
  /** Of those that have run, the one that was last in the recorded run. */
  #last: RecordedOutcome | null = null;
  #outside: string | null = null;
  readonly #bySettings = new Set<string>();

  get all(): Assumptions {
    return [
      ...(this.#edits.size > 0 ? [`The context was edited as in the recorded run: ${listed(this.#edits)}.`] : []),
      ...(this.#byHand.size > 0 ? [`Retried or forced as in the recorded run: ${listed(this.#byHand)}.`] : []),
      ...(this.#outside === null ? [] : [this.#outside]),
      ...(this.#bySettings.size > 0 ? [`Assumed to read only their settings: ${listed(this.#bySettings)}.`] : []),
    ];
  }

  /** Another platform can have other packages by the names of ours. A server’s recording is of our local platform. */
  comparedSettings({ name }: Pick<StepInfo, 'name'>, { engine }: Pick<Recording, 'engine'>): void {
    if (engine !== 'server') this.#bySettings.add(name);
  }

  /** The user edited the context. */
  edited(changes: readonly RecordedChange[]): void {
    for (const [pointer] of changes) this.#edits.add(pointer);
  }

  /** A recorded step doesn’t run, or is mocked. */
  notRun({ step, index }: Pick<RecordedOutcome, 'step' | 'index'>): void {
    if (isOutgoing(step)) this.#notRun.set(index, step);
  }

  /** A step has its recorded outcome. */
  taken(info: Taken, outcome: RecordedOutcome): void {
    const { step, index } = outcome;
    const { attempts = [], changes = [], edited = [], replaced } = step;
    this.edited(edited.map((nth) => changes[nth]!));
    if (attempts.length > 0 || replaced === 'debugger') this.#byHand.add(step.path);
    this.#notRun.delete(index);
    if (info.kind === 'function' && canFind(info.name)) this.#outside ??= this.#otherOutside(info, index);
    if (isOutgoing(step) && index > (this.#last?.index ?? -1)) this.#last = outcome;
  }

  #otherOutside(info: Taken, index: number): string | null {
    const [[missingIndex, missing] = []] = this.#notRun;
    const early = this.#last && this.#last.index > index ? this.#last.step : null;
    const isMissing = missing !== undefined && missingIndex! < index;
    const other = isMissing ? `${stepText(missing)} didn’t run` : early && `${stepText(early)} ran`;
    return other && `Assumes that ${stepText(info)} gets the same from outside, although ${other} before it.`;
  }
}

type Taken = Pick<StepInfo, 'kind' | 'name' | 'path' | 'iteration'>;

const isOutgoing = ({ kind, name = '', replaced }: RecordedStep): boolean =>
  kind === 'function' && replaced === undefined && !STAYING_PACKAGES.has(name);

/** Whether a function’s outcome can depend on what is outside. */
const canFind = (name: string): boolean =>
  !isComputed(name) && (!OUTGOING_PACKAGES.includes(name) || name.endsWith('.http-request'));

function listed(pointers: ReadonlySet<string>): string {
  const named = [...pointers].slice(0, MAX_NAMED).join(', ');
  return pointers.size > MAX_NAMED ? `${named}, and ${pointers.size - MAX_NAMED} more` : named;
}
