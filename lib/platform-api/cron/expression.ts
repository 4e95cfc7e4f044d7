/** Parses and validates five-field cron expressions and time zones (specification, "App Actions V2", rules 2 and 3). */

/** The values that match each field, in ascending order. If both day fields are restricted, a day only has to match one of them. */
export interface CronFields {
  minutes: Set<number>;
  hours: Set<number>;
  days: Set<number>;
  months: Set<number>;
  /** 0 is Sunday. In any order. */
  weekdays: Set<number>;
  /** Whether the field is anything but `*`. Steps and a range of all days count as restrictions too. */
  daysRestricted: boolean;
  weekdaysRestricted: boolean;
  /** Whether minute or hour has a `*`, also with a step. If not, the expression has fixed times. */
  isInterval: boolean;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MONTH_LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const FIELDS = [
  { name: 'minute', from: 0, to: 59, names: [] as string[] },
  { name: 'hour', from: 0, to: 23, names: [] as string[] },
  { name: 'day of month', from: 1, to: 31, names: [] as string[] },
  { name: 'month', from: 1, to: 12, names: MONTHS },
  { name: 'day of week', from: 0, to: 7, names: WEEKDAYS },
];

/** Caught in this module, which returns the error’s message. */
class Refusal extends Error {}

/** Parses an expression, or returns one sentence that explains why it’s invalid. */
export function parseCron(frequency: string): CronFields | { problem: string } {
  try {
    return read(frequency);
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message };
    throw error;
  }
}

/** The reason why `frequency` is invalid, or null if it’s valid. */
export function frequencyProblem(frequency: string): string | null {
  const parsed = parseCron(frequency);
  return 'problem' in parsed ? parsed.problem : null;
}

/** The reason why `timezone` is invalid, or null if it’s valid. */
export function timezoneProblem(timezone: string): string | null {
  const problem = `timezone must be the full name of a zone, such as Europe/Amsterdam, or UTC. ${JSON.stringify(timezone.slice(0, 60))} is unknown.`;
  if (timezone !== 'UTC' && !/^[A-Za-z][\w+-]*(\/[\w+-]+)+$/.test(timezone)) return problem;
  try {
    // Throws if the zone is unknown.
    return Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone ? null : problem;
  } catch {
    return problem;
  }
}

function read(frequency: string): CronFields {
  const texts = frequency.trim().split(/\s+/).filter(Boolean);
  if (texts.length !== 5 || frequency.length > 500) {
    throw new Refusal(
      `frequency must have five fields: minute, hour, day of month, month, day of week. ${frequency.length > 500 ? 'This one is too long' : `This one has ${texts.length}`}.`,
    );
  }
  const [minutes, hours, days, months, weekdays] = texts.map((text, index) => field(text, FIELDS[index]!)) as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  if (weekdays.delete(7)) weekdays.add(0);
  const daysRestricted = texts[2] !== '*';
  const weekdaysRestricted = texts[4] !== '*';
  const isInterval = `${texts[0]} ${texts[1]}`.includes('*');
  const first = Math.min(...days);
  if (!weekdaysRestricted && ![...months].some((month) => MONTH_LENGTHS[month - 1]! >= first)) {
    throw new Refusal(`frequency never fires: none of its months has a day ${first}.`);
  }
  return { minutes, hours, days, months, weekdays, daysRestricted, weekdaysRestricted, isInterval };
}

function field(text: string, about: (typeof FIELDS)[number]): Set<number> {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(\*|\w+(?:-\w+)?)(?:\/(\d{1,4}))?$/.exec(part);
    if (!match) throw wrong(part, about);
    const [from, to] = bounds(match[1]!, match[2] !== undefined, about);
    const step = match[2] === undefined ? 1 : Number(match[2]);
    if (step < 1 || step > about.to)
      throw new Refusal(
        `frequency: the step of ${about.name} in ${JSON.stringify(part)} must be from 1 to ${about.to}.`,
      );
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return new Set([...values].sort((a, b) => a - b));
}

function bounds(range: string, stepped: boolean, about: (typeof FIELDS)[number]): [number, number] {
  if (range === '*') return [about.from, about.names === WEEKDAYS ? 6 : about.to];
  const [from, to = stepped ? about.to : undefined] = range.split('-').map((text) => value(text, range, about)) as [
    number,
    number | undefined,
  ];
  if (to === undefined) return [from, from];
  if (from > to) throw new Refusal(`frequency: the range ${range} of ${about.name} must start with the smaller value.`);
  return [from, to];
}

function value(text: string, part: string, about: (typeof FIELDS)[number]): number {
  const named = about.names.indexOf(text.toUpperCase());
  if (named >= 0) return named + (about.names === MONTHS ? 1 : 0);
  const number = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  if (!(number >= about.from && number <= about.to)) throw wrong(part, about);
  return number;
}

function wrong(part: string, { name, from, to, names }: (typeof FIELDS)[number]): Refusal {
  const also = names.length > 0 ? ` or ${names[0]} to ${names.at(-1)}` : '';
  return new Refusal(
    `frequency: ${JSON.stringify(part.slice(0, 40))} isn’t a valid ${name}. Use ${from} to ${to}${also}, *, lists, ranges, or steps such as */5.`,
  );
}
