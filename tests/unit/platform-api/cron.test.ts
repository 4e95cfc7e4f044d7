import { describe, expect, it } from 'vitest';
import {
  frequencyProblem,
  parseCron,
  timezoneProblem,
  type CronFields,
} from '../../../lib/platform-api/cron/expression.ts';

const fields = (frequency: string): CronFields => parseCron(frequency) as CronFields;
const list = (set: Set<number>): number[] => [...set].sort((a, b) => a - b);

describe('a frequency', () => {
  it('has five fields: minute, hour, day of month, month, day of week; with *, lists, ranges, steps, and names', () => {
    const { minutes, hours, days, months, weekdays } = fields('*/20 0-2,22 1,15-17 JAN,mar-May MON-FRI');
    expect([minutes, hours, days, months, weekdays].map(list)).toEqual([
      [0, 20, 40],
      [0, 1, 2, 22],
      [1, 15, 16, 17],
      [1, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ]);
    expect(list(fields('5/20 3-9/3 * * *').minutes)).toEqual([5, 25, 45]);
    expect(list(fields('5/20 3-9/3 * * *').hours)).toEqual([3, 6, 9]);
  });

  it('accepts 0 and 7 as Sunday', () => {
    for (const sunday of ['0', '7', 'SUN', 'sun']) expect(list(fields(`0 0 * * ${sunday}`).weekdays)).toEqual([0]);
    expect(list(fields('0 0 * * 5-7').weekdays)).toEqual([0, 5, 6]);
    expect(list(fields('0 0 * * *').weekdays)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('reports whether each day field is restricted', () => {
    expect(fields('0 0 13 * FRI')).toMatchObject({ daysRestricted: true, weekdaysRestricted: true });
    expect(fields('0 0 * * *')).toMatchObject({ daysRestricted: false, weekdaysRestricted: false });
    expect(fields('0 0 */2 * */3')).toMatchObject({ daysRestricted: true, weekdaysRestricted: true });
  });

  it.each(['0 0 29 2 *', '0 0 31 2 FRI', '0 0 31 1,2 *', '59 23 31 12 6', ' 0  0\t* * * '])('may be %j', (frequency) =>
    expect(frequencyProblem(frequency)).toBeNull(),
  );

  it.each<[string, RegExp]>([
    ['', /five fields.*0/],
    ['* * * *', /five fields.*4/],
    ['* * * * * *', /five fields.*6/],
    ['@daily', /five fields.*1/],
    ['60 * * * *', /"60" isn’t a valid minute/],
    ['* 24 * * *', /isn’t a valid hour/],
    ['* * 0 * *', /isn’t a valid day of month/],
    ['* * 32 * *', /isn’t a valid day of month/],
    ['* * * 0 *', /isn’t a valid month/],
    ['* * * 13 *', /isn’t a valid month/],
    ['* * * * 8', /isn’t a valid day of week/],
    ['* * * FOO *', /isn’t a valid month\. Use 1 to 12 or JAN to DEC/],
    ['-1 * * * *', /isn’t a valid minute/],
    ['1.5 * * * *', /isn’t a valid minute/],
    ['1, * * * *', /isn’t a valid minute/],
    ['*/0 * * * *', /step/],
    ['*/60 * * * *', /step/],
    ['5-1 * * * *', /must start with the smaller value/],
    ['L * * * *', /isn’t a valid minute/],
    ['? * * * *', /isn’t a valid minute/],
    ['* * 31 2 *', /never fire/],
    ['0 0 30 2 *', /never fire/],
    ['0 0 31 4,6,9,11 *', /never fire/],
    ['1-2-3 * * * *', /isn’t a valid minute/],
    [`${'*'.repeat(600)} * * * *`, /too long/],
  ])('may not be %j', (frequency, message) => expect(frequencyProblem(frequency)).toMatch(message));
});

describe('a time zone', () => {
  it.each([
    'UTC',
    'Etc/UTC',
    'Europe/Amsterdam',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Etc/GMT+5',
  ])('may be %s', (zone) => expect(timezoneProblem(zone)).toBeNull());
  it.each(['', 'Mars/Olympus', '+02:00', 'CEST', 'Europe/', 'Europe/Amsterdam ', '../etc', 'x'.repeat(1000)])(
    'may not be %j',
    (zone) => expect(timezoneProblem(zone)).toMatch(/^timezone must be the full name of a zone/),
  );
});
