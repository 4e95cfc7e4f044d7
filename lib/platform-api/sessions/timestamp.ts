/** Parses the two time formats of the specification: UTC, and with a numeric offset. */

const ISO = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/;
/** Browsers want a colon and minutes. */
const SHORT_OFFSET = /([+-]\d\d)(\d\d)?$/;

/** Clocks of devices, of the platform and of this machine differ by so much without being wrong, in milliseconds. */
const TOLERANCE = 5 * 60_000;

/** Whether a time, of which only what has been is told, lies in the future: it says nothing about when something was. */
export const isAhead = (time: number, now: number): boolean => time > now + TOLERANCE;

/** Epoch milliseconds; null for what is no such time: a browser would take `Version 1` for the year 2001. */
export function timeOf(text: string | null): number | null {
  if (text === null || !ISO.test(text)) return null;
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  const again = Date.parse(text.replace(SHORT_OFFSET, (_, hours: string, minutes = '00') => `${hours}:${minutes}`));
  return Number.isNaN(again) ? null : again;
}
