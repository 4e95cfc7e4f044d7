/** Owns what an observer is told: the steps that are open, and how each ended. */
import type { Context, Observer, Replacement, StepInfo, StepOutcome } from './types.ts';
import type { StepNode } from './nodes.ts';

const COMPLETED: StepOutcome = { state: 'completed' };

/** One observer of one run. Each `before` is followed by exactly one `after` with the same info. */
export class Watch {
  private readonly observer: Observer;
  /** Open steps, innermost last, and how each will have ended. */
  private readonly open: StepInfo[] = [];
  private readonly outcomes: StepOutcome[] = [];

  constructor(observer: Observer) {
    this.observer = observer;
  }

  before(
    node: StepNode,
    iteration: readonly number[],
    context: Context,
  ): void | Replacement | Promise<void | Replacement> {
    const { path, kind, name, step } = node;
    const info: StepInfo = { path, iteration, kind, name, step, context };
    this.open.push(info);
    this.outcomes.push(COMPLETED);
    return this.observer.before?.(info);
  }

  /** How the innermost open step will have ended, once its nested steps have. */
  outcome(outcome: StepOutcome): void {
    this.outcomes[this.outcomes.length - 1] = outcome;
  }

  after(): void {
    const info = this.open.pop();
    const outcome = this.outcomes.pop() ?? COMPLETED;
    if (info) this.observer.after?.(info, outcome);
  }

  /** Tells all open steps, innermost first. An observer that throws now changes nothing: the run has ended already. */
  endAll(outcome: StepOutcome): void {
    for (let info = this.open.pop(); info; info = this.open.pop()) {
      try {
        this.observer.after?.(info, outcome);
      } catch {
        // The first failure is the one that is told.
      }
    }
  }
}
