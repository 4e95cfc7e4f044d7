/** Keeps values of runs that no page has, such as recorded ones, so that they can be expanded like a page's. */
import { describe } from '../../../inspector/agent/describe/describe.ts';
import type { Budget } from '../../../inspector/agent/describe/describe-cursor.ts';
import type { Handles } from '../../../inspector/agent/handles.ts';
import type { RemoteValue } from '../../../inspector/contract.ts';

/** Beyond, the oldest values can't be expanded anymore. */
const MAX_VALUES = 200_000;
const EXPANSION: Budget = { nodes: 1_000, chars: 60_000, depth: 4 };

/** Larger than those of pages. Starts at a random number, because stored runs have the handles of earlier panels. */
const FIRST = 2 ** 52 + 2 ** 51;
let next = FIRST + Math.floor(Math.random() * 2 ** 38) * 2 ** 12;

export class LocalValues implements Handles {
  readonly getterText = 'not in the recording';
  readonly #values = new Map<number, string | object>();

  add(value: string | object): number {
    const handle = next++;
    this.#values.set(handle, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > MAX_VALUES && oldest !== undefined) this.#values.delete(oldest);
    return handle;
  }

  get(handle: number): string | object | undefined {
    return this.#values.get(handle);
  }

  runStarted(): void {}

  describe(value: unknown, budget: Budget): RemoteValue {
    return describe(value, budget, this);
  }

  /** Entries `from` to `from + count` of an object or array; null if it isn't one of these values. */
  expand(handle: number, from: number, count: number): RemoteValue | null {
    const value = this.#values.get(handle);
    return typeof value === 'object' ? describe(value, EXPANSION, this, from, count) : null;
  }

  /** A string; null if it isn't one of these values. */
  text(handle: number): string | null {
    const value = this.#values.get(handle);
    return typeof value === 'string' ? value : null;
  }
}

/** Whether a page can't have this handle. */
export const isLocal = (handle: number): boolean => handle >= FIRST;
