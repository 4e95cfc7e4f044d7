/**
 * What calls of the platform’s function packages read, and what those do that only compute. A platform can have others by
 * these names, so a recorded call has to fit (`fits`, `verifiedPackages`).
 */
import {
  compileCondition,
  type Condition,
  type ConditionSources,
  type Context,
  fill,
  toText,
} from '../../../pipeline/index.ts';
import { withSources } from '../../../pipeline/condition/sources.ts';
import { OWN_SETTINGS, type OwnSettings } from '../../../platform-api/functions/own-settings.ts';
import type { RecordedStep } from '../../recording/format.ts';
import { LostValueError } from '../../recording/values.ts';
import { lostValueIn } from '../recorded-steps.ts';

export type Settings = Readonly<Record<string, unknown>>;
/** How a call ends that doesn’t throw. */
export type Computed = { value?: string } | { skip: true };
type Compute = (settings: Settings, context: Context) => Computed;

const PACKAGE = 'com.platform.function.';

/** The packages whose calls do nothing but compute from their settings and the context. */
const COMPUTED: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  [
    `${PACKAGE}set-context`,
    ({ assign }, context) => {
      assignAll(assign, context);
      return {};
    },
  ],
  [
    `${PACKAGE}return-string`,
    ({ message }, context) => {
      if (typeof message !== 'string') throw new TypeError('return-string: the setting "message" must be a string.');
      return { value: toText(filled(message, context)) };
    },
  ],
  [
    `${PACKAGE}fail`,
    ({ message }, context) => {
      if (typeof message !== 'string') throw new TypeError('fail: the setting "message" must be a string.');
      throw new Error(toText(filled(message, context)));
    },
  ],
  [
    `${PACKAGE}if`,
    ({ condition }, context) => {
      if (typeof condition !== 'string')
        throw new TypeError('if: the setting "condition" must be a string with an expression.');
      return evaluate(condition, context) ? {} : { skip: true };
    },
  ],
  [
    `${PACKAGE}wait`,
    ({ ms }) => {
      const longest = 2 ** 31 - 1;
      if (!(typeof ms === 'number' && ms >= 0 && ms <= longest))
        throw new TypeError(`wait: the setting "ms" must be a number of milliseconds from 0 to ${longest}.`);
      return {};
    },
  ],
]);

export const isComputed = (name: string): boolean => COMPUTED.has(name);

/** What a call of such a package does. It throws what the package throws. Only set-context changes the context. */
export const compute = (name: string, settings: Settings, context: Context): Computed =>
  COMPUTED.get(name)!(settings, context);

/** As the engine calls it: a rejection without a reason skips the nested steps. */
export function callComputed(name: string, settings: Settings, context: Context): unknown {
  const computed = compute(name, settings, context);
  return 'skip' in computed ? Promise.reject() : computed.value;
}

/** The names that a call of a computing package sets in the context, if it gets so far. */
export function namesSetBy(name: string, { assign }: Settings): string[] {
  return name === `${PACKAGE}set-context` && isFields(assign) ? Object.keys(assign) : [];
}

/** @param values receives what is set, too */
function assignAll(assign: unknown, context: Context, values: Context = {}): void {
  if (!isFields(assign))
    throw new TypeError('set-context: the setting "assign" must be an object of names and expressions.');
  for (const [name, source] of Object.entries(assign)) {
    if (typeof source !== 'string')
      throw new TypeError(
        `set-context: the expression of "${name}" must be a string. Write a string value as "'text'".`,
      );
    // Assigning to __proto__ would set the object’s prototype.
    const property = { value: evaluate(source, context), writable: true, enumerable: true, configurable: true };
    for (const holder of [context, values]) Object.defineProperty(holder, name, property);
  }
}

/** A context of its own, with the same values. Lost ones still throw when they’re read. */
export const overlay = (context: Context): Context =>
  Object.defineProperties({}, Object.getOwnPropertyDescriptors(context)) as Context;

/** The properties of these names, as far as there are any. Lost ones still throw when they’re read. */
export function pick(context: Context, names: readonly string[]): Context {
  const picked: Context = {};
  for (const name of names) {
    const property = Object.getOwnPropertyDescriptor(context, name);
    if (property) Object.defineProperty(picked, name, property);
  }
  return picked;
}

/** A time or a random number that a function reads. Only those of conditions are recorded. */
export class ClockReadError extends LostValueError {
  constructor() {
    super('unreadable', 'times and random numbers that functions read aren’t recorded');
  }
}

const NO_CLOCK: Required<ConditionSources> = {
  now: () => {
    throw new ClockReadError();
  },
  random: () => {
    throw new ClockReadError();
  },
};

/** With expressions that read the time or a random number throwing `ClockReadError`. */
export const withoutClock = <T>(use: () => T): T => withSources(NO_CLOCK, use, undefined);

const MAX_COMPILED = 500;
const compiled = new Map<string, Condition>();

function evaluate(source: string, context: Context): unknown {
  let condition = compiled.get(source);
  if (!condition) {
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(source, (condition = compileCondition(source)));
  }
  return condition(context);
}

const filled = (value: unknown, context: Context): unknown => fill(value, (source) => evaluate(source, context));

/** What a setting is for the function: its value, or why it has none. */
interface Input {
  is?: unknown;
  fails?: string;
}

/**
 * Everything that a call reads: its settings, with their expressions evaluated. Null if that isn’t known of the package.
 * @throws LostValueError, ClockReadError
 */
export function inputOf(name: string, settings: Settings, context: Context): Record<string, Input> | null {
  const schema = Object.hasOwn(OWN_SETTINGS, name) ? OWN_SETTINGS[name] : undefined;
  // Another platform’s package of this name can have more settings, and fill them in.
  if (!schema || !Object.keys(settings).every((key) => Object.hasOwn(schema, key))) return null;
  return withoutClock(() =>
    Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, settingOf(key, value, schema, context)])),
  );
}

function settingOf(key: string, value: unknown, schema: OwnSettings, context: Context): Input {
  const { templates, expressions } = schema[key]!;
  const input: Input = {};
  try {
    if (expressions && isFields(value)) assignAll(value, overlay(context), (input.is = {}));
    else if (expressions && typeof value === 'string') input.is = Boolean(evaluate(value, context));
    else input.is = templates ? filled(value, context) : value;
  } catch (thrown) {
    const lost = lostValueIn(thrown);
    if (lost) throw lost;
    input.fails = thrown instanceof Error ? thrown.message : String(thrown);
  }
  return input;
}

/** What the platform’s packages change that find something outside. */
const FINDS: ReadonlyMap<string, string> = new Map([
  [`${PACKAGE}read-datasource`, '/records'],
  [`${PACKAGE}http-request`, '/response'],
]);

/** Whether a recorded call could be one of the platform’s package: it returned nothing, and changed no more than that. */
export const fits = (name: string, { value, changes = [] }: RecordedStep): boolean =>
  value === undefined && changes.every(([path]) => path === FINDS.get(name));

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
