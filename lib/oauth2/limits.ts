/** Owns how long things may take, and how many are kept; in milliseconds where nothing else is said. It imports nothing, so that esbuild writes the numbers where they are used. */

/** Of a token request or API call, unless the configuration says otherwise. */
export const TIMEOUT = 60_000;
/** Of asking a host for a sign of life. */
export const PROBE_TIMEOUT = 5_000;
/** A person may have to find a second factor first. */
export const LOGIN_TIMEOUT = 600_000;
/** How often a popup is looked into. */
export const INTERVAL = 200;
/** How long storage may take to reach another tab, and how often it is looked at. */
export const LATE = 5_000;
export const PAUSE = 20;
/** So much earlier than a token expires it is refreshed, in seconds. */
export const EARLY = 30;
/** Timers that are longer end at once. */
export const LONGEST = 2 ** 31;
/** How many past events a new observer is told. */
export const KEPT = 200;
