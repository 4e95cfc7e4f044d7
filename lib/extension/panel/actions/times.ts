/** Owns how times are written: in its zone, and from now. */

const UNITS: [name: string, seconds: number][] = [
  ['y', 31_536_000],
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** `in 3 d 4 h`, `2 min ago`, `now`: the two largest units. */
export function relativeTime(at: number, now: number): string {
  let left = Math.round(Math.abs(at - now) / 1000);
  if (left === 0) return 'now';
  const parts: string[] = [];
  const first = UNITS.findIndex(([, seconds]) => left >= seconds);
  for (const [name, seconds] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return at > now ? `in ${parts.join(' ')}` : `${parts[0]} ago`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `Mon 23 Nov 07:00`, in a zone; with the year when it is another than now's. */
export function timeInZone(at: number, timezone: string, now: number): string {
  const isThisYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
  const key = `${timezone} ${isThisYear}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      ...(isThisYear ? {} : { year: 'numeric' }),
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(key, format);
  }
  return format.format(at).replaceAll(',', '');
}

/** The zone that a platform named, or UTC when this browser does not know it. */
export function knownZone(timezone: string | null): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone ?? 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
