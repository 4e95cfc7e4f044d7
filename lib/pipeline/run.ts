/** Runs a compiled pipeline step by step, awaits Promises, and ends the run. */
import type {
  ConditionSources,
  Context,
  Observer,
  PipelineError,
  PipelineErrorCode,
  Replacement,
  Retry,
} from './types.ts';
import type { FunctionNode, IfNode, LoopNode, StepNode } from './nodes.ts';
import { describeThrown, describeValue, pipelineError, quote } from './errors.ts';
import { Loop, findItems } from './loops.ts';
import { Yielding } from './yielding.ts';
import { withSources } from './condition/sources.ts';
import { Watch } from './watch.ts';

type Phase = 'enter' | 'perform' | 'advance' | 'leave';
/** Continues with the value or reason of a settled Promise. Returns false if the run is waiting again or has ended. */
type Resume = (settled: unknown) => boolean;

/**
 * Runs without recursion, and without a Promise per step: a single loop goes from step to step, and waits when a
 * function returns a Promise. Methods return false if the run must wait or has ended.
 */
export class Run {
  private readonly context: Context;
  private readonly watch: Watch | null;
  private readonly signal: AbortSignal | undefined;
  private readonly sources: ConditionSources | undefined;
  private readonly resolve: (result: unknown) => void;
  private readonly reject: (error: unknown) => void;
  private readonly yielding = new Yielding();
  private readonly loops: Loop[] = [];
  private node: StepNode | null;
  private phase: Phase = 'enter';
  /** Updated only if there is an observer. */
  private iteration: readonly number[] = [];
  private pending: PromiseLike<unknown> | undefined;
  private onValue: Resume = () => true;
  private onReason: Resume = () => true;
  private branch = 0;
  private result: unknown;
  private ended = false;

  constructor(
    first: StepNode | null,
    context: Context,
    options: { observer?: Observer; signal?: AbortSignal; sources?: ConditionSources },
    resolve: (result: unknown) => void,
    reject: (error: unknown) => void,
  ) {
    this.node = first;
    this.context = context;
    this.watch = options.observer ? new Watch(options.observer) : null;
    this.signal = options.signal;
    this.sources = options.sources;
    this.resolve = resolve;
    this.reject = reject;
  }

  start(): void {
    if (this.signal?.aborted) return this.stop();
    this.signal?.addEventListener('abort', this.stop);
    void this.execute();
  }

  private readonly stop = (): void => {
    const path = this.node?.path;
    const iteration = this.indexes();
    this.end(() => {
      this.watch?.endAll({ state: 'stopped' });
      this.reject(pipelineError('ABORTED', 'The run was stopped.', { path, iteration, cause: this.signal?.reason }));
    });
  };

  private error(code: PipelineErrorCode, message: string, cause?: { cause: unknown }): PipelineError {
    return pipelineError(code, message, { path: this.node?.path, iteration: this.indexes(), ...cause });
  }

  private stepError(thrown: unknown): PipelineError {
    return this.error('STEP_FAILED', `${this.node?.name} failed: ${describeThrown(thrown)}`, { cause: thrown });
  }

  private fail(error: PipelineError, replaced?: string): false {
    this.end(() => {
      this.watch?.endAll({ state: 'failed', error }, replaced);
      this.reject(error);
    });
    return false;
  }

  /** Ends the run, unless the observer replaces the failure, or retries the step. */
  private failUnlessReplaced(error: PipelineError): boolean {
    const { node, watch } = this;
    if (this.ended || !node || !watch) return this.fail(error);
    const settle: Resume = (answer) =>
      !this.ended && isRetry(answer) ? this.goTo('perform') : (this.replace(node, answer) ?? this.fail(error));
    try {
      const answer = watch.failed(node, error);
      return isThenable(answer) ? this.wait(answer, settle, () => this.fail(error)) : settle(answer);
    } catch {
      return this.fail(error);
    }
  }

  /** An observer has thrown an error. */
  private readonly failObserved = (thrown: unknown): false => this.fail(this.stepError(thrown));
  private readonly failStep = (thrown: unknown): boolean => this.failUnlessReplaced(this.stepError(thrown));
  private readonly failCondition = (thrown: unknown): boolean =>
    this.failUnlessReplaced(
      this.error('CONDITION_FAILED', `Condition ${this.branch + 1} of the if step failed: ${describeThrown(thrown)}`, {
        cause: thrown,
      }),
    );

  private indexes(): number[] {
    return this.loops.map(({ index }) => index);
  }

  /** The list of the last iteration belongs to the observer. */
  private nextIteration(index: number): readonly number[] {
    const { length } = this.loops;
    if (length === 1) return [index];
    const iteration = this.iteration.slice(0, length);
    iteration[length - 1] = index;
    return iteration;
  }

  private end(settle: () => void): void {
    if (this.ended) return;
    this.ended = true;
    this.signal?.removeEventListener('abort', this.stop);
    settle();
  }

  private async execute(): Promise<void> {
    let isRunning = true;
    for (;;) {
      try {
        while (isRunning && !this.ended) {
          const { node } = this;
          if (!node) return this.end(() => this.resolve(this.result));
          isRunning = this.go(node);
        }
      } catch (thrown) {
        this.failObserved(thrown);
      }
      if (this.ended) return;
      let settled: unknown;
      let resume = this.onValue;
      try {
        settled = await this.pending;
      } catch (reason) {
        settled = reason;
        resume = this.onReason;
      }
      if (this.ended) return;
      try {
        isRunning = resume(settled);
      } catch (thrown) {
        this.failObserved(thrown);
      }
    }
  }

  private go(node: StepNode): boolean {
    switch (this.phase) {
      case 'enter':
        return this.enter(node);
      case 'perform':
        return this.performAgain(node);
      case 'advance':
        return this.advance(node as LoopNode);
      case 'leave':
        return this.leave(node);
    }
  }

  private wait(pending: PromiseLike<unknown>, onValue: Resume, onReason: Resume): false {
    this.pending = pending;
    this.onValue = onValue;
    this.onReason = onReason;
    return false;
  }

  private readonly onBefore: Resume = (answer) => this.proceed(answer);
  private readonly onReturned: Resume = (value) => this.complete(value);
  private readonly onRejected: Resume = (reason) => (reason === undefined ? this.skip() : this.failStep(reason));
  private readonly onTested: Resume = (holds) =>
    holds ? this.choose(this.node as IfNode) : (this.branch++, this.decide(this.node as IfNode));

  private enter(node: StepNode): boolean {
    if (this.yielding.isDue()) return this.yield();
    if (!this.watch) return this.perform(node);
    const answer = this.watch.before(node, this.iteration, this.context);
    // Most observers only look.
    if (answer === undefined && !this.ended) return this.perform(node);
    return isThenable(answer) ? this.wait(answer, this.onBefore, this.failObserved) : this.proceed(answer);
  }

  private yield(): false {
    return this.wait(this.yielding.yield(), () => true, this.failObserved);
  }

  private proceed(answer: unknown): boolean {
    const { node } = this;
    if (this.ended || !node) return false;
    return this.replace(node, answer) ?? this.perform(node);
  }

  /** Returns null for anything but a replacement: an observer might accidentally return the length from `push`. */
  private replace(node: StepNode, answer: unknown): boolean | null {
    if (this.ended) return false;
    if (typeof answer !== 'object' || answer === null) return null;
    const { by = 'observer', ...replacement } = answer as Replacement;
    if ('error' in replacement) return this.fail(this.stepError(replacement.error), by);
    if ('skip' in replacement && replacement.skip) return this.skip(by);
    if ('branch' in replacement && node.kind === 'if') return this.force(node, replacement.branch, by);
    if (!('value' in replacement)) return null;
    const { value } = replacement;
    if (!isThenable(value)) return this.complete(value, by);
    const onReason: Resume = (reason) => (reason === undefined ? this.skip(by) : this.fail(this.stepError(reason), by));
    return this.wait(value, (settled) => this.complete(settled, by), onReason);
  }

  private perform(node: StepNode): boolean {
    if (node.kind === 'function') return this.call(node);
    if (node.kind === 'loop') return this.loop(node);
    this.branch = 0;
    return this.decide(node);
  }

  /** An observer can retry for ever, so the run stays stoppable. */
  private performAgain(node: StepNode): boolean {
    return this.yielding.isDue() ? this.yield() : this.perform(node);
  }

  private call({ fn, settings }: FunctionNode): boolean {
    let value: unknown;
    try {
      value = fn(settings(), this.context);
      if (isThenable(value)) return this.wait(value, this.onReturned, this.onRejected);
    } catch (thrown) {
      return this.failStep(thrown);
    }
    return this.complete(value);
  }

  /** `value` is what the function returned, or what an observer replaced the step with. */
  private complete(value: unknown, replaced?: string): boolean {
    const { node } = this;
    if (this.ended || !node) return false;
    if (value !== undefined) this.result = value;
    if (replaced !== undefined) this.watch?.outcome({ state: 'completed', value, replaced });
    else if (value !== undefined) this.watch?.outcome({ state: 'completed', value });
    return node.kind === 'function' ? this.descend(node.first) : this.goTo('leave');
  }

  private skip(replaced?: string): boolean {
    this.watch?.outcome(replaced === undefined ? { state: 'skipped' } : { state: 'skipped', replaced });
    return this.goTo('leave');
  }

  private goTo(phase: Phase, node = this.node): true {
    this.node = node;
    this.phase = phase;
    return true;
  }

  /** Enters the nested steps, or ends this step if there are none. */
  private descend(first: StepNode | null): true {
    return first ? this.goTo('enter', first) : this.goTo('leave');
  }

  /** Ends this step, and enclosing steps that end with it. */
  private leave(node: StepNode): boolean {
    for (let step: StepNode | null = node; step; step = step.parent) {
      if (this.watch) {
        this.node = step;
        this.watch.after();
        if (this.ended) return false;
      }
      if (step.next) return this.goTo('enter', step.next);
      if (step.parent?.kind === 'loop') return this.goTo('advance', step.parent);
    }
    return this.goTo('leave', null);
  }

  private loop(node: LoopNode): boolean {
    let items: unknown = null;
    if (node.items !== null) {
      items = findItems(this.context, node.items);
      if (!Array.isArray(items))
        return this.failUnlessReplaced(
          this.error(
            'LOOP_ITEMS_INVALID',
            `The loop needs an array in ${quote(node.items)}, but found ${describeValue(items)}.`,
          ),
        );
    }
    this.loops.push(new Loop(node, items as unknown[] | null, this.context));
    return this.goTo('advance');
  }

  private advance(node: LoopNode): boolean {
    const loop = this.loops.at(-1) as Loop;
    if (!node.first && this.yielding.isDue()) return this.yield();
    if (loop.advance(this.context)) {
      if (!node.first) return true;
      if (this.watch) this.iteration = this.nextIteration(loop.index);
      return this.goTo('enter', node.first);
    }
    this.loops.pop();
    if (this.watch) this.iteration = this.indexes();
    loop.restore(this.context);
    this.watch?.outcome({ state: 'completed', iterations: loop.index + 1 });
    return this.goTo('leave');
  }

  /** Tests the conditions, starting at index `branch`. */
  private decide(node: IfNode): boolean {
    const { branches } = node;
    for (; this.branch < branches.length; this.branch++) {
      const { test, isCode } = branches[this.branch] as IfNode['branches'][number];
      try {
        const holds = this.sources ? withSources(this.sources, test, this.context) : test(this.context);
        if (isCode && isThenable(holds)) return this.wait(holds, this.onTested, this.failCondition);
        if (holds) break;
      } catch (thrown) {
        return this.failCondition(thrown);
      }
    }
    return this.choose(node);
  }

  /** Runs a block without evaluating conditions. */
  private force(node: IfNode, branch: number | 'else' | null, replaced: string): boolean {
    const block = branch === null ? null : branch === 'else' ? node.otherwise : node.branches[branch];
    if (!block && branch !== null) return this.failObserved(new RangeError(`The if step has no branch ${branch}.`));
    this.watch?.outcome({ state: 'completed', branch, replaced });
    return this.descend(block?.first ?? null);
  }

  private choose({ branches, otherwise }: IfNode): boolean {
    if (this.ended) return false;
    const chosen = branches[this.branch];
    this.watch?.chose(chosen ? this.branch : otherwise ? 'else' : null);
    return this.descend((chosen ?? otherwise)?.first ?? null);
  }
}

function isRetry(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && (answer as Partial<Retry>).retry === true;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value instanceof Promise ||
    (((typeof value === 'object' && value !== null) || typeof value === 'function') &&
      typeof (value as { then?: unknown }).then === 'function')
  );
}
