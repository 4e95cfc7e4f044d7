/** Captures the globals that handle secrets, before other scripts of the page can replace them. */

export const { fetch, Promise } = globalThis;
export const { parse, stringify } = JSON;
