/** Time ranges of the log: the last hour, day, or week, or any two times. */

/** `last`: milliseconds before now. `from` and `to` are local times such as `2026-11-23 14:03`, or empty. */
export type TimeRange = { last: number | null } | { from: string; to: string };

/** Times in ISO 8601. `to` is excluded. */
export interface TimeLimits {
  from?: string;
  to?: string;
}

const HOUR = 3_600_000;
export const ANY_TIME: TimeRange = { last: null };
export const LAST_TIMES: readonly { last: number; label: string }[] = [
  { last: HOUR, label: 'Last hour' },
  { last: 24 * HOUR, label: 'Last 24 hours' },
  { last: 7 * 24 * HOUR, label: 'Last 7 days' },
];

/** @param now the platform's time, in epoch milliseconds */
export function timeLimits(range: TimeRange, now: number): TimeLimits {
  if ('last' in range) return range.last === null ? {} : { from: new Date(now - range.last).toISOString() };
  const [from, to] = [isoTime(range.from), isoTime(range.to)];
  return { ...(from !== null && { from }), ...(to !== null && { to }) };
}

/** Null if the text isn't a time. A date is its first moment. */
function isoTime(text: string): string | null {
  const [, date, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?$/.exec(text.trim()) ?? [];
  // Browsers take 31 February for 3 March.
  const isDay = date !== undefined && new Date(`${date}T00:00Z`).toJSON()?.slice(0, 10) === date;
  const at = isDay ? new Date(`${date}T${time}`).getTime() : NaN;
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** Why a range can't be used; null if it can. */
export function timeProblem(range: TimeRange): string | null {
  if ('last' in range) return null;
  for (const [end, label] of [['from', 'From'] as const, ['to', 'To'] as const])
    if (range[end].trim() !== '' && isoTime(range[end]) === null)
      return `“${label}” must be a time such as 2026-11-23 14:03.`;
  const { from, to } = timeLimits(range, 0);
  return from !== undefined && to !== undefined && from >= to ? '“To” must be later than “From”.' : null;
}

/** Whether a record's time is within the limits. */
export function isWithin(createdAt: string, { from, to }: TimeLimits): boolean {
  if (from === undefined && to === undefined) return true;
  const time = Date.parse(createdAt);
  return (from === undefined || time >= Date.parse(from)) && (to === undefined || time < Date.parse(to));
}
