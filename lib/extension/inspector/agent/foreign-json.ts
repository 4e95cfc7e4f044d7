/** Writes page values as JSON without running page code. */
import { pointerToken } from './json.ts';
import {
  bigintText,
  descriptorOf,
  getPrototypeOf,
  hasOwn,
  isArray,
  isFinite,
  keys,
  ObjectPrototype,
  sourceOf,
  stringify,
} from './pristine.ts';

export type RejectionReason = 'cycle' | 'too-large' | 'not-json' | 'unreadable';
export type ForeignJson = { ok: true; text: string } | { ok: false; why: RejectionReason; path: string };

export interface ForeignJsonOptions {
  maxChars: number;
  maxDepth: number;
  /** With `source`, functions are written as their source text. */
  functions: 'omit' | 'source';
}

/**
 * Writes what `JSON.stringify` would. Rejects getters, `toJSON`, and class instances, and reports where they are, as a
 * JSON Pointer.
 */
export function writeForeign(value: unknown, options: ForeignJsonOptions): ForeignJson {
  try {
    const text = new ForeignWriter(options).write(value, '');
    return text === undefined ? { ok: false, why: 'not-json', path: '' } : { ok: true, text };
  } catch (thrown) {
    return thrown instanceof Rejection
      ? { ok: false, why: thrown.why, path: thrown.path }
      : { ok: false, why: 'unreadable', path: '' };
  }
}

class Rejection {
  readonly why: RejectionReason;
  readonly path: string;
  constructor(why: RejectionReason, path: string) {
    this.why = why;
    this.path = path;
  }
}

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
    if (this.#charsLeft < 0) throw new Rejection('too-large', path);
    return text;
  }

  #quote(text: string, path: string): string {
    if (text.length > this.#charsLeft) throw new Rejection('too-large', path);
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
      text += this.write(dataAt(list, `${i}`, path), `${path}/${i}`) ?? this.#take('null', path);
    }
    return `[${text}]`;
  }

  #object(item: object, path: string): string {
    const proto = getPrototypeOf(item) as object | null;
    // Objects from another realm (such as an iframe) have a different `Object.prototype`, which itself has no
    // prototype.
    if (proto !== null && proto !== ObjectPrototype && getPrototypeOf(proto) !== null)
      throw new Rejection('not-json', path);
    let text = '';
    const names = keys(item);
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const value = dataAt(item, name, path);
      if (name === 'toJSON' && typeof value === 'function') throw new Rejection('not-json', path);
      const written = this.write(value, `${path}/${pointerToken(name)}`);
      if (written === undefined) continue;
      if (text !== '') text += this.#take(',', path);
      text += `${this.#quote(name, path)}:${written}`;
    }
    return `{${text}}`;
  }
}

function dataAt(item: object, key: string, path: string): unknown {
  const found = descriptorOf(item, key);
  if (found === undefined) return undefined;
  if (!hasOwn(found, 'value')) throw new Rejection('unreadable', `${path}/${pointerToken(key)}`);
  return found.value;
}
