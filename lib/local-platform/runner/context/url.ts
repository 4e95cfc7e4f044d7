/** `URL` and `URLSearchParams` for a run’s context, reimplemented so that no object from Node’s realm gets in. */
import type { Host } from './host.ts';

type Parts = Record<
  | 'href'
  | 'origin'
  | 'protocol'
  | 'username'
  | 'password'
  | 'host'
  | 'hostname'
  | 'port'
  | 'pathname'
  | 'search'
  | 'hash',
  string
>;
const SETTABLE = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/%20/g, '+')
    .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

function decode(text: string): string {
  const spaced = text.replace(/\+/g, ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

class URLSearchParams {
  #pairs: [string, string][] = [];
  changed: (() => void) | null = null;

  constructor(init: unknown = '') {
    if (typeof init === 'object' && init !== null) {
      const entries = Symbol.iterator in init ? [...(init as Iterable<[unknown, unknown]>)] : Object.entries(init);
      this.#pairs = entries.map(([name, value]) => [String(name), String(value)]);
    } else {
      for (const part of String(init).replace(/^\?/, '').split('&')) {
        if (part === '') continue;
        const at = part.indexOf('=');
        this.#pairs.push(at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]);
      }
    }
  }
  get size(): number {
    return this.#pairs.length;
  }
  append(name: unknown, value: unknown): void {
    this.#pairs.push([String(name), String(value)]);
    this.changed?.();
  }
  set(name: unknown, value: unknown): void {
    const at = this.#pairs.findIndex(([each]) => each === String(name));
    this.#pairs = this.#pairs.filter(([each], index) => index === at || each !== String(name));
    if (at < 0) this.#pairs.push([String(name), String(value)]);
    else this.#pairs[at] = [String(name), String(value)];
    this.changed?.();
  }
  delete(name: unknown): void {
    this.#pairs = this.#pairs.filter(([each]) => each !== String(name));
    this.changed?.();
  }
  get(name: unknown): string | null {
    return this.#pairs.find(([each]) => each === String(name))?.[1] ?? null;
  }
  getAll(name: unknown): string[] {
    return this.#pairs.filter(([each]) => each === String(name)).map(([, value]) => value);
  }
  has(name: unknown): boolean {
    return this.#pairs.some(([each]) => each === String(name));
  }
  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.changed?.();
  }
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void): void {
    for (const [name, value] of this.#pairs) callback(value, name, this);
  }
  *entries(): IterableIterator<[string, string]> {
    for (const [name, value] of this.#pairs) yield [name, value];
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.#pairs) yield name;
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this.#pairs) yield value;
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  }
}

export function installUrl(host: Host): void {
  const read = (text: string | null): Parts | null => (text === null ? null : (JSON.parse(text) as Parts));

  class URL {
    #parts: Parts;
    #params: URLSearchParams | null = null;

    constructor(address: unknown, base?: unknown) {
      const parts = read(host.parseUrl(String(address), base === undefined ? null : String(base)));
      if (!parts) throw new TypeError(`Invalid URL: ${String(address).slice(0, 200)}`);
      this.#parts = parts;
    }
    static canParse(address: unknown, base?: unknown): boolean {
      return host.parseUrl(String(address), base === undefined ? null : String(base)) !== null;
    }
    static part(url: URL, name: keyof Parts): string {
      return url.#parts[name];
    }
    static change(url: URL, name: keyof Parts, value: unknown): void {
      const parts = read(host.changeUrl(url.#parts.href, name, String(value)));
      if (!parts) throw new TypeError(`Invalid URL: ${String(value).slice(0, 200)}`);
      url.#parts = parts;
      if (name !== 'hash') url.#params = null;
    }
    get searchParams(): URLSearchParams {
      if (!this.#params) {
        const params = new URLSearchParams(this.#parts.search);
        params.changed = () => {
          URL.change(this, 'search', params.toString());
          this.#params = params;
        };
        this.#params = params;
      }
      return this.#params;
    }
    toString(): string {
      return this.#parts.href;
    }
    toJSON(): string {
      return this.#parts.href;
    }
  }
  const { part, change } = URL;
  for (const name of [...SETTABLE, 'origin'] as const) {
    Object.defineProperty(URL.prototype, name, {
      get(this: URL) {
        return part(this, name);
      },
      ...(name !== 'origin' && {
        set(this: URL, value: unknown) {
          change(this, name, value);
        },
      }),
      configurable: true,
      enumerable: true,
    });
  }
  Object.assign(globalThis, { URL, URLSearchParams });
}
