/** Owns what is taken from the page before it has a chance to put something else there. */

export const { fetch, Promise } = globalThis;
export const { parse, stringify } = JSON;
