/** Functions for text, as they were when this module was loaded: a page might replace its built-ins later. */

/** Converts a `prototype` method to a function of (self, ...arguments) that later page changes don't affect. */
export function uncurry<This, A extends unknown[], R>(
  fn: (this: This, ...args: A) => R,
): (self: This, ...args: A) => R {
  return Reflect.apply(Function.prototype.bind, Function.prototype.call, [fn]);
}

export const slice = uncurry(String.prototype.slice);
export const indexOf = uncurry(String.prototype.indexOf) as (self: string, search: string, from?: number) => number;
export const lastIndexOf = uncurry(String.prototype.lastIndexOf) as (self: string, search: string) => number;
export const charCodeAt = uncurry(String.prototype.charCodeAt);
export const toLowerCase = uncurry(String.prototype.toLowerCase);
export const { fromCharCode, fromCodePoint } = String;
export const encodeUri = encodeURIComponent;
export const sort = uncurry(Array.prototype.sort) as <T>(self: T[], compare: (one: T, other: T) => number) => T[];
