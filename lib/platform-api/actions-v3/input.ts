/** Validates what callers set on V3 actions. Every problem has a code. */
import * as v from 'valibot';
import { ActionEnvironment, type Trigger } from '../action.ts';
import { actionProblems, AnyTrigger, checkedBy } from '../actions/input.ts';
import { nameProblem } from '../actions/names.ts';
import { frequencyProblem, parseCron, timezoneProblem } from '../cron/expression.ts';
import { issueDetails } from '../errors.ts';
import { ACTION_NAME_LIMIT } from '../limits.ts';
import { isFields } from '../where.ts';
import { checkCode, missingDependencies } from './check-code.ts';
import type { ActionV3Content } from './record.ts';

export const DESCRIPTION_LIMIT = 1_000;
const TRIGGER_LIMIT = 100;
const DEPENDENCY_LIMIT = 100;

/** `path` is a JSON Pointer into the request. */
export interface ProblemV3 {
  code: string;
  path: string;
  message: string;
}

const NEEDS_WHERE: readonly unknown[] = ['log', 'analytics'];

const NewTriggerV3 = v.pipe(
  AnyTrigger,
  v.forward(
    v.partialCheck(
      [['where'], ['trigger']],
      ({ trigger, where }) => where !== undefined || !NEEDS_WHERE.includes(trigger),
      'A log or analytics trigger must have a where.',
    ),
    ['where'],
  ),
);

const optionalText = (problem: (text: string) => string | null, message: string) =>
  v.nullable(v.pipe(v.string(message), checkedBy(problem)));

const properties = {
  name: v.pipe(v.string('name must be a string.'), v.nonEmpty('name must not be empty.'), checkedBy(nameProblem)),
  code: v.pipe(v.string('code must be a string.')),
  description: v.nullable(
    v.pipe(
      v.string('description must be a string or null.'),
      v.maxLength(DESCRIPTION_LIMIT, `description is limited to ${DESCRIPTION_LIMIT} characters.`),
    ),
  ),
  active: v.boolean('active must be true or false.'),
  environment: v.picklist(ActionEnvironment.options, 'environment must be server, client, or any.'),
  triggers: v.pipe(
    v.array(NewTriggerV3, 'triggers must be an array.'),
    v.maxLength(TRIGGER_LIMIT, `An action is limited to ${TRIGGER_LIMIT} triggers.`),
  ),
  dependencies: v.pipe(
    v.array(v.string('A dependency must be the name of a package.'), 'dependencies must be an array of strings.'),
    v.maxLength(DEPENDENCY_LIMIT, `An action is limited to ${DEPENDENCY_LIMIT} dependencies.`),
  ),
  frequency: optionalText(frequencyProblem, 'frequency must be a cron expression of five fields, or null.'),
  timezone: optionalText(timezoneProblem, 'timezone must be the full name of a zone, or null.'),
};

const READ_ONLY = [
  'id',
  'appId',
  'assets',
  'actionVersion',
  'lastRunAt',
  'createdAt',
  'updatedAt',
  'publishedAt',
] as const;
/** Ignored, so that callers can change a response and send it back. */
const readOnly = Object.fromEntries(READ_ONLY.map((name) => [name, v.optional(v.unknown())])) as Record<
  (typeof READ_ONLY)[number],
  v.OptionalSchema<v.UnknownSchema, undefined>
>;
const revisionIssue = 'revision must be the number from the action’s last response.';
const additional = {
  ...readOnly,
  revision: v.optional(v.pipe(v.number(revisionIssue), v.integer(revisionIssue))),
};

const unknownProperty = (issue: v.StrictObjectIssue): string =>
  issue.expected === 'never'
    ? `V3 actions don’t have this property. Valid properties are ${Object.keys(properties).join(', ')}.`
    : `An action needs ${issue.expected}.`;

const { name, code, ...others } = properties;
const partial = v.entriesFromObjects([v.partial(v.object(others))]);
const NewActionV3 = v.strictObject({ name, code, ...partial, ...additional }, unknownProperty);
const ActionV3Change = v.strictObject(
  { name: v.optional(name), code: v.optional(code), ...partial, ...additional },
  unknownProperty,
);
export type NewActionV3 = v.InferOutput<typeof NewActionV3>;
export type ActionV3Change = v.InferOutput<typeof ActionV3Change>;

export type ReadV3<T> = { value: T } | { problems: ProblemV3[] };

/** Reads the properties of a new action. `name` and `code` are required. */
export const readNewActionV3 = (given: unknown): ReadV3<NewActionV3> => read(NewActionV3, given);
/** Reads the properties to change. */
export const readActionV3Change = (given: unknown): ReadV3<ActionV3Change> => read(ActionV3Change, given);

function read<T>(schema: v.GenericSchema<unknown, T>, given: unknown): ReadV3<T> {
  if (!isFields(given)) return { problems: [{ code: 'INVALID', path: '', message: 'An action must be an object.' }] };
  const parsed = v.safeParse(schema, given, { abortPipeEarly: true });
  if (parsed.success) return { value: parsed.output };
  const details = issueDetails(parsed.issues);
  return {
    problems: details.map((detail, index) => ({ code: codeOf(parsed.issues[index]!, detail.path), ...detail })),
  };
}

/** The code of the first-level property that an issue is about. Others are `INVALID`. */
const CODES: Partial<Record<string, string>> = {
  environment: 'ENVIRONMENT_INVALID',
  triggers: 'TRIGGERS_INVALID',
  dependencies: 'DEPENDENCIES_INVALID',
  frequency: 'FREQUENCY_INVALID',
  timezone: 'TIMEZONE_INVALID',
};

function codeOf({ type, input, expected }: v.BaseIssue<unknown>, path: string): string {
  const property = path.split('/')[1] ?? '';
  if (property === 'name') return nameCode(type, input);
  if (property === 'code') return expected === 'never' ? 'INVALID' : 'CODE_REQUIRED';
  if (type === 'picklist' && path.endsWith('/trigger')) return 'TRIGGER_TYPE_INVALID';
  return CODES[property] ?? 'INVALID';
}

function nameCode(type: string, input: unknown): string {
  if (input === undefined || input === null) return 'NAME_REQUIRED';
  if (type === 'non_empty') return 'NAME_EMPTY';
  return typeof input === 'string' && input.length > ACTION_NAME_LIMIT ? 'NAME_TOO_LONG' : 'NAME_INVALID';
}

/** Problems of a whole action: its code, its dependencies, and what its fields mean for one another. */
export function actionV3Problems(action: ActionV3Content): ProblemV3[] {
  const { environment, triggers, frequency = null, dependencies = [] } = action;
  const conflicts = actionProblems({ environment, triggers: triggers as Trigger[], frequency });
  const missing = missingDependencies(action.code, dependencies);
  return [
    ...checkCode(action.code).map(({ code, message, line, column }) => ({
      code,
      path: '/code',
      message: line === undefined ? message : `${message.replace(/\.$/, '')} (line ${line}, column ${column}).`,
    })),
    ...conflicts.map(({ path, message }) => ({
      code: path === '/frequency' ? 'FREQUENCY_INVALID' : 'TRIGGER_NOT_ALLOWED',
      path,
      message,
    })),
    ...(frequency !== null && runsEveryMinute(frequency)
      ? [{ code: 'FREQUENCY_TOO_FREQUENT', path: '/frequency', message: 'frequency must not be every minute.' }]
      : []),
    ...missing.map((each) => ({
      code: 'DEPENDENCIES_INVALID',
      path: '/dependencies',
      message: `dependencies must list ${each}, which the code uses.`,
    })),
  ];
}

/** Also true for other spellings of `* * * * *`. */
function runsEveryMinute(frequency: string): boolean {
  const fields = parseCron(frequency);
  if ('problem' in fields) return false;
  const { minutes, hours, days, months, weekdays, daysRestricted, weekdaysRestricted } = fields;
  const isEveryWeekday = !weekdaysRestricted || weekdays.size === 7;
  const isEveryDay = (!daysRestricted || days.size === 31) && isEveryWeekday;
  return minutes.size === 60 && hours.size === 24 && months.size === 12 && isEveryDay;
}
