/** Finds where two values first differ: also in the order of properties, and in which of their objects are the same. */
import { escapeToken } from '../../../shared/json-pointer.ts';
import { isPlain, LostValueError, MAX_DEPTH } from '../../recording/values.ts';

export interface ValueDifference {
  /** JSON Pointer. */
  pointer: string;
  /** Absent if there’s no such value. */
  recorded?: unknown;
  replayed?: unknown;
}

/** @throws LostValueError if the values are the same only as far as they’re known */
export function firstDifference(recorded: unknown, replayed: unknown): ValueDifference | null {
  const comparison = new Comparison();
  const found = comparison.compare(recorded, replayed);
  if (!found && comparison.lost) throw comparison.lost;
  return found;
}

type Fields = Record<string | number, unknown>;
type Values = Omit<ValueDifference, 'pointer'>;

class Comparison {
  lost: LostValueError | null = null;
  /** The property that is being compared, from the outside in. */
  readonly #keys: (string | number)[] = [];
  /** The object that each object has to be, in both directions. */
  readonly #pairs = new Map<object, object>();
  readonly #back = new Map<object, object>();

  compare(recorded: unknown, replayed: unknown): ValueDifference | null {
    if (Object.is(recorded, replayed)) return null;
    if (!isObject(recorded) || !isObject(replayed)) return this.#found({ recorded, replayed });
    if (recorded instanceof Date && replayed instanceof Date)
      return Object.is(recorded.getTime(), replayed.getTime()) ? null : this.#found({ recorded, replayed });
    if (!isPlain(recorded) || !isPlain(replayed)) return this.#lose(new LostValueError('not-data'));
    return this.#objects(recorded, replayed);
  }

  #objects(recorded: object, replayed: object): ValueDifference | null {
    if (Array.isArray(recorded) !== Array.isArray(replayed)) return this.#found({ recorded, replayed });
    const [known, back] = [this.#pairs.get(recorded), this.#back.get(replayed)];
    if (known !== undefined || back !== undefined)
      return known === replayed && back === recorded ? null : this.#found({ recorded, replayed });
    if (this.#keys.length > MAX_DEPTH + 1) return this.#lose(new LostValueError('too-deep'));
    this.#pairs.set(recorded, replayed);
    this.#back.set(replayed, recorded);
    return Array.isArray(recorded)
      ? this.#items(recorded as unknown as Fields & unknown[], replayed as unknown as Fields & unknown[])
      : this.#properties(recorded as Fields, replayed as Fields);
  }

  #items(recorded: Fields & unknown[], replayed: Fields & unknown[]): ValueDifference | null {
    const both = Math.min(recorded.length, replayed.length);
    for (let index = 0; index < both; index++) {
      const found = this.#at(index, recorded, replayed);
      if (found) return found;
    }
    return recorded.length === replayed.length ? null : this.#only(both, recorded, replayed);
  }

  #properties(recorded: Fields, replayed: Fields): ValueDifference | null {
    const [keys, others] = [Object.keys(recorded), Object.keys(replayed)];
    for (const key of keys) {
      const found = Object.hasOwn(replayed, key)
        ? this.#at(key, recorded, replayed)
        : this.#only(key, recorded, replayed);
      if (found) return found;
    }
    for (const key of others) if (!Object.hasOwn(recorded, key)) return this.#only(key, recorded, replayed);
    // A function can read them in order.
    return keys.every((key, index) => key === others[index]) ? null : this.#found({ recorded, replayed });
  }

  #at(key: string | number, recorded: Fields, replayed: Fields): ValueDifference | null {
    this.#keys.push(key);
    try {
      return this.compare(recorded[key], replayed[key]);
    } catch (thrown) {
      if (thrown instanceof LostValueError) return this.#lose(thrown);
      throw thrown;
    } finally {
      this.#keys.pop();
    }
  }

  /** What only one of them has. */
  #only(key: string | number, recorded: Fields, replayed: Fields): ValueDifference {
    const pointer = `${this.#pointer()}/${escapeToken(key)}`;
    const side = (name: keyof Values, holder: Fields): Values =>
      Object.hasOwn(holder, key) ? { [name]: readable(holder, key) } : {};
    return { pointer, ...side('recorded', recorded), ...side('replayed', replayed) };
  }

  #found(values: Values): ValueDifference {
    return { pointer: this.#pointer(), ...values };
  }

  #pointer(): string {
    return this.#keys.map((key) => `/${escapeToken(key)}`).join('');
  }

  #lose(lost: LostValueError): null {
    this.lost ??= lost;
    return null;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Undefined if it’s lost. */
function readable(holder: Fields, key: string | number): unknown {
  try {
    return holder[key];
  } catch {
    return undefined;
  }
}
