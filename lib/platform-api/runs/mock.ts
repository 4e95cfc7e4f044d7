/** Mocks, which a run of a working copy takes: what happens instead of its steps (decisions, "Run recordings"). */
import * as v from 'valibot';
import { isDeeperThan } from '../json-depth.ts';
import { JSON_DEPTH, MOCKS_LIMIT, MOCKS_SIZE_LIMIT, RUN_TIME_LIMIT } from '../limits.ts';
import { isFields } from '../where.ts';

/** JSON. In mocks, an object whose first key is `$` is a mark for what JSON doesn’t have, as in recordings. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };

const isJson = (value: unknown): value is JsonValue =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (Array.isArray(value) && value.every(isJson)) ||
  (isFields(value) && Object.values(value).every(isJson));

/** Passes JSON through unchanged: a record schema would drop keys such as __proto__. */
const Json = /* @__NO_SIDE_EFFECTS__ */ (message: string) =>
  v.custom<JsonValue>((value) => !isDeeperThan(value, JSON_DEPTH) && isJson(value), message);

const targetIssue = 'target must be {"path": "/0"} or {"package": "com.platform.function.send-email"}.';
const outcomeIssue = 'outcome must be {"value": …}, {"error": {"message": …}}, or {"skip": true}.';
const changesIssue = 'changes must be an array of [path, value], or [path] for a property to remove.';
const delayIssue = `delay must be a number of milliseconds from 0 to ${RUN_TIME_LIMIT}.`;
const Path = v.pipe(v.string(changesIssue), v.startsWith('/', changesIssue));

const Outcome = v.union(
  [
    v.strictObject({ error: v.strictObject({ name: v.optional(v.string()), message: v.string() }) }),
    v.strictObject({ skip: v.literal(true) }),
    v.strictObject({ value: v.optional(Json(outcomeIssue)) }),
  ],
  outcomeIssue,
);

const Change = v.union([v.strictTuple([Path, Json(changesIssue)]), v.strictTuple([Path])], changesIssue);

/** A mock of a step, or of all steps with a function package. */
export const Mock = v.strictObject(
  {
    target: v.union(
      [
        v.strictObject({ path: v.pipe(v.string(), v.startsWith('/'), v.maxLength(10_000)) }),
        v.strictObject({ package: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_000)) }),
      ],
      targetIssue,
    ),
    /** Applies only if this expression over the context is true. */
    condition: v.optional(v.string('condition must be a string, such as "currentItem.id === 3".')),
    /** Without it, the step itself runs, after the delay. */
    outcome: v.optional(Outcome),
    /** In milliseconds. */
    delay: v.optional(v.pipe(v.number(delayIssue), v.minValue(0, delayIssue), v.maxValue(RUN_TIME_LIMIT, delayIssue))),
    /** Properties of the context that the mock sets or removes. */
    changes: v.optional(v.array(Change, changesIssue)),
    isOff: v.optional(v.boolean('isOff must be true or false.')),
  },
  (issue) =>
    issue.expected === 'never'
      ? 'A mock can have only the fields target, condition, outcome, delay, changes, and isOff.'
      : 'A mock must be an object with a target.',
);
export type Mock = v.InferOutput<typeof Mock>;

const sizeIssue = `The mocks of a run are limited to ${MOCKS_SIZE_LIMIT.toLocaleString('en')} characters of JSON.`;

/** The mocks of a run. */
export const Mocks = v.pipe(
  v.array(Mock, 'mocks must be an array.'),
  v.maxLength(MOCKS_LIMIT, `A run is limited to ${MOCKS_LIMIT} mocks.`),
  v.check((mocks) => JSON.stringify(mocks).length <= MOCKS_SIZE_LIMIT, sizeIssue),
);
