/** What a replay with changes takes for granted, beside that functions do the same with the same input. */
import type { StepInfo } from '../../pipeline/index.ts';
import { OUTGOING_PACKAGES, STAYING_PACKAGES } from '../mocks/dry-run.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import type { RecordedStep, Recording } from '../recording/format.ts';
import { isComputed } from './inputs/own-packages.ts';
import { stepText } from './recorded-steps.ts';

/** As sentences. */
export type Assumptions = string[];

/** The most that a sentence names. */
const MAX_NAMED = 5;

export class Assumed {
  readonly #edits = new Set<string>();
  readonly #byHand = new Set<string>();
  /** The first step that could have changed something outside, and didn’t run. */
  #notRun: RecordedStep | null = null;
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
  notRun(step: RecordedStep): void {
    const isOutgoing = step.kind === 'function' && !STAYING_PACKAGES.has(step.name ?? '');
    if (isOutgoing && step.replaced === undefined) this.#notRun ??= step;
  }

  /** A step has its recorded outcome. */
  taken(info: Pick<StepInfo, 'kind' | 'name' | 'path' | 'iteration'>, step: RecordedStep): void {
    const { attempts = [], changes = [], edited = [], replaced } = step;
    this.edited(edited.map((nth) => changes[nth]!));
    if (attempts.length > 0 || replaced === 'debugger') this.#byHand.add(step.path);
    if (info.kind !== 'function' || !this.#notRun || !canFind(info.name)) return;
    this.#outside ??= `Assumes that ${stepText(info)} gets the same from outside, although ${stepText(this.#notRun)} didn’t run.`;
  }
}

/** Whether a function’s outcome can depend on what is outside. */
const canFind = (name: string): boolean =>
  !isComputed(name) && (!OUTGOING_PACKAGES.includes(name) || name.endsWith('.http-request'));

function listed(pointers: ReadonlySet<string>): string {
  const named = [...pointers].slice(0, MAX_NAMED).join(', ');
  return pointers.size > MAX_NAMED ? `${named}, and ${pointers.size - MAX_NAMED} more` : named;
}
