/** Parses the two time formats in the specification: UTC, and with a numeric offset. */

const ISO = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/;
/** Browsers require a colon and minutes in the offset. */
const SHORT_OFFSET = /([+-]\d\d)(\d\d)?$/;

/** The clock difference to tolerate between devices, the platform, and this machine, in milliseconds. */
const TOLERANCE = 5 * 60_000;

/** Whether a past event’s time is in the future, which makes it unusable. */
export const isAhead = (time: number, now: number): boolean => time > now + TOLERANCE;

/** Epoch milliseconds, or null for other text, since browsers parse `Version 1` as the year 2001. */
export function timeOf(text: string | null): number | null {
  if (text === null || !ISO.test(text)) return null;
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  const again = Date.parse(text.replace(SHORT_OFFSET, (_, hours: string, minutes = '00') => `${hours}:${minutes}`));
  return Number.isNaN(again) ? null : again;
}
