/** Names of globals that code of V3 can use. */

const words = (...lines: string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

/** What the language has, apart from what evaluates text. */
export const LANGUAGE: readonly string[] = words(
  'globalThis arguments undefined NaN Infinity isNaN isFinite parseInt parseFloat Math JSON Reflect Proxy',
  'encodeURI encodeURIComponent decodeURI decodeURIComponent escape unescape Intl Atomics Promise',
  'Object Array String Number Boolean Symbol BigInt Date RegExp Map Set WeakMap WeakSet WeakRef Iterator',
  'Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError',
  'ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array',
  'Int32Array Uint32Array BigInt64Array BigUint64Array Float32Array Float64Array FinalizationRegistry',
);

/** What else servers and pages have, and that only makes values. */
export const VALUES: readonly string[] = words(
  'Headers Response URL URLSearchParams TextEncoder TextDecoder atob btoa crypto',
  'AbortController AbortSignal queueMicrotask',
);
