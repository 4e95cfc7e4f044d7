/** What changed in both runs’ contexts before a step and in it. Loops’ items are compared whole, not as they changed. */
import type { Change } from '../../../../inspector/contract.ts';
import type { Trace, TraceStep } from '../../trace.ts';
import { type CurrentItems, isLoopPath } from './current-items.ts';

export interface StepInput {
  before: readonly Change[];
  now: readonly Change[];
}

const NO_CHANGES: readonly Change[] = [];

export class StepInputs {
  readonly #before: Trace;
  readonly #now: Trace;
  readonly #items: { before: CurrentItems; now: CurrentItems };
  /** By step, where the previous step event’s changes end. */
  readonly #from = { before: new Map<number, number>(), now: new Map<number, number>() };

  constructor(before: Trace, now: Trace, items: { before: CurrentItems; now: CurrentItems }) {
    this.#before = before;
    this.#now = now;
    this.#items = items;
    collectStarts(before, this.#from.before);
    collectStarts(now, this.#from.now);
  }

  /** The changes since the previous step event. */
  of(left: TraceStep | null, right: TraceStep | null): StepInput {
    const before = changesBefore(this.#before, left, this.#from.before);
    const now = changesBefore(this.#now, right, this.#from.now);
    const items = { before: this.#items.before.get(left?.id ?? -1), now: this.#items.now.get(right?.id ?? -1) };
    const hasItem = before.some(isOfLoop) || now.some(isOfLoop);
    if (!hasItem || !left || !right || !items.before || !items.now) return { before, now };
    return {
      before: [{ path: '/currentItem', after: items.before }, ...withoutLoop(before)],
      now: [{ path: '/currentItem', after: items.now }, ...withoutLoop(now)],
    };
  }

  /** What the steps changed themselves. A loop restores the item and index around it. */
  changesOf(left: TraceStep | null, right: TraceStep | null): StepInput {
    return { before: ownChanges(left), now: ownChanges(right) };
  }
}

const ownChanges = (step: TraceStep | null): readonly Change[] => {
  if (!step) return NO_CHANGES;
  return step.kind === 'loop' && step.changes.some(isOfLoop) ? withoutLoop(step.changes) : step.changes;
};

const isOfLoop = ({ path }: Change): boolean => isLoopPath(path);
const withoutLoop = (changes: readonly Change[]): Change[] => changes.filter((change) => !isOfLoop(change));

function changesBefore(
  { changes }: Trace,
  step: TraceStep | null,
  starts: ReadonlyMap<number, number>,
): readonly Change[] {
  const from = step && starts.get(step.id);
  return step && from !== undefined && from !== null && from < step.changesBefore
    ? changes.slice(from, step.changesBefore)
    : NO_CHANGES;
}

/** A step’s input starts where the step before it ended, or where the step around it started. */
function collectStarts({ order, steps }: Trace, starts: Map<number, number>): void {
  const last = new Map<number | null, TraceStep>();
  for (const step of order) {
    const previous = last.get(step.parent);
    starts.set(step.id, previous ? previous.changesAfter : (steps.get(step.parent ?? -1)?.changesBefore ?? 0));
    last.set(step.parent, step);
  }
}
