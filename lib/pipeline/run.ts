/** Owns one run of a compiled pipeline: which step is next, waiting for what is not there yet, and how the run ends. */
import type { Context, Observer, PipelineErrorCode, Replacement } from './types.ts';
import type { FunctionNode, IfNode, LoopNode, StepNode } from './nodes.ts';
import { describeThrown, describeValue, pipelineError } from './errors.ts';
import { Loop, findItems } from './loops.ts';
import { Turns } from './turn.ts';
import { Watch } from './watch.ts';

type Phase = 'enter' | 'advance' | 'leave';
type Answer = void | Replacement;

const { then } = Promise.prototype;

/**
 * Runs without recursion and without a Promise of its own per step: one loop goes from step to step, stops where something
 * answers a Promise, and is started again by it. A method that answers false has stopped the loop.
 */
export class Run {
  private readonly context: Context;
  private readonly watch: Watch | null;
  private readonly signal: AbortSignal | undefined;
  private readonly resolve: (result: unknown) => void;
  private readonly reject: (error: unknown) => void;
  private readonly turns = new Turns();
  private readonly loops: Loop[] = [];
  private node: StepNode | null;
  private phase: Phase = 'enter';
  private iteration: readonly number[] = [];
  private branch = 0;
  private result: unknown;
  private ended = false;

  constructor(first: StepNode | null, context: Context, options: { observer?: Observer; signal?: AbortSignal }, resolve: (result: unknown) => void, reject: (error: unknown) => void) {
    this.node = first;
    this.context = context;
    this.watch = options.observer ? new Watch(options.observer) : null;
    this.signal = options.signal;
    this.resolve = resolve;
    this.reject = reject;
  }

  start(): void {
    if (this.signal?.aborted) return this.stop();
    this.signal?.addEventListener('abort', this.stop);
    this.go();
  }

  private readonly stop = (): void => {
    const path = this.node?.path;
    const { iteration } = this;
    this.end(() => {
      this.watch?.endAll({ state: 'stopped' });
      this.reject(pipelineError('ABORTED', 'The run was stopped.', { path, iteration, cause: this.signal?.reason }));
    });
  };

  private fail(code: PipelineErrorCode, message: string, cause?: { cause: unknown }): false {
    const error = pipelineError(code, message, { path: this.node?.path, iteration: this.iteration, ...cause });
    this.end(() => {
      this.watch?.endAll({ state: 'failed', error });
      this.reject(error);
    });
    return false;
  }

  private readonly failStep = (thrown: unknown): false => this.fail('STEP_FAILED', `${this.node?.name} failed: ${describeThrown(thrown)}`, { cause: thrown });
  private readonly failCondition = (thrown: unknown): false => this.fail('CONDITION_FAILED', `Condition ${this.branch + 1} of the if step failed: ${describeThrown(thrown)}`, { cause: thrown });

  private end(tell: () => void): void {
    if (this.ended) return;
    this.ended = true;
    this.signal?.removeEventListener('abort', this.stop);
    tell();
  }

  private readonly go = (): void => {
    try {
      while (!this.ended) {
        const { node } = this;
        if (!node) return this.end(() => this.resolve(this.result));
        if (!(this.phase === 'enter' ? this.enter(node) : this.phase === 'advance' ? this.advance(node as LoopNode) : this.leave(node))) return;
      }
    } catch (thrown) {
      this.failStep(thrown);
    }
  };

  /** Goes on with what a Promise brings, unless the run has ended meanwhile. */
  private resume<T>(carryOn: (value: T) => boolean): (value: T) => void {
    return (value) => {
      if (this.ended) return;
      try {
        if (!carryOn(value)) return;
      } catch (thrown) {
        this.failStep(thrown);
      }
      this.go();
    };
  }

  private readonly onBefore = this.resume((answer: Answer) => this.proceed(answer));
  private readonly onValue = this.resume((value: unknown) => this.answered(value, false));
  private readonly onReplaced = this.resume((value: unknown) => this.answered(value, true));
  private readonly onRejected = this.resume((reason: unknown) => (reason === undefined ? this.skip() : this.failStep(reason)));
  private readonly onFailed = this.resume((reason: unknown) => this.failStep(reason));
  private readonly onTested = this.resume((holds: unknown) => (holds ? this.choose(this.node as IfNode) : (this.branch++, this.decide(this.node as IfNode))));
  private readonly onTestFailed = this.resume((reason: unknown) => this.failCondition(reason));

  private enter(node: StepNode): boolean {
    if (this.turns.due()) return this.takeTurn();
    if (!this.watch) return this.perform(node);
    const answer = this.watch.before(node, this.iteration, this.context);
    if (isThenable(answer)) return wait(answer, this.onBefore as (answer: unknown) => void, this.onFailed);
    return this.proceed(answer as Answer);
  }

  private takeTurn(): false {
    this.turns.take(this.go);
    return false;
  }

  private proceed(answer: Answer): boolean {
    const { node } = this;
    if (this.ended || !node) return false;
    if (!answer) return this.perform(node);
    if ('error' in answer) return this.failStep(answer.error);
    if ('skip' in answer) return this.skip();
    return isThenable(answer.value) ? wait(answer.value, this.onReplaced, this.onRejected) : this.answered(answer.value, true);
  }

  private perform(node: StepNode): boolean {
    if (node.kind === 'function') return this.call(node);
    if (node.kind === 'loop') return this.loop(node);
    this.branch = 0;
    return this.decide(node);
  }

  private call({ fn, settings }: FunctionNode): boolean {
    let value: unknown;
    try {
      value = fn(settings(), this.context);
      if (isThenable(value)) return wait(value, this.onValue, this.onRejected);
    } catch (thrown) {
      return this.failStep(thrown);
    }
    return this.answered(value, false);
  }

  /** A function's answer, or what an observer put in the place of a step. */
  private answered(value: unknown, replaced: boolean): boolean {
    const { node } = this;
    if (this.ended || !node) return false;
    if (value !== undefined) this.result = value;
    this.watch?.outcome(replaced ? { state: 'completed', value, replaced } : { state: 'completed', value });
    return node.kind === 'function' ? this.descend(node.first) : this.to('leave');
  }

  private skip(): boolean {
    this.watch?.outcome({ state: 'skipped' });
    return this.to('leave');
  }

  private to(phase: Phase, node = this.node): true {
    this.node = node;
    this.phase = phase;
    return true;
  }

  /** Into the nested steps, or to this step's end when there are none. */
  private descend(first: StepNode | null): true {
    return first ? this.to('enter', first) : this.to('leave');
  }

  private leave(node: StepNode): boolean {
    this.watch?.after();
    if (node.next) return this.to('enter', node.next);
    return this.to(node.parent?.kind === 'loop' ? 'advance' : 'leave', node.parent);
  }

  private loop(node: LoopNode): boolean {
    let items: unknown = null;
    if (node.items !== null) {
      items = findItems(this.context, node.items);
      if (!Array.isArray(items)) return this.fail('LOOP_ITEMS_INVALID', `The loop needs an array in ${JSON.stringify(node.items)}; it found ${describeValue(items)}.`);
    }
    this.loops.push(new Loop(node, items as unknown[] | null, this.context));
    return this.to('advance');
  }

  private advance(node: LoopNode): boolean {
    const loop = this.loops.at(-1) as Loop;
    if (!node.first && this.turns.due()) return this.takeTurn();
    if (loop.advance(this.context)) {
      if (!node.first) return true;
      this.iteration = this.loops.map(({ index }) => index);
      return this.to('enter', node.first);
    }
    this.loops.pop();
    this.iteration = this.loops.map(({ index }) => index);
    loop.restore(this.context);
    this.watch?.outcome({ state: 'completed', iterations: loop.index + 1 });
    return this.to('leave');
  }

  /** Tries the conditions from `branch` on. */
  private decide(node: IfNode): boolean {
    const { branches } = node;
    for (; this.branch < branches.length; this.branch++) {
      const { test, isCode } = branches[this.branch] as IfNode['branches'][number];
      try {
        const holds = test(this.context);
        if (isCode && isThenable(holds)) return wait(holds, this.onTested, this.onTestFailed);
        if (holds) break;
      } catch (thrown) {
        return this.failCondition(thrown);
      }
    }
    return this.choose(node);
  }

  private choose({ branches, otherwise }: IfNode): boolean {
    if (this.ended) return false;
    const chosen = branches[this.branch];
    this.watch?.outcome({ state: 'completed', branch: chosen ? this.branch : otherwise ? 'else' : null });
    return this.descend((chosen ?? otherwise)?.first ?? null);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value instanceof Promise || (((typeof value === 'object' && value !== null) || typeof value === 'function') && typeof (value as { then?: unknown }).then === 'function');
}

function wait(promise: PromiseLike<unknown>, onValue: (value: unknown) => void, onReason: (reason: unknown) => void): false {
  then.call(promise instanceof Promise ? promise : Promise.resolve(promise), onValue, onReason);
  return false;
}
