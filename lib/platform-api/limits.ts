/** The limits of the specification (section "Limits"), and our own. */

/** Longest payload of an on-demand run, in characters of `JSON.stringify(payload)`. */
export const PAYLOAD_LIMIT = 2048;
/** Longest run of an action, in milliseconds. */
export const RUN_TIME_LIMIT = 120_000;
/** Largest result of an on-demand run, in bytes of JSON. */
export const RESULT_LIMIT = 6 * 1024 * 1024;
/** Default number of log records of `getLogs`. */
export const DEFAULT_LOG_COUNT = 50;
/** Longest name of an action, in characters. */
export const ACTION_NAME_LIMIT = 255;
/** The default of the page’s global namespace. */
export const DEFAULT_NAMESPACE = 'Platform';
/** Most log records in one response. */
export const LOG_LIMIT = 1000;
/** Longest `where` of a trigger or a log list, in characters of its JSON. */
export const WHERE_LIMIT = 10_000;
/** Deepest nesting of the same. */
export const WHERE_DEPTH = 20;
/** How many runs may start one another, by log records or through the API. */
export const DEPTH_LIMIT = 5;
