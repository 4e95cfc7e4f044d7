/**
 * Stores the built-ins as they were when the agent was installed. The agent calls only these, since the page might
 * replace its built-ins later. For the same reason, the agent doesn't use `for…of`, array spread, array destructuring,
 * or method calls on page values.
 */
import { charCodeAt, uncurry } from '../../../shared/secrets/pristine-text.ts';

export { indexOf, lastIndexOf, slice, toLowerCase } from '../../../shared/secrets/pristine-text.ts';
export { charCodeAt };

function getter<R>(proto: object, key: PropertyKey): (self: object) => R {
  return uncurry(Object.getOwnPropertyDescriptor(proto, key)?.get as (this: object) => R);
}
/** Null if the browser lacks the class or getter. */
export function optionalGetter<R>(
  owner: { prototype: object } | undefined,
  key: PropertyKey,
): ((self: object) => R) | null {
  return owner && Object.getOwnPropertyDescriptor(owner.prototype, key)?.get ? getter<R>(owner.prototype, key) : null;
}
/** The method as a function of (self, ...arguments), or null if the browser lacks the class or method. */
export function optionalMethod<T>(owner: { prototype: object } | undefined, key: PropertyKey): T | null {
  const found: unknown = owner && Object.getOwnPropertyDescriptor(owner.prototype, key)?.value;
  return typeof found === 'function' ? (uncurry(found as (this: object) => unknown) as T) : null;
}
/** A global function, or null if the page removed it before the agent was installed. */
function optionalGlobal<T>(fn: unknown): T | null {
  return typeof fn === 'function' ? Reflect.apply(Function.prototype.bind, fn, [globalThis]) : null;
}

export const { apply } = Reflect;
export const {
  create,
  defineProperty,
  freeze,
  getOwnPropertyDescriptor: descriptorOf,
  getPrototypeOf,
  is,
  keys,
  setPrototypeOf,
} = Object;
export const hasOwn: (object: object, key: PropertyKey) => boolean = Object.hasOwn;
export const isArray: (value: unknown) => boolean = Array.isArray;
export const { isSafeInteger, isFinite, isNaN } = Number;
export const toNumber: (value: unknown) => number = Number;
export const { min, floor, random } = Math;
export const stringify: (value: unknown) => string = JSON.stringify;
export const parseJson: (text: string) => unknown = JSON.parse;
export const encodeUri = encodeURIComponent;
export const toText = String;
export const ProxyOf = Proxy;
export const PageObject = Object;
export const UrlOf = globalThis.URL;
export const ObjectPrototype = Object.prototype;
export const ArrayPrototype = Array.prototype;
export const ErrorPrototype = Error.prototype;
export const PromisePrototype = Promise.prototype;

export const split = uncurry(String.prototype.split) as unknown as (self: string, by: string) => string[];
export const trim = uncurry(String.prototype.trim);
export const copyArray = uncurry(Array.prototype.slice) as <T>(self: readonly T[]) => T[];

export const sourceOf = uncurry(Function.prototype.toString);
export const symbolText = uncurry(Symbol.prototype.toString);
export const bigintText = uncurry(BigInt.prototype.toString) as (self: bigint) => string;
export const isoDate = uncurry(Date.prototype.toISOString);
export const dateTime = uncurry(Date.prototype.getTime);
export const regexpSource = getter<string>(RegExp.prototype, 'source');
export const regexpFlags = getter<string>(RegExp.prototype, 'flags');

export const MapOf = Map;
export const WeakMapOf = WeakMap;
export const mapGet = uncurry(Map.prototype.get) as <K, V>(self: Map<K, V>, key: K) => V | undefined;
export const mapSet = uncurry(Map.prototype.set) as <K, V>(self: Map<K, V>, key: K, value: V) => unknown;
export const mapDelete = uncurry(Map.prototype.delete) as <K, V>(self: Map<K, V>, key: K) => boolean;
export const mapSize = getter<number>(Map.prototype, 'size');
export const mapEntries = uncurry(Map.prototype.entries) as (self: object) => object;
export const mapNext = uncurry(new Map().entries().next) as (self: object) => {
  value?: [unknown, unknown];
  done: boolean;
};
export const setSize = getter<number>(Set.prototype, 'size');
export const setValues = uncurry(Set.prototype.values) as (self: object) => object;
export const setNext = uncurry(new Set().values().next) as (self: object) => { value?: unknown; done: boolean };
export const weakGet = uncurry(WeakMap.prototype.get) as <K extends WeakKey, V>(
  self: WeakMap<K, V>,
  key: K,
) => V | undefined;
export const weakSet = uncurry(WeakMap.prototype.set) as <K extends WeakKey, V>(
  self: WeakMap<K, V>,
  key: K,
  value: V,
) => unknown;

const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
export const typedLength = getter<number>(TypedArrayPrototype, 'length');
export const typedName = getter<string | undefined>(TypedArrayPrototype, Symbol.toStringTag);
export const bufferLength = getter<number>(ArrayBuffer.prototype, 'byteLength');

/**
 * The native getter for `stack`, which is an own property in Chromium and inherited in Firefox. Any other getter would
 * run page code.
 */
export const stackGetter: unknown =
  Object.getOwnPropertyDescriptor(new Error('probe'), 'stack')?.get ??
  Object.getOwnPropertyDescriptor(Error.prototype, 'stack')?.get;
export const ErrorOf = Error;
export const isError = (Error as unknown as { isError?: (value: unknown) => boolean }).isError ?? null;

export const getEntries = optionalMethod<(self: object, type: string) => readonly object[]>(
  globalThis.Performance,
  'getEntriesByType',
);
export const entryName = optionalGetter<string>(globalThis.PerformanceEntry, 'name');
export const navigationStatus = optionalGetter<number>(globalThis.PerformanceResourceTiming, 'responseStatus');
export const workerStart = optionalGetter<number>(globalThis.PerformanceResourceTiming, 'workerStart');

type NodeText = (self: object, name: string) => string | null;
export const nodeType = optionalGetter<number>(globalThis.Node, 'nodeType');
export const nodeName = optionalGetter<string>(globalThis.Node, 'nodeName');
export const elementName = optionalGetter<string>(globalThis.Element, 'localName');
export const elementAttribute = optionalMethod<NodeText>(globalThis.Element, 'getAttribute');
export const readyState = optionalGetter<string>(globalThis.Document, 'readyState');
export const currentScript = optionalGetter<object | null>(globalThis.Document, 'currentScript');
export const scriptSrc = optionalGetter<string>(globalThis.HTMLScriptElement, 'src');

export const now: () => number = performance.now.bind(performance);
export const wallClock = Date.now;
export const later: (run: () => void, milliseconds?: number) => unknown = setTimeout.bind(globalThis);
export const cancelLater: (timer: unknown) => void = clearTimeout.bind(globalThis) as (timer: unknown) => void;
export const Abort = AbortController;
export const abort = uncurry(AbortController.prototype.abort);
/** The panel describes values with the agent's code, too, and its tests have no page. */
const pageHistory = globalThis.history as History | undefined;
const readHistoryState = optionalGetter<unknown>(globalThis.History, 'state');
export const replaceState = pageHistory?.replaceState.bind(pageHistory);
export const historyState = (): unknown => pageHistory && readHistoryState?.(pageHistory);

export const nativeFetch = optionalGlobal<typeof fetch>(globalThis.fetch);
export const decodeBase64 = optionalGlobal<(text: string) => string>(globalThis.atob);
const Decoder = globalThis.TextDecoder;
const decode = optionalMethod<(self: object, bytes: Uint8Array) => string>(Decoder, 'decode');
const decodeChunk = optionalMethod<(self: object, bytes: Uint8Array, options: TextDecodeOptions) => string>(
  Decoder,
  'decode',
);
const Bytes = Uint8Array;
export const abortTimeout: ((milliseconds: number) => AbortSignal) | undefined =
  globalThis.AbortSignal?.timeout?.bind(AbortSignal);
export const responseText = optionalMethod<(self: object) => Promise<string>>(globalThis.Response, 'text');
export const responseStatus = optionalGetter<number>(globalThis.Response, 'status');
export const responseHeaders = optionalGetter<Headers>(globalThis.Response, 'headers');
export const headerGet = optionalMethod<NodeText>(globalThis.Headers, 'get');
type HeaderVisitor = (value: string, name: string) => void;
export const headersForEach = optionalMethod<(self: object, visit: HeaderVisitor) => void>(
  globalThis.Headers,
  'forEach',
);
export const responseClone = optionalMethod<(self: object) => object>(globalThis.Response, 'clone');
export const responseBody = optionalGetter<object | null>(globalThis.Response, 'body');
export const streamReader = optionalMethod<(self: object) => object>(globalThis.ReadableStream, 'getReader');
type Chunk = { done: boolean; value?: unknown };
const Reader = globalThis.ReadableStreamDefaultReader;
export const readerRead = optionalMethod<(self: object) => Promise<Chunk>>(Reader, 'read');
export const readerCancel = optionalMethod<(self: object) => Promise<void>>(Reader, 'cancel');
export const parametersText = optionalMethod<(self: object) => string>(globalThis.URLSearchParams, 'toString');
export const urlHref = optionalGetter<string>(globalThis.URL, 'href');
export const messageSource = optionalGetter<unknown>(globalThis.MessageEvent, 'source');
export const messageOrigin = optionalGetter<string>(globalThis.MessageEvent, 'origin');
export const messageData = optionalGetter<unknown>(globalThis.MessageEvent, 'data');
export const violatedDirective = optionalGetter<string>(globalThis.SecurityPolicyViolationEvent, 'effectiveDirective');
export const blockedUrl = optionalGetter<string>(globalThis.SecurityPolicyViolationEvent, 'blockedURI');
export const listen = optionalMethod<
  (self: object, type: string, listener: (event: Event) => void, options?: object) => void
>(globalThis.EventTarget, 'addEventListener');
const Observer = globalThis.MutationObserver;
type Observe = (self: object, node: object, options: MutationObserverInit) => void;
const observe = optionalMethod<Observe>(Observer, 'observe');
const disconnect = optionalMethod<(self: object) => void>(Observer, 'disconnect');
const pageDocument = globalThis.document as Document | undefined;

/** Calls back after the parser has added nodes, and before it runs a script among them. Returns a function that ends it. */
export function observeNodes(then: () => void): () => void {
  if (!pageDocument || !observe) return () => {};
  const observer = new Observer(then);
  observe(observer, pageDocument, { __proto__: null, childList: true, subtree: true } as MutationObserverInit);
  return () => disconnect?.(observer);
}

/** Calls back after each external script has run. */
export function onScriptLoad(then: () => void): void {
  if (pageDocument) listen?.(pageDocument, 'load', then, { __proto__: null, capture: true } as object);
}

const activation = optionalGetter<object>(globalThis.Navigator, 'userActivation');
const isActive = optionalGetter<boolean>(
  (globalThis as { UserActivation?: { prototype: object } }).UserActivation,
  'isActive',
);
const pageNavigator = globalThis.navigator;

/** Whether the user clicked in the page recently enough for it to open a window. */
export function isActivated(): boolean {
  try {
    return isActive!(activation!(pageNavigator));
  } catch {
    return false;
  }
}

/** Returns a function that decodes UTF-8 in chunks; null if the browser lacks the decoder. */
export function chunkDecoder(): ((chunk: unknown) => string) | null {
  if (!Decoder || !decodeChunk) return null;
  const decoder = new Decoder();
  return (chunk) => decodeChunk(decoder, chunk as Uint8Array, { __proto__: null, stream: true } as TextDecodeOptions);
}

/** Decodes UTF-8 from a binary string, which has one character per byte. */
export function fromUtf8(binary: string): string {
  const bytes = new Bytes(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = charCodeAt(binary, i);
  return decode!(new Decoder(), bytes);
}
