/**
 * Schemas for creating, updating, publishing, and running actions (decisions, "Actions"), shared by HTTP, the
 * JavaScript API, and forms.
 */
import * as v from 'valibot';
import { ActionEnvironment, type Trigger } from './action.ts';
import { frequencyProblem, timezoneProblem } from './cron.ts';
import { WHERE_DEPTH, WHERE_LIMIT } from './limits.ts';
import { idProblem, nameProblem, referenceProblem } from './names.ts';
import { isFields, isWhere } from './where.ts';

const LARGEST_ID = 2 ** 31 - 1;
const TRIGGER_LIMIT = 100;

export const ActionName = v.pipe(v.string('name must be a string.'), sentence(nameProblem));

/** An action's id as it stands in an address. */
export const ActionId = v.pipe(v.string(), sentence(idProblem), v.transform(Number));

/** An action's id or name as it stands in an address. */
export const ActionReference = v.pipe(v.string(), sentence(referenceProblem));

const TRIGGERS = ['log', 'schedule', 'manual', 'analytics'] as const;
const ANALYTICS_TYPES = ['analytics.pageView', 'analytics.event'];

/** `where` is kept as it is: a schema of records would leave out keys such as __proto__. */
const Where = v.custom<Record<string, unknown>>(
  isWhere,
  `where must be an object of fields and values, with at most ${WHERE_LIMIT} characters and ${WHERE_DEPTH} levels.`,
);

const NewTrigger = v.pipe(
  v.strictObject(
    { trigger: v.picklist(TRIGGERS, `trigger must be one of ${TRIGGERS.join(', ')}.`), where: v.optional(Where) },
    (issue) =>
      issue.expected === 'never'
        ? 'A trigger has only the fields trigger and where.'
        : 'A trigger must be an object such as {"trigger": "manual"}.',
  ),
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

const pageIssue = 'pageId must be the ID of a screen (an integer from 1) or null.';

/** Every property that a caller may set; `functions` is checked by `lib/pipeline`. */
const properties = {
  active: v.boolean('active must be true or false.'),
  environment: v.picklist(ActionEnvironment.options, 'environment must be server, client, or any.'),
  triggers: v.pipe(
    v.array(NewTrigger, 'triggers must be an array.'),
    v.maxLength(TRIGGER_LIMIT, `An action is limited to ${TRIGGER_LIMIT} triggers.`),
  ),
  frequency: v.nullable(
    v.pipe(
      v.string('frequency must be a cron expression of five fields, such as "0 7 * * MON".'),
      sentence(frequencyProblem),
    ),
  ),
  /** An action that never had a schedule may be answered with null: that is the default. */
  timezone: v.nullable(
    v.pipe(v.string('timezone must be the full name of a zone, such as Europe/Amsterdam.'), sentence(timezoneProblem)),
    'UTC',
  ),
  functions: v.custom<unknown[]>(Array.isArray, 'functions must be an array of steps.'),
  pageId: v.nullable(
    v.pipe(v.number(pageIssue), v.integer(pageIssue), v.minValue(1, pageIssue), v.maxValue(LARGEST_ID, pageIssue)),
  ),
};

/** What the platform says about an action: allowed, and not looked at, so that what `get` answered can be sent back changed. */
const answered = /* @__PURE__ */ Object.fromEntries(
  ['id', 'appId', 'createdAt', 'updatedAt', 'lastRunAt', 'nextRunAt', 'published', 'publishedAt'].map((name) => [
    name,
    v.optional(v.unknown()),
  ]),
) as Record<
  'id' | 'appId' | 'createdAt' | 'updatedAt' | 'lastRunAt' | 'nextRunAt' | 'published' | 'publishedAt',
  v.OptionalSchema<v.UnknownSchema, undefined>
>;

const known = /* @__PURE__ */ Object.keys(properties).join(', ');
const strange = (issue: v.StrictObjectIssue): string => {
  if (issue.expected === 'never') return `An action has no such property. Its properties are name, ${known}.`;
  return `An action needs ${issue.expected}.`;
};

const Fields = v.custom<Record<string, unknown>>(isFields, 'An action must be an object.');

// Made in functions, so that bundles which use neither leave all of this out: spreading counts as an effect.
const newAction = () =>
  v.pipe(
    Fields,
    v.strictObject(
      {
        ...v.entriesFromObjects([v.partial(v.object(properties))]),
        ...answered,
        name: ActionName,
        revision: v.optional(v.unknown()),
      },
      strange,
    ),
  );
/** The properties of a new action: `name` alone is required (decisions, "Actions": defaults). */
export const NewAction = /* @__PURE__ */ newAction();
export type NewAction = v.InferOutput<typeof NewAction>;

const revisionIssue = 'revision must be the number from the action’s last response.';

const actionChange = () =>
  v.pipe(
    Fields,
    v.strictObject(
      {
        ...v.entriesFromObjects([v.partial(v.object(properties))]),
        ...answered,
        name: v.optional(ActionName),
        revision: v.optional(v.pipe(v.number(revisionIssue), v.integer(revisionIssue))),
      },
      strange,
    ),
  );
/** The properties to change; `revision`: refuse the change when the action has another one by now. */
export const ActionChange = /* @__PURE__ */ actionChange();
export type ActionChange = v.InferOutput<typeof ActionChange>;

export const PublishAction = v.object(
  { publish: v.boolean('publish must be true or false.') },
  'The body must be {"publish": true or false}.',
);

/** The request of a run; `mode` says which copy a user's own token runs, a page's token says it itself. */
export const RunOrder = v.object(
  {
    payload: v.optional(v.custom<Record<string, unknown>>(isFields, 'payload must be an object.'), {}),
    mode: v.optional(v.picklist(['preview', 'live'], 'mode must be preview or live.')),
  },
  'The body must be {"payload": {…}}.',
);

/** What an action is, apart from its name: enough to know whether its parts fit one another. */
export interface ActionShape {
  environment: ActionEnvironment;
  triggers: Trigger[];
  frequency: string | null;
}

const PLACES: Record<Trigger['trigger'], { not: ActionEnvironment | null; says: string }> = {
  log: { not: 'client', says: 'A log trigger runs only on the server: environment must be server or any.' },
  schedule: { not: 'client', says: 'A schedule trigger runs only on the server: environment must be server or any.' },
  analytics: {
    not: 'server',
    says: 'An analytics trigger runs only on the client: environment must be client or any.',
  },
  manual: { not: null, says: '' },
};

/** Where an action's parts do not fit one another: a trigger its environment, a schedule its frequency. Paths are JSON Pointers. */
export function actionProblems({ environment, triggers, frequency }: ActionShape): { path: string; message: string }[] {
  const problems = triggers.flatMap(({ trigger }, index) =>
    PLACES[trigger].not === environment ? [{ path: `/triggers/${index}/trigger`, message: PLACES[trigger].says }] : [],
  );
  if (frequency === null && triggers.some(({ trigger }) => trigger === 'schedule')) {
    problems.push({ path: '/frequency', message: 'A schedule trigger needs a frequency, such as "0 7 * * MON".' });
  }
  return problems;
}

/** A check whose sentence depends on the value. */
/* @__NO_SIDE_EFFECTS__ */
function sentence(problem: (value: string) => string | null) {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    const message = dataset.typed ? problem(dataset.value) : null;
    if (message !== null) addIssue({ message });
  });
}
