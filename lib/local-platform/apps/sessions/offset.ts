/** Formats and parses times with a numeric UTC offset, as devices report them (specification, "Analytics session"). */

/** ISO 8601 with a numeric offset, in minutes: `2026-03-01T10:00:00+01:00`. */
export function withOffset(date: Date, minutes: number): string {
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** The UTC offset in minutes; 0 if there is none. */
export function offsetOf(text: string | null | undefined): number {
  const [, sign, hours, minutes] = /([+-])(0\d|1[0-4]):([0-5]\d)$/.exec(text ?? '') ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
