/** Writes values that are only shown, such as those of console lines: bounded, and without calling getters. */
import { type Budget, isPlain, lost, type LossReason, type RecordedValue, writeValue } from './values.ts';

/** Deeper values aren't written. */
const MAX_DEPTH = 20;
/** Characters of a long string that are written. */
const MAX_TEXT = 2_000;

/** A value for display. One that isn't data has a text, if it can be known without calling code. */
export function writeForDisplay(value: unknown, budget: Budget): RecordedValue {
  return new DisplayWriter(budget).write(value);
}

class DisplayWriter {
  readonly #budget: Budget;
  readonly #ancestors: object[] = [];

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  write(value: unknown): RecordedValue {
    const { left } = this.#budget;
    if (left <= 0) return this.#lose('too-large');
    if (typeof value === 'string' && value.length > left)
      return this.#lose('too-large', `${value.slice(0, Math.min(MAX_TEXT, left))}…`);
    if (typeof value !== 'object' || value === null || value instanceof Date) return writeValue(value, this.#budget);
    if (value instanceof Error) return this.#lose('not-data', errorText(value));
    if (!isPlain(value)) return this.#lose('not-data');
    if (this.#ancestors.includes(value)) return this.#lose('cycle');
    if (this.#ancestors.length >= MAX_DEPTH) return this.#lose('too-deep');
    this.#ancestors.push(value);
    const written = Array.isArray(value) ? this.#items(value) : this.#entries(value);
    this.#ancestors.pop();
    return written;
  }

  #lose(reason: LossReason, text?: string): RecordedValue {
    this.#budget.lost++;
    this.#budget.left -= text?.length ?? 0;
    return lost(reason, text);
  }

  #items(items: readonly unknown[]): RecordedValue {
    const written: RecordedValue[] = [];
    for (let index = 0; index < items.length; index++) {
      if (this.#budget.left <= 0) return [...written, { $: 'rest', value: this.#leaveOut(items.length - index) }];
      written.push(this.#property(items, index));
    }
    return written;
  }

  #entries(value: object): RecordedValue {
    const entries: [string, RecordedValue][] = [];
    const names = Object.keys(value);
    for (const name of names) {
      if (this.#budget.left <= 0)
        return { $: 'entries', value: entries, more: this.#leaveOut(names.length - entries.length) };
      this.#budget.left -= name.length + 3;
      entries.push([name, this.#property(value, name)]);
    }
    return Object.hasOwn(value, '$') ? { $: 'entries', value: entries } : Object.fromEntries(entries);
  }

  #property(holder: object, key: string | number): RecordedValue {
    const property = Object.getOwnPropertyDescriptor(holder, key);
    this.#budget.left--;
    return property && !Object.hasOwn(property, 'value') ? this.#lose('unreadable') : this.write(property?.value);
  }

  #leaveOut(count: number): number {
    this.#budget.lost += count;
    return count;
  }
}

function errorText(error: Error): string {
  const [name, message] = [textOf(error, 'name'), textOf(error, 'message')];
  return (name && message ? `${name}: ${message}` : name || message).slice(0, MAX_TEXT);
}

/** A string that an object or one of its prototypes has as data. */
function textOf(object: object, key: string): string {
  for (let holder: object | null = object; holder; holder = Object.getPrototypeOf(holder) as object | null) {
    const property = Object.getOwnPropertyDescriptor(holder, key);
    if (property) return typeof property.value === 'string' ? property.value : '';
  }
  return '';
}
