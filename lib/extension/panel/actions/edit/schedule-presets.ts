/** Common schedules as a few choices, and their cron expressions. */

export const SCHEDULE_KINDS = ['minutes', 'hourly', 'daily', 'weekdays', 'weekly', 'monthly'] as const;
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number];

/** Fields that a kind doesn't use keep their values, so that switching between kinds loses nothing. */
export interface Preset {
  kind: ScheduleKind;
  hour: number;
  minute: number;
  /** 0 to 6, from Sunday. */
  weekday: number;
  /** Day of the month. */
  day: number;
}

export const DEFAULT_PRESET: Preset = { kind: 'daily', hour: 7, minute: 0, weekday: 1, day: 1 };
const MINUTES = '*/5 * * * *';

export function frequencyOf({ kind, hour, minute, weekday, day }: Preset): string {
  switch (kind) {
    case 'minutes':
      return MINUTES;
    case 'hourly':
      return `${minute} * * * *`;
    case 'daily':
      return `${minute} ${hour} * * *`;
    case 'weekdays':
      return `${minute} ${hour} * * 1-5`;
    case 'weekly':
      return `${minute} ${hour} * * ${weekday}`;
    case 'monthly':
      return `${minute} ${hour} ${day} * *`;
  }
}

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MINUTE = '(?<minute>[0-5]?\\d)';
const TIME = `${MINUTE} (?<hour>[01]?\\d|2[0-3])`;
const PATTERNS: Record<ScheduleKind, string> = {
  minutes: '\\*/5 \\* \\* \\* \\*',
  hourly: `${MINUTE} \\* \\* \\* \\*`,
  daily: `${TIME} \\* \\* \\*`,
  weekdays: `${TIME} \\* \\* (?:1-5|MON-FRI)`,
  weekly: `${TIME} \\* \\* (?<weekday>[0-7]|${DAYS.join('|')})`,
  monthly: `${TIME} (?<day>0?[1-9]|[12]\\d|3[01]) \\* \\*`,
};

/** The preset with this cron expression; null if there is none, as for an invalid expression. */
export function presetOf(frequency: string): Preset | null {
  const text = frequency.trim().toUpperCase().replaceAll(/\s+/g, ' ');
  for (const kind of SCHEDULE_KINDS) {
    const match = new RegExp(`^${PATTERNS[kind]}$`).exec(text);
    if (!match) continue;
    const { minute = 0, hour = DEFAULT_PRESET.hour, day = 1, weekday = '1' } = match.groups ?? {};
    return { kind, minute: Number(minute), hour: Number(hour), day: Number(day), weekday: weekdayOf(weekday) };
  }
  return null;
}

/** Both 0 and 7 are Sunday. */
const weekdayOf = (text: string): number => (DAYS.includes(text) ? DAYS.indexOf(text) : Number(text) % 7);

/** `07:00`. */
export const timeText = ({ hour, minute }: Preset): string => `${two(hour)}:${two(minute)}`;
const two = (value: number): string => String(value).padStart(2, '0');

/** The preset at a time such as `07:00`, `7:00`, or `0700`. Other text changes nothing. */
export function atTime(preset: Preset, text: string): Preset {
  const [, hour, minute] = /^([01]?\d|2[0-3]):?([0-5]\d)$/.exec(text.trim()) ?? [];
  return hour === undefined ? preset : { ...preset, hour: Number(hour), minute: Number(minute) };
}
