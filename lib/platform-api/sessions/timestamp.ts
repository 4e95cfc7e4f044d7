/** Parses the two time formats of the specification: UTC, and with a numeric offset. */

const ISO = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/;
/** Browsers require a colon and minutes. */
const SHORT_OFFSET = /([+-]\d\d)(\d\d)?$/;

/** How far clocks of devices, the platform, and this machine may differ, in milliseconds. */
const TOLERANCE = 5 * 60_000;

/** Whether the time of a past event is in the future, and so unusable. */
export const isAhead = (time: number, now: number): boolean => time > now + TOLERANCE;

/** Epoch milliseconds; null for other texts, since a browser parses `Version 1` as the year 2001. */
export function timeOf(text: string | null): number | null {
  if (text === null || !ISO.test(text)) return null;
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  const again = Date.parse(text.replace(SHORT_OFFSET, (_, hours: string, minutes = '00') => `${hours}:${minutes}`));
  return Number.isNaN(again) ? null : again;
}
