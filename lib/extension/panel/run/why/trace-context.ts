/**
 * A step's context as conditions can read it, from a trace. Reading what the page didn't transfer throws, so that nothing is
 * concluded from it.
 */
import { LostValueError } from '../../../../debugging/recording/values.ts';
import type { Context } from '../../../../pipeline/index.ts';
import type { RemoteValue } from '../../../inspector/contract.ts';
import { type Composite, entryOf, sizeOf } from '../../shared/remote-value.ts';

/** What the page described, by the object that conditions read. */
const sources = new WeakMap<object, RemoteValue>();

/** Values are converted when they're read, because conditions read few of them. */
export const traceContext = (context: RemoteValue): Context => {
  const value = valueOf(context);
  return typeof value === 'object' && value !== null ? (value as Context) : {};
};

/** What the page described, if the value is an object of a trace's context. */
export const remoteOf = (value: unknown): RemoteValue | undefined =>
  typeof value === 'object' && value !== null ? sources.get(value) : undefined;

function valueOf(value: RemoteValue): unknown {
  switch (value.t) {
    case 'undefined':
      return undefined;
    case 'null':
      return null;
    case 'boolean':
      return value.v;
    case 'number':
      return Number(value.v);
    case 'string':
      return value.v.length < value.length ? lose() : value.v;
    case 'bigint':
      return BigInt(value.v.replace(/n$/, ''));
    case 'date':
      return Number.isNaN(Date.parse(value.v)) ? lose() : new Date(value.v);
    case 'array':
    case 'object':
      return compositeOf(value);
    default:
      return lose();
  }
}

const lose = (): never => {
  throw new LostValueError('too-large');
};

function compositeOf(value: Composite): object {
  // Whether a condition can read an object of a class isn't known.
  if (value.t === 'object' && value.name && value.name !== 'Object') return lose();
  const target = value.t === 'array' ? Object.assign([], { length: value.length }) : {};
  const proxy = new Proxy<object>(target, new Entries(value));
  sources.set(proxy, value);
  return proxy;
}

class Entries implements ProxyHandler<object> {
  readonly #value: Composite;
  readonly #read = new Map<string, unknown>();

  constructor(value: Composite) {
    this.#value = value;
  }

  get(target: object, key: string | symbol): unknown {
    return this.#isEntry(key) ? this.#entry(key) : Reflect.get(target, key);
  }

  has(target: object, key: string | symbol): boolean {
    return this.#isEntry(key) || Reflect.has(target, key);
  }

  getOwnPropertyDescriptor(target: object, key: string | symbol): PropertyDescriptor | undefined {
    if (!this.#isEntry(key)) return Reflect.getOwnPropertyDescriptor(target, key);
    return { value: this.#entry(key), writable: true, enumerable: true, configurable: true };
  }

  ownKeys(target: object): (string | symbol)[] {
    const value = this.#value;
    if (value.t === 'array')
      return [...Array.from({ length: value.length }, (_, index) => String(index)), ...Reflect.ownKeys(target)];
    return value.entries.length < sizeOf(value) ? lose() : value.entries.map(([name]) => name);
  }

  /** Whether it's a property. One that might not be there throws. */
  #isEntry(key: string | symbol): key is string {
    if (typeof key !== 'string') return false;
    if (entryOf(this.#value, key)) return true;
    if (this.#value.t === 'array') return /^\d+$/.test(key) && Number(key) < this.#value.length;
    return this.#value.entries.length < sizeOf(this.#value) ? lose() : false;
  }

  #entry(key: string): unknown {
    if (!this.#read.has(key)) this.#read.set(key, valueOf(entryOf(this.#value, key) ?? lose()));
    return this.#read.get(key);
  }
}
