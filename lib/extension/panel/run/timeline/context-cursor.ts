/** Restores the contexts in which steps started, each from the previous one, so that listing rows in order is cheap. */
import type { RemoteValue } from '../../../inspector/contract.ts';
import { applyChange } from '../../shared/remote-value.ts';
import { contextAfter, SNAPSHOT_INTERVAL } from '../build-trace.ts';
import type { Trace, TraceStep } from '../trace.ts';

export class ContextCursor {
  readonly #trace: Trace;
  #count = -1;
  #context: RemoteValue | null = null;

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  /** Null if the context at that step isn't recorded. */
  before({ changesBefore }: Pick<TraceStep, 'changesBefore'>): RemoteValue | null {
    const { changes, omitted, tracing, dropped } = this.#trace;
    if (tracing === 'bare' || dropped > 0 || (omitted.changes > 0 && changesBefore >= changes.length)) return null;
    const isNear = this.#context && changesBefore >= this.#count && changesBefore - this.#count < SNAPSHOT_INTERVAL;
    if (!isNear || !this.#context) this.#context = contextAfter(this.#trace, changesBefore);
    else
      for (let index = this.#count; index < changesBefore; index++) {
        const change = changes[index];
        if (change) this.#context = applyChange(this.#context, change);
      }
    this.#count = changesBefore;
    return this.#context;
  }
}
