/** Writes page values as JSON. Runs no page code, except for getters in the lenient form. */
import { pointerToken } from './json.ts';
import {
  bigintText,
  descriptorOf,
  getPrototypeOf,
  hasOwn,
  isArray,
  isFinite,
  isoDate,
  keys,
  ObjectPrototype,
  sourceOf,
  stringify,
} from './pristine.ts';
import { attempt } from './safe.ts';

export type RejectionReason = 'cycle' | 'too-large' | 'not-json' | 'unreadable';
export type ForeignJson =
  | { ok: true; text: string }
  /** `isFull`: the text would have more than `maxChars`. A value that is too deep is `too-large`, too. */
  | { ok: false; why: RejectionReason; path: string; isFull: boolean };

export interface ForeignJsonOptions {
  maxChars: number;
  maxDepth: number;
  /** With `source`, functions are written as their source text. */
  functions: 'omit' | 'source';
  /**
   * Accepts what a caller of the page could use: reads getters, and writes class instances as their own properties and
   * dates as ISO text.
   */
  lenient?: boolean;
  /** With `lenient`, these properties of a class instance are also written if it inherits them. */
  inherited?: readonly string[];
  /** Writes `null` for items that can't be written in a list, or in a list that is a property of the value. */
  skipsItems?: boolean;
}

/**
 * Writes what `JSON.stringify` would. Rejects getters, `toJSON`, and class instances (unless `lenient`), and reports
 * where they are, as a JSON Pointer.
 */
export function writeForeign(value: unknown, options: ForeignJsonOptions): ForeignJson {
  try {
    const text = new ForeignWriter(options).write(value, '');
    return text === undefined ? { ok: false, why: 'not-json', path: '', isFull: false } : { ok: true, text };
  } catch (thrown) {
    return thrown instanceof Rejection
      ? { ok: false, why: thrown.why, path: thrown.path, isFull: thrown.isFull }
      : { ok: false, why: 'unreadable', path: '', isFull: false };
  }
}

class Rejection {
  readonly why: RejectionReason;
  readonly path: string;
  /** Whether nothing more fits. */
  readonly isFull: boolean;
  constructor(why: RejectionReason, path: string, isFull = false) {
    this.why = why;
    this.path = path;
    this.isFull = isFull;
  }
}

/** The depth of the lists whose items can be skipped. */
const MAX_LIST_DEPTH = 2;

class ForeignWriter {
  readonly #options: ForeignJsonOptions;
  readonly #ancestors: object[] = [];
  #charsLeft: number;

  constructor(options: ForeignJsonOptions) {
    this.#options = options;
    this.#charsLeft = options.maxChars;
  }

  /** Undefined if the value has no JSON equivalent. */
  write(value: unknown, path: string): string | undefined {
    const { functions } = this.#options;
    switch (typeof value) {
      case 'string':
        return this.#quote(value, path);
      case 'number':
        return this.#take(isFinite(value) ? `${value}` : 'null', path);
      case 'boolean':
        return this.#take(value ? 'true' : 'false', path);
      case 'function':
        return functions === 'source' ? this.#quote(sourceOf(value as () => void), path) : undefined;
      case 'bigint':
        if (functions === 'source') return this.#quote(`${bigintText(value)}n`, path);
        throw new Rejection('not-json', path);
      case 'object':
        return value === null ? this.#take('null', path) : this.#container(value, path);
      default:
        return undefined;
    }
  }

  #take(text: string, path: string): string {
    this.#charsLeft -= text.length;
    if (this.#charsLeft < 0) throw new Rejection('too-large', path, true);
    return text;
  }

  #quote(text: string, path: string): string {
    if (text.length > this.#charsLeft) throw new Rejection('too-large', path, true);
    return this.#take(stringify(text), path);
  }

  #container(item: object, path: string): string {
    const ancestors = this.#ancestors;
    for (let i = 0; i < ancestors.length; i++) if (ancestors[i] === item) throw new Rejection('cycle', path);
    if (ancestors.length >= this.#options.maxDepth) throw new Rejection('too-large', path);
    ancestors[ancestors.length] = item;
    const text = isArray(item) ? this.#array(item as unknown[], path) : this.#object(item, path);
    ancestors.length--;
    this.#charsLeft -= 2;
    return text;
  }

  #array(list: unknown[], path: string): string {
    let text = '';
    for (let i = 0; i < list.length; i++) {
      if (i > 0) text += this.#take(',', path);
      text += this.#item(list, i, path) ?? this.#take('null', path);
    }
    return `[${text}]`;
  }

  #item(list: unknown[], index: number, path: string): string | undefined {
    const depth = this.#ancestors.length;
    try {
      return this.write(this.#property(list, `${index}`, path), `${path}/${index}`);
    } catch (thrown) {
      const isFull = thrown instanceof Rejection && thrown.isFull;
      if (isFull || !this.#options.skipsItems || depth > MAX_LIST_DEPTH) throw thrown;
      this.#ancestors.length = depth;
      return undefined;
    }
  }

  #object(item: object, path: string): string {
    const proto = getPrototypeOf(item) as object | null;
    // Objects from another realm (such as an iframe) have a different `Object.prototype`, which itself has no
    // prototype.
    const isPlain = proto === null || proto === ObjectPrototype || getPrototypeOf(proto) === null;
    if (!isPlain) {
      if (!this.#options.lenient) throw new Rejection('not-json', path);
      const date = attempt(() => isoDate(item as Date));
      if (date !== undefined) return this.#quote(date, path);
    }
    let text = '';
    const names = isPlain ? keys(item) : this.#namesOf(item);
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const value = this.#property(item, name, path);
      if (name === 'toJSON' && typeof value === 'function' && !this.#options.lenient)
        throw new Rejection('not-json', path);
      const written = this.write(value, `${path}/${pointerToken(name)}`);
      if (written === undefined) continue;
      if (text !== '') text += this.#take(',', path);
      text += `${this.#quote(name, path)}:${written}`;
    }
    return `{${text}}`;
  }

  /** The names of a class instance's properties. */
  #namesOf(item: object): string[] {
    const names = keys(item);
    const { inherited = [] } = this.#options;
    for (let i = 0; i < inherited.length; i++) {
      const name = inherited[i]!;
      if (!hasOwn(item, name) && name in item) names[names.length] = name;
    }
    return names;
  }

  #property(item: object, key: string, path: string): unknown {
    const found = descriptorOf(item, key);
    if (found === undefined && (isArray(item) || !this.#options.lenient)) return undefined;
    if (found && hasOwn(found, 'value')) return found.value;
    try {
      if (this.#options.lenient) return (item as Record<string, unknown>)[key];
    } catch {
      // Rejected below.
    }
    throw new Rejection('unreadable', `${path}/${pointerToken(key)}`);
  }
}
