/** Owns reading the two forms of a time that the specification has: in UTC, and with a numeric offset. */

const ISO = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/;
/** Browsers want a colon and minutes. */
const SHORT_OFFSET = /([+-]\d\d)(\d\d)?$/;

/** Epoch milliseconds; null for what is no such time: a browser would take `Version 1` for the year 2001. */
export function timeOf(text: string | null): number | null {
  if (text === null || !ISO.test(text)) return null;
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  const again = Date.parse(text.replace(SHORT_OFFSET, (_, hours: string, minutes = '00') => `${hours}:${minutes}`));
  return Number.isNaN(again) ? null : again;
}
