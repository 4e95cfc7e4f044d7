/** The limits in the specification (section "Limits") and our own. */

/** Maximum payload of an on-demand run, in characters of `JSON.stringify(payload)`. */
export const PAYLOAD_LIMIT = 2048;
/** Maximum duration of an action’s run, in milliseconds. */
export const RUN_TIME_LIMIT = 120_000;
/** Maximum result of an on-demand run, in bytes of JSON. */
export const RESULT_LIMIT = 6 * 1024 * 1024;
/** Number of log records that `getLogs` returns by default. */
export const DEFAULT_LOG_COUNT = 50;
/** Maximum nesting of JSON: bodies, payloads, and results. */
export const JSON_DEPTH = 1_000;
/** Maximum length of an action’s name, in characters. */
export const ACTION_NAME_LIMIT = 255;
/** The default name of the page’s global namespace. */
export const DEFAULT_NAMESPACE = 'Platform';
/** Maximum number of log records in one response. */
export const LOG_LIMIT = 1000;
/** Maximum length of a `where` in a trigger or log query, in characters of JSON. */
export const WHERE_LIMIT = 10_000;
/** Maximum nesting depth of a `where`. */
export const WHERE_DEPTH = 20;
/** Maximum number of mocks of a run. */
export const MOCKS_LIMIT = 500;
/** Maximum size of the mocks of a run, in characters of JSON. */
export const MOCKS_SIZE_LIMIT = 256 * 1024;
/** Maximum length of a chain of runs that start one another, through log records or the API. */
export const DEPTH_LIMIT = 5;

/** Entries in all data sources of an app, on the local platform. */
export const ENTRIES_LIMIT = 250_000;
/** Size of those entries, in bytes of JSON. */
export const DATA_LIMIT = 256 * 1024 * 1024;
/** The port of the local platform, unless another is chosen. */
export const LOCAL_PORT = 4400;
/** How many runs of an app can wait in the queue, by default and at most. */
export const QUEUE_LIMIT = 10_000;
export const MAX_QUEUE_LIMIT = 1_000_000;
/** Log records of an app, by default, and the least and most that can be chosen. The oldest are removed. */
export const LOG_RECORDS_LIMIT = 1_000_000;
export const LOG_RECORDS_RANGE = [1_000, 10_000_000] as const;
/** Size of their data, in bytes of JSON. */
export const LOG_DATA_LIMIT = 1024 * 1024 * 1024;
export const LOG_DATA_RANGE = [1024 * 1024, 16 * 1024 * 1024 * 1024] as const;
