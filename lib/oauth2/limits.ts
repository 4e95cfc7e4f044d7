/** Sets time limits and counts. Times are in milliseconds unless the comment says otherwise. */

/** Default for a token request or an API call. */
export const REQUEST_TIMEOUT = 60_000;
/** For the request that checks whether a host responds at all. */
export const PROBE_TIMEOUT = 5_000;
/** Default for a login: the user may need time to find a second factor. */
export const LOGIN_TIMEOUT = 600_000;
export const POPUP_POLL_INTERVAL = 200;
/** How long a change of `localStorage` may take to reach another tab. */
export const STORAGE_LAG = 5_000;
export const STORAGE_POLL_INTERVAL = 20;
/** Tokens are refreshed this many seconds before they expire. */
export const REFRESH_MARGIN = 30;
/** Browsers fire longer timers at once. */
export const MAX_TIMER = 2 ** 31;
/** How many past events a new observer receives. */
export const FLOW_EVENTS = 200;
