/** Describes a cron expression in English. */
import { type CronFields, parseCron } from '../../../../platform-api/cron/expression.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
/**
 * If an action runs more than this many times a day, its times are described by minute and hour instead of being
 * listed.
 */
const LISTED_TIMES = 6;
/** If there are more than this many evenly spaced days, they're described by their interval instead of being listed. */
const LISTED_DAYS = 4;
const MONTH = 31;
const LIST = new Intl.ListFormat('en');
const ORDINALS: Record<number, string> = { 2: 'second', 3: 'third' };

/** Describes a frequency, such as `At 07:00 on Monday`; null if the expression is invalid. */
export function describeFrequency(frequency: string): string | null {
  const fields = parseCron(frequency);
  if ('problem' in fields) return null;
  const minutes = sorted(fields.minutes);
  const hours = sorted(fields.hours);
  const on = describeDayFields(fields);
  const months =
    fields.months.size < 12 ? ` in ${list(sorted(fields.months).map((month) => MONTHS[month - 1] ?? ''))}` : '';
  const isFew = minutes.length * hours.length <= LISTED_TIMES;
  const times = isFew ? clockTimes(minutes, hours) : describeMinutes(minutes, hours) + describeHours(minutes, hours);
  return `${times}${on ? ` on ${on}` : isFew ? ' every day' : ''}${months}`;
}

const clockTimes = (minutes: number[], hours: number[]): string =>
  `At ${list(hours.flatMap((hour) => minutes.map((minute) => `${two(hour)}:${two(minute)}`)))}`;

const isOnTheHour = (minutes: number[]): boolean => minutes.length === 1 && minutes[0] === 0;

function describeMinutes(minutes: number[], hours: number[]): string {
  if (isOnTheHour(minutes))
    return hours.length > 1 && isStepped(hours, 24) && hours.length < 24
      ? `Every ${24 / hours.length} hours`
      : 'Every hour';
  if (minutes.length === 60) return 'Every minute';
  return minutes.length > 1 && isStepped(minutes, 60)
    ? `Every ${60 / minutes.length} minutes`
    : `At minute ${ranges(minutes)}`;
}

function describeHours(minutes: number[], hours: number[]): string {
  const isAll = hours.length === 24;
  if (isAll) return minutes.length === 1 && !isOnTheHour(minutes) ? ' of every hour' : '';
  if (hours.length > 1 && isStepped(hours, 24))
    return isOnTheHour(minutes) ? '' : ` of every ${ordinal(24 / hours.length)} hour`;
  return ` in the ${hours.length === 1 ? 'hour' : 'hours'} ${ranges(hours)}`;
}

/**
 * If both day fields are restricted, a day needs to match only one of them (decisions, "Actions"). So if either field
 * lists every value, every day matches.
 */
function describeDayFields({ days, daysRestricted, weekdays, weekdaysRestricted }: CronFields): string {
  if ((daysRestricted && days.size === MONTH) || (weekdaysRestricted && weekdays.size === WEEKDAYS.length)) return '';
  return [
    daysRestricted ? describeDays(sorted(days)) : '',
    weekdaysRestricted ? describeWeekdays(sorted(weekdays)) : '',
  ]
    .filter(Boolean)
    .join(' or on ');
}

function describeDays(days: number[]): string {
  const [first = 1, second = first] = days;
  const step = second - first;
  const isEven =
    step > 1 &&
    days.length > LISTED_DAYS &&
    (days.at(-1) ?? 0) + step > MONTH &&
    days.every((day, index) => day === first + index * step);
  return isEven ? `every ${ordinal(step)} day of the month from day ${first}` : `day ${ranges(days)} of the month`;
}

const ordinal = (number: number): string => ORDINALS[number] ?? `${number}th`;

/** Whether the values evenly divide the range from 0 to `end`. */
const isStepped = (values: number[], end: number): boolean =>
  values.every((value, index) => value === (index * end) / values.length);

function describeWeekdays(days: number[]): string {
  if (days.join() === '1,2,3,4,5') return 'Monday to Friday';
  return list(days.map((day) => WEEKDAYS[day] ?? ''));
}

/** Joins values as ranges, such as `8 to 17 and 20`. */
function ranges(values: number[]): string {
  const parts: [number, number][] = [];
  for (const value of values) {
    const last = parts.at(-1);
    if (last && last[1] === value - 1) last[1] = value;
    else parts.push([value, value]);
  }
  return list(
    parts.flatMap(([from, to]) =>
      to - from > 1 ? [`${from} to ${to}`] : to > from ? [String(from), String(to)] : [String(from)],
    ),
  );
}

const two = (value: number): string => String(value).padStart(2, '0');
const sorted = (values: Set<number>): number[] => [...values].sort((a, b) => a - b);
const list = (words: string[]): string => LIST.format(words);
