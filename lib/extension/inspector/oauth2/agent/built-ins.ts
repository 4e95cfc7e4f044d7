/** Owns the built-ins, as they were when the agent came, that the OAuth2 agent needs beyond those of the agent of runs. */
import { apply, getPrototypeOf, optionalGetter, optionalMethod } from '../../agent/pristine.ts';

const { setPrototypeOf } = Object;
const PromisePrototype = Promise.prototype;
export const fetchIt: typeof fetch | undefined = globalThis.fetch?.bind(globalThis);
export const decodeBase64: (text: string) => string = atob.bind(globalThis);
export const after: (run: () => void, milliseconds: number) => unknown = setTimeout.bind(globalThis);
const Decoder = TextDecoder;
const decode = optionalMethod<(self: object, bytes: Uint8Array) => string>(Decoder, 'decode');
const Bytes = Uint8Array;
export const timeout: ((milliseconds: number) => AbortSignal) | undefined =
  globalThis.AbortSignal?.timeout?.bind(AbortSignal);
export const toLower = optionalMethod<(self: string) => string>(String, 'toLowerCase')!;
export const indexIn = optionalMethod<(self: string, search: string, from?: number) => number>(String, 'indexOf')!;
export const lastIndexIn = optionalMethod<(self: string, search: string) => number>(String, 'lastIndexOf')!;
export const responseText = optionalMethod<(self: object) => Promise<string>>(globalThis.Response, 'text');
export const messageSource = optionalGetter<unknown>(globalThis.MessageEvent, 'source');
export const messageOrigin = optionalGetter<string>(globalThis.MessageEvent, 'origin');
export const messageData = optionalGetter<unknown>(globalThis.MessageEvent, 'data');
export const violatedDirective = optionalGetter<string>(globalThis.SecurityPolicyViolationEvent, 'effectiveDirective');
export const blockedUrl = optionalGetter<string>(globalThis.SecurityPolicyViolationEvent, 'blockedURI');
export const listen = optionalMethod<
  (self: object, type: string, listener: (event: Event) => void, options?: object) => void
>(globalThis.EventTarget, 'addEventListener');
const activation = optionalGetter<object>(globalThis.Navigator, 'userActivation');
const isActive = optionalGetter<boolean>(
  (globalThis as { UserActivation?: { prototype: object } }).UserActivation,
  'isActive',
);
const pageNavigator = globalThis.navigator;

/** Whether the person clicked in the page so lately that it may open a window. */
export function isActivated(): boolean {
  try {
    return isActive!(activation!(pageNavigator));
  } catch {
    return false;
  }
}

/** A text of UTF-8 bytes, each of which is a character of `binary`. */
export function fromUtf8(binary: string, codeAt: (text: string, at: number) => number): string {
  const bytes = new Bytes(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = codeAt(binary, i);
  return decode!(new Decoder(), bytes);
}

/** Whether awaiting it does no more than that: of any other thenable nobody knows what its `then` begins. */
export function isPromise(value: unknown): value is Promise<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  for (
    let proto = getPrototypeOf(value) as object | null, i = 0;
    proto !== null && i < 5;
    proto = getPrototypeOf(proto) as object | null, i++
  )
    if (proto === PromisePrototype) return true;
  return false;
}

/** A list that no accessor of the page's `Array.prototype` stands behind; it has no methods. */
export function bareList<T>(): T[] {
  return setPrototypeOf([], null);
}

export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

export type Fn = (...args: unknown[]) => unknown;

/** A method of a page's object, called as the page would; throws what it throws. */
export function callMethod(owner: object, name: string, args: unknown[]): unknown {
  return apply((owner as Record<string, unknown>)[name] as Fn, owner, args);
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
