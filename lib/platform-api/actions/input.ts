/**
 * Schemas for creating, updating, publishing, and running actions (decisions, "Actions"). HTTP, the JavaScript API, and
 * forms share them.
 */
import * as v from 'valibot';
import { ActionEnvironment, type Trigger } from '../action.ts';
import { frequencyProblem, timezoneProblem } from '../cron/expression.ts';
import { WHERE_DEPTH, WHERE_LIMIT } from '../limits.ts';
import { Mocks } from '../runs/mock.ts';
import { idProblem, nameProblem, referenceProblem } from './names.ts';
import { isFields, isWhere } from '../where.ts';

const MAX_ID = 2 ** 31 - 1;
const TRIGGER_LIMIT = 100;

export const ActionName = v.pipe(v.string('name must be a string.'), checkedBy(nameProblem));

/** An action’s ID in a URL. */
export const ActionId = v.pipe(v.string(), checkedBy(idProblem), v.transform(Number));

/** An action’s ID or name in a URL. */
export const ActionReference = v.pipe(v.string(), checkedBy(referenceProblem));

const TRIGGERS = ['log', 'schedule', 'manual', 'analytics'] as const;
const ANALYTICS_TYPES = ['analytics.pageView', 'analytics.event'];

/** Passes `where` through unchanged. A record schema would drop keys such as __proto__. */
const Where = v.custom<Record<string, unknown>>(
  isWhere,
  `where must be an object of fields and values, with at most ${WHERE_LIMIT} characters and ${WHERE_DEPTH} levels.`,
);

/** A trigger, whatever its `where` is about. */
export const AnyTrigger = v.strictObject(
  { trigger: v.picklist(TRIGGERS, `trigger must be one of ${TRIGGERS.join(', ')}.`), where: v.optional(Where) },
  (issue) =>
    issue.expected === 'never'
      ? 'A trigger can have only the fields trigger and where.'
      : 'A trigger must be an object such as {"trigger": "manual"}.',
);

const NewTrigger = v.pipe(
  AnyTrigger,
  v.forward(
    v.partialCheck(
      [['where'], ['trigger']],
      ({ trigger, where }) => trigger !== 'log' || where?.type === undefined || typeof where.type === 'string',
      'where.type of a log trigger must be a log type, such as dataSource.entry.create.',
    ),
    ['where'],
  ),
  v.forward(
    v.partialCheck(
      [['where'], ['trigger']],
      ({ trigger, where }) =>
        trigger !== 'analytics' || where?.type === undefined || ANALYTICS_TYPES.includes(where.type as string),
      `where.type of an analytics trigger must be ${ANALYTICS_TYPES.join(' or ')}.`,
    ),
    ['where'],
  ),
);

const pageIssue = 'pageId must be the ID of a screen (a positive integer) or null.';

/** All properties that callers can set. `lib/pipeline` validates `functions`. */
const properties = {
  active: v.boolean('active must be true or false.'),
  environment: v.picklist(ActionEnvironment.options, 'environment must be server, client, or any.'),
  triggers: v.pipe(
    v.array(NewTrigger, 'triggers must be an array.'),
    v.maxLength(TRIGGER_LIMIT, `An action is limited to ${TRIGGER_LIMIT} triggers.`),
  ),
  frequency: v.nullable(
    v.pipe(
      v.string('frequency must be a cron expression of five fields, such as “0 7 * * MON”.'),
      checkedBy(frequencyProblem),
    ),
  ),
  /** null means the default. Responses contain null for actions that have never had a schedule. */
  timezone: v.nullable(
    v.pipe(v.string('timezone must be the full name of a zone, such as Europe/Amsterdam.'), checkedBy(timezoneProblem)),
    'UTC',
  ),
  functions: v.custom<unknown[]>(Array.isArray, 'functions must be an array of steps.'),
  pageId: v.nullable(
    v.pipe(v.number(pageIssue), v.integer(pageIssue), v.minValue(1, pageIssue), v.maxValue(MAX_ID, pageIssue)),
  ),
};

const READ_ONLY = [
  'id',
  'appId',
  'createdAt',
  'updatedAt',
  'lastRunAt',
  'nextRunAt',
  'published',
  'publishedAt',
  'unpublishedChanges',
] as const;
/** Properties that only the platform sets. They are ignored, so callers can modify a response and send it back. */
const readOnly = /* @__PURE__ */ Object.fromEntries(READ_ONLY.map((name) => [name, v.optional(v.unknown())])) as Record<
  (typeof READ_ONLY)[number],
  v.OptionalSchema<v.UnknownSchema, undefined>
>;

const known = /* @__PURE__ */ Object.keys(properties).join(', ');
const unknownProperty = (issue: v.StrictObjectIssue): string => {
  if (issue.expected === 'never') return `Actions don’t have this property. Valid properties are name, ${known}.`;
  return `An action needs ${issue.expected}.`;
};

const Fields = v.custom<Record<string, unknown>>(isFields, 'An action must be an object.');

// In functions, so that bundles that don’t use these schemas can drop them: bundlers treat spreads as side effects.
const newAction = () =>
  v.pipe(
    Fields,
    v.strictObject(
      {
        ...v.entriesFromObjects([v.partial(v.object(properties))]),
        ...readOnly,
        name: ActionName,
        revision: v.optional(v.unknown()),
      },
      unknownProperty,
    ),
  );
/** The properties of a new action. Only `name` is required (decisions, "Actions": defaults). */
export const NewAction = /* @__PURE__ */ newAction();
export type NewAction = v.InferOutput<typeof NewAction>;

const revisionIssue = 'revision must be the number from the action’s last response.';

const actionChange = () =>
  v.pipe(
    Fields,
    v.strictObject(
      {
        ...v.entriesFromObjects([v.partial(v.object(properties))]),
        ...readOnly,
        name: v.optional(ActionName),
        revision: v.optional(v.pipe(v.number(revisionIssue), v.integer(revisionIssue))),
      },
      unknownProperty,
    ),
  );
/** The properties to change. With `revision`, the change is rejected if the action has changed since that revision. */
export const ActionChange = /* @__PURE__ */ actionChange();
export type ActionChange = v.InferOutput<typeof ActionChange>;

export const PublishAction = v.object(
  { publish: v.boolean('publish must be true or false.') },
  'The body must be {"publish": true or false}.',
);

/**
 * The body of a run request. With a user’s token, `mode` selects the copy to run. A page’s token implies the copy. Not in
 * the specification: `mocks`, for a working copy, and `record`, which records the run even if it completes.
 */
export const RunOrder = v.object(
  {
    payload: v.optional(v.custom<Record<string, unknown>>(isFields, 'payload must be an object.'), {}),
    mode: v.optional(v.picklist(['preview', 'live'], 'mode must be preview or live.')),
    mocks: v.optional(Mocks, []),
    record: v.optional(v.boolean('record must be true or false.'), false),
  },
  'The body must be {"payload": {…}}.',
);

/** The fields of an action that must be consistent with one another. */
export interface ActionShape {
  environment: ActionEnvironment;
  triggers: Trigger[];
  frequency: string | null;
}

const ENVIRONMENTS: Record<Trigger['trigger'], { not: ActionEnvironment | null; message: string }> = {
  log: { not: 'client', message: 'A log trigger runs only on the server: environment must be server or any.' },
  schedule: {
    not: 'client',
    message: 'A schedule trigger runs only on the server: environment must be server or any.',
  },
  analytics: {
    not: 'server',
    message: 'An analytics trigger runs only on the client: environment must be client or any.',
  },
  manual: { not: null, message: '' },
};

/** Conflicts between triggers and environment, or between triggers and frequency. Paths are JSON Pointers. */
export function actionProblems({ environment, triggers, frequency }: ActionShape): { path: string; message: string }[] {
  const problems = triggers.flatMap(({ trigger }, index) =>
    ENVIRONMENTS[trigger].not === environment
      ? [{ path: `/triggers/${index}/trigger`, message: ENVIRONMENTS[trigger].message }]
      : [],
  );
  if (frequency === null && triggers.some(({ trigger }) => trigger === 'schedule')) {
    problems.push({ path: '/frequency', message: 'A schedule trigger needs a frequency, such as “0 7 * * MON”.' });
  }
  return problems;
}

/** A check whose message depends on the value. */
/* @__NO_SIDE_EFFECTS__ */
export function checkedBy(problem: (value: string) => string | null) {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    const message = dataset.typed ? problem(dataset.value) : null;
    if (message !== null) addIssue({ message });
  });
}
