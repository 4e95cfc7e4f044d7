/** Owns reading a cron expression in plain words. */
import { type CronFields, parseCron } from '../../../../platform-api/cron.ts';

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
/** More times than these in a day are told by minute and hour. */
const TIMES = 6;
/** More days than these at even distances are told by their distance. */
const DAYS = 4;
const MONTH = 31;
const ORDINALS: Record<number, string> = { 2: 'second', 3: 'third' };

/** Such as `At 07:00 on Monday`; null when it is no expression. */
export function describeFrequency(frequency: string): string | null {
  const fields = parseCron(frequency);
  if ('problem' in fields) return null;
  const minutes = sorted(fields.minutes);
  const hours = sorted(fields.hours);
  const on = dayFieldWords(fields);
  const months =
    fields.months.size < 12 ? ` in ${list(sorted(fields.months).map((month) => MONTHS[month - 1] ?? ''))}` : '';
  const isFew = minutes.length * hours.length <= TIMES;
  return `${isFew ? clockTimes(minutes, hours) : `${minuteWords(minutes, hours)}${hourWords(minutes, hours)}`}${on ? ` on ${on}` : isFew ? ' every day' : ''}${months}`;
}

const clockTimes = (minutes: number[], hours: number[]): string =>
  `At ${list(hours.flatMap((hour) => minutes.map((minute) => `${two(hour)}:${two(minute)}`)))}`;

const isOnTheHour = (minutes: number[]): boolean => minutes.length === 1 && minutes[0] === 0;

function minuteWords(minutes: number[], hours: number[]): string {
  if (isOnTheHour(minutes))
    return hours.length > 1 && isStepped(hours, 24) && hours.length < 24
      ? `Every ${24 / hours.length} hours`
      : 'Every hour';
  if (minutes.length === 60) return 'Every minute';
  return minutes.length > 1 && isStepped(minutes, 60)
    ? `Every ${60 / minutes.length} minutes`
    : `At minute ${ranges(minutes)}`;
}

function hourWords(minutes: number[], hours: number[]): string {
  const isAll = hours.length === 24;
  if (isAll) return minutes.length === 1 && !isOnTheHour(minutes) ? ' of every hour' : '';
  if (hours.length > 1 && isStepped(hours, 24))
    return isOnTheHour(minutes) ? '' : ` of every ${ordinal(24 / hours.length)} hour`;
  return ` in the ${hours.length === 1 ? 'hour' : 'hours'} ${ranges(hours)}`;
}

/** Both day fields restricted: either matches (decisions, "Actions"), so one that has all days makes it every day. */
function dayFieldWords({ days, daysRestricted, weekdays, weekdaysRestricted }: CronFields): string {
  if ((daysRestricted && days.size === MONTH) || (weekdaysRestricted && weekdays.size === WEEKDAYS.length)) return '';
  return [daysRestricted ? dayWords(sorted(days)) : '', weekdaysRestricted ? weekdayWords(sorted(weekdays)) : '']
    .filter(Boolean)
    .join(' or on ');
}

function dayWords(days: number[]): string {
  const [first = 1, second = first] = days;
  const step = second - first;
  const isEven =
    step > 1 &&
    days.length > DAYS &&
    (days.at(-1) ?? 0) + step > MONTH &&
    days.every((day, index) => day === first + index * step);
  return isEven ? `every ${ordinal(step)} day of the month from day ${first}` : `day ${ranges(days)} of the month`;
}

const ordinal = (number: number): string => ORDINALS[number] ?? `${number}th`;

/** Whether values go through the whole of 0 to `end` evenly. */
const isStepped = (values: number[], end: number): boolean =>
  values.every((value, index) => value === (index * end) / values.length);

function weekdayWords(days: number[]): string {
  if (days.join() === '1,2,3,4,5') return 'Monday to Friday';
  return list(days.map((day) => WEEKDAYS[day] ?? ''));
}

/** `8 to 17 and 20` */
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
const list = (words: string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
