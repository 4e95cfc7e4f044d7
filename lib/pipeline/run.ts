/** Owns one run of a compiled pipeline: which step is next, waiting for what is not there yet, and how the run ends. */
import type { Context, Observer, PipelineErrorCode, Replacement } from './types.ts';
import type { FunctionNode, IfNode, LoopNode, StepNode } from './nodes.ts';
import { describeThrown, describeValue, pipelineError } from './errors.ts';
import { Loop, findItems } from './loops.ts';
import { Turns } from './turn.ts';
import { Watch } from './watch.ts';

type Phase = 'enter' | 'advance' | 'leave';
type Answer = void | Replacement;
/** False when the run waits again, or has ended. */
type CarryOn = (settled: unknown) => boolean;

/**
 * Runs without recursion and without a Promise of its own per step: one loop goes from step to step, and waits where something
 * answered a Promise. A method that answers false has made the run wait, or ended it.
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
  /** Kept up to date for observers alone. */
  private iteration: readonly number[] = [];
  private pending: PromiseLike<unknown> | undefined;
  private onValue: CarryOn = () => true;
  private onReason: CarryOn = () => true;
  private branch = 0;
  private result: unknown;
  private ended = false;

  constructor(
    first: StepNode | null,
    context: Context,
    options: { observer?: Observer; signal?: AbortSignal },
    resolve: (result: unknown) => void,
    reject: (error: unknown) => void,
  ) {
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
    void this.go();
  }

  private readonly stop = (): void => {
    const path = this.node?.path;
    const iteration = this.indexes();
    this.end(() => {
      this.watch?.endAll({ state: 'stopped' });
      this.reject(pipelineError('ABORTED', 'The run was stopped.', { path, iteration, cause: this.signal?.reason }));
    });
  };

  private fail(code: PipelineErrorCode, message: string, cause?: { cause: unknown }): false {
    const error = pipelineError(code, message, { path: this.node?.path, iteration: this.indexes(), ...cause });
    this.end(() => {
      this.watch?.endAll({ state: 'failed', error });
      this.reject(error);
    });
    return false;
  }

  private readonly failStep = (thrown: unknown): false =>
    this.fail('STEP_FAILED', `${this.node?.name} failed: ${describeThrown(thrown)}`, { cause: thrown });
  private readonly failCondition = (thrown: unknown): false =>
    this.fail('CONDITION_FAILED', `Condition ${this.branch + 1} of the if step failed: ${describeThrown(thrown)}`, {
      cause: thrown,
    });

  private indexes(): number[] {
    return this.loops.map(({ index }) => index);
  }

  private end(tell: () => void): void {
    if (this.ended) return;
    this.ended = true;
    this.signal?.removeEventListener('abort', this.stop);
    tell();
  }

  private async go(): Promise<void> {
    let going = true;
    for (;;) {
      try {
        while (going && !this.ended) {
          const { node } = this;
          if (!node) return this.end(() => this.resolve(this.result));
          going =
            this.phase === 'enter'
              ? this.enter(node)
              : this.phase === 'advance'
                ? this.advance(node as LoopNode)
                : this.leave(node);
        }
      } catch (thrown) {
        this.failStep(thrown);
      }
      if (this.ended) return;
      let settled: unknown;
      let carryOn = this.onValue;
      try {
        settled = await this.pending;
      } catch (reason) {
        settled = reason;
        carryOn = this.onReason;
      }
      if (this.ended) return;
      try {
        going = carryOn(settled);
      } catch (thrown) {
        this.failStep(thrown);
      }
    }
  }

  /** What the run waits for, and how it goes on from there. */
  private wait(pending: PromiseLike<unknown>, onValue: CarryOn, onReason: CarryOn): false {
    this.pending = pending;
    this.onValue = onValue;
    this.onReason = onReason;
    return false;
  }

  private readonly onBefore: CarryOn = (answer) => this.proceed(answer as Answer);
  private readonly onAnswer: CarryOn = (value) => this.answered(value, false);
  private readonly onReplaced: CarryOn = (value) => this.answered(value, true);
  private readonly onRejected: CarryOn = (reason) => (reason === undefined ? this.skip() : this.failStep(reason));
  private readonly onTested: CarryOn = (holds) =>
    holds ? this.choose(this.node as IfNode) : (this.branch++, this.decide(this.node as IfNode));

  private enter(node: StepNode): boolean {
    if (this.turns.due()) return this.takeTurn();
    if (!this.watch) return this.perform(node);
    const answer = this.watch.before(node, this.iteration, this.context);
    return isThenable(answer) ? this.wait(answer, this.onBefore, this.failStep) : this.proceed(answer as Answer);
  }

  private takeTurn(): false {
    return this.wait(this.turns.take(), () => true, this.failStep);
  }

  private proceed(answer: Answer): boolean {
    const { node } = this;
    if (this.ended || !node) return false;
    // Anything else that before answers by accident, such as the length that push answers, replaces nothing.
    if (typeof answer !== 'object' || answer === null) return this.perform(node);
    if ('error' in answer) return this.failStep(answer.error);
    if ('skip' in answer && answer.skip) return this.skip();
    if (!('value' in answer)) return this.perform(node);
    return isThenable(answer.value)
      ? this.wait(answer.value, this.onReplaced, this.onRejected)
      : this.answered(answer.value, true);
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
      if (isThenable(value)) return this.wait(value, this.onAnswer, this.onRejected);
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

  /** Ends this step, and those around it that end with it. */
  private leave(node: StepNode): boolean {
    for (let at: StepNode | null = node; at; at = at.parent) {
      if (this.watch) {
        this.node = at;
        this.watch.after();
        if (this.ended) return false;
      }
      if (at.next) return this.to('enter', at.next);
      if (at.parent?.kind === 'loop') return this.to('advance', at.parent);
    }
    return this.to('leave', null);
  }

  private loop(node: LoopNode): boolean {
    let items: unknown = null;
    if (node.items !== null) {
      items = findItems(this.context, node.items);
      if (!Array.isArray(items))
        return this.fail(
          'LOOP_ITEMS_INVALID',
          `The loop needs an array in ${JSON.stringify(node.items)}; it found ${describeValue(items)}.`,
        );
    }
    this.loops.push(new Loop(node, items as unknown[] | null, this.context));
    return this.to('advance');
  }

  private advance(node: LoopNode): boolean {
    const loop = this.loops.at(-1) as Loop;
    if (!node.first && this.turns.due()) return this.takeTurn();
    if (loop.advance(this.context)) {
      if (!node.first) return true;
      if (this.watch) this.iteration = this.indexes();
      return this.to('enter', node.first);
    }
    this.loops.pop();
    if (this.watch) this.iteration = this.indexes();
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
        if (isCode && isThenable(holds)) return this.wait(holds, this.onTested, this.failCondition);
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
  return (
    value instanceof Promise ||
    (((typeof value === 'object' && value !== null) || typeof value === 'function') &&
      typeof (value as { then?: unknown }).then === 'function')
  );
}
