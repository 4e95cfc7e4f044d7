/** Reports a run’s steps to its observer. */
import type { Context, Observer, PipelineError, StepInfo, StepOutcome } from './types.ts';
import type { StepNode } from './nodes.ts';

// Most steps end in one of few ways, so these outcomes are shared.
const COMPLETED: StepOutcome = Object.freeze({ state: 'completed' });
const NO_BRANCH: StepOutcome = Object.freeze({ state: 'completed', branch: null });
const OTHERWISE: StepOutcome = Object.freeze({ state: 'completed', branch: 'else' });
const BRANCHES: StepOutcome[] = [];

/** Each `before` is followed by exactly one `after` with the same info. */
export class Watch {
  private readonly observer: Observer;
  /** Open steps, innermost last, with each one’s outcome so far. */
  private readonly open: StepInfo[] = [];
  private readonly outcomes: StepOutcome[] = [];

  constructor(observer: Observer) {
    this.observer = observer;
  }

  before(node: StepNode, iteration: readonly number[], context: Context): ReturnType<NonNullable<Observer['before']>> {
    const { path, kind, name, step } = node;
    const info: StepInfo = { path, iteration, kind, name, step, context };
    this.open.push(info);
    this.outcomes.push(COMPLETED);
    return this.observer.before?.(info);
  }

  /** Asks what happens instead of a failure of the innermost open step. */
  failed(node: StepNode, error: PipelineError): ReturnType<NonNullable<Observer['failed']>> {
    const info = this.open.at(-1);
    return info?.step === node.step ? this.observer.failed?.(info, error) : undefined;
  }

  /** Sets the outcome of the innermost open step, to be reported when its nested steps have ended. */
  outcome(outcome: StepOutcome): void {
    this.outcomes[this.outcomes.length - 1] = outcome;
  }

  /** Sets the outcome of an `if`: the block that runs. */
  chose(branch: number | 'else' | null): void {
    this.outcome(
      branch === null
        ? NO_BRANCH
        : branch === 'else'
          ? OTHERWISE
          : (BRANCHES[branch] ??= Object.freeze({ state: 'completed', branch })),
    );
  }

  after(): void {
    const info = this.open.pop();
    const outcome = this.outcomes.pop() ?? COMPLETED;
    if (info) this.observer.after?.(info, outcome);
  }

  /**
   * Ends all open steps, innermost first. Errors thrown by an observer have no effect: the run has already ended.
   * @param replaced what replaced the outcome of the innermost step
   */
  endAll(outcome: Extract<StepOutcome, { state: 'failed' | 'stopped' }>, replaced?: string): void {
    let own = replaced;
    for (let info = this.open.pop(); info; info = this.open.pop()) {
      const forced = forcedBranch(this.outcomes.pop());
      try {
        this.observer.after?.(info, { ...outcome, ...(own !== undefined && { replaced: own }), ...forced });
      } catch {
        // Only the first failure is reported.
      }
      own = undefined;
    }
  }
}

interface Forced {
  branch: number | 'else' | null;
  replaced: string;
}

/** The branch that an observer has chosen for an `if`. */
function forcedBranch(outcome: StepOutcome | undefined): Forced | undefined {
  if (outcome?.state !== 'completed' || outcome.branch === undefined || outcome.replaced === undefined)
    return undefined;
  return { branch: outcome.branch, replaced: outcome.replaced };
}
