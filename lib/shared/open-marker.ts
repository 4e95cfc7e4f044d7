/**
 * Marks the navigation of *Open*: the worker adds a `Server-Timing` header to this one response, and the agent’s script
 * starts only in a page that has it. Its description is the page’s namespace.
 */

/** The name of the `Server-Timing` entry. */
export const OPEN_MARKER = 'platform-devtools';

/** @param namespace a JavaScript identifier */
export const openMarker = (namespace: string): string => `${OPEN_MARKER};desc="${namespace}"`;
