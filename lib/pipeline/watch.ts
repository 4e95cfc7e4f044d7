/** Owns what an observer is told: the steps that are open, and how each ended. */
import type { Context, Observer, Replacement, StepInfo, StepOutcome } from './types.ts';
import type { StepNode } from './nodes.ts';

/** One observer of one run. Each `before` is followed by exactly one `after` with the same info. */
export class Watch {
  private readonly observer: Observer;
  private readonly open: { info: StepInfo; outcome: StepOutcome }[] = [];

  constructor(observer: Observer) {
    this.observer = observer;
  }

  before(node: StepNode, iteration: readonly number[], context: Context): void | Replacement | Promise<void | Replacement> {
    const { path, kind, name, step } = node;
    const info: StepInfo = { path, iteration, kind, name, step, context };
    this.open.push({ info, outcome: { state: 'completed' } });
    return this.observer.before?.(info);
  }

  /** How the innermost open step will have ended, once its nested steps have. */
  outcome(outcome: StepOutcome): void {
    const innermost = this.open.at(-1);
    if (innermost) innermost.outcome = outcome;
  }

  after(): void {
    const innermost = this.open.pop();
    if (innermost) this.observer.after?.(innermost.info, innermost.outcome);
  }

  /** Tells all open steps, innermost first. An observer that throws now changes nothing: the run has ended already. */
  endAll(outcome: StepOutcome): void {
    for (let step = this.open.pop(); step; step = this.open.pop()) {
      try {
        this.observer.after?.(step.info, outcome);
      } catch {
        // The first failure is the one that is told.
      }
    }
  }
}
