/** Checks steps' settings against the descriptions of their packages. Platforms accept any settings, so these warn. */
import type { FunctionDescriptor } from '../../../../platform-api/action.ts';
import { OWN_SETTINGS } from '../../../../platform-api/functions/own-settings.ts';
import type { Setting, Settings } from '../../../../platform-api/functions/settings.ts';
import { compileCondition, ConditionError, expressionsIn, templateParts } from '../../../../pipeline/index.ts';
import { editDistance } from '../../../../shared/edit-distance.ts';
import { escapeToken } from '../../../../shared/json-pointer.ts';
import type { Problem } from './draft-action.ts';
import { type Fields, isFields } from './draft-value.ts';

/** A package's settings. They're assumed if the platform doesn't describe them, but the local platform's package does. */
export interface KnownSettings {
  settings: Settings;
  isAssumed: boolean;
}

/** `isMissing`: a required setting is missing, so a run would fail at this step. */
type SettingProblem = Problem & { isMissing: boolean };
export type SettingWarning = SettingProblem & Pick<KnownSettings, 'isAssumed'>;

export const isCertainFailure = ({ isMissing, isAssumed }: SettingWarning): boolean => isMissing && !isAssumed;

/** Whether an action is active and has a trigger that fires without a person. */
export function startsUnattended(action: unknown): boolean {
  if (!isFields(action) || action['active'] === false) return false;
  const { triggers, frequency } = action;
  if (!Array.isArray(triggers)) return typeof frequency === 'string';
  return triggers.some((one) => isFields(one) && one['trigger'] !== 'manual');
}

export function settingsOf(name: string, packages: readonly FunctionDescriptor[] | null): KnownSettings | null {
  const reported = packages?.find((one) => one.package === name)?.settings;
  if (reported) return { settings: reported, isAssumed: false };
  const own = Object.hasOwn(OWN_SETTINGS, name) ? OWN_SETTINGS[name] : undefined;
  return own ? { settings: own, isAssumed: true } : null;
}

/** The problems of all steps in a draft. Paths are JSON Pointers into the draft. */
export function settingsProblems(draft: unknown, packages: readonly FunctionDescriptor[] | null): SettingWarning[] {
  return functionSteps(isFields(draft) ? draft['functions'] : null, '/functions').flatMap(({ path, step }) => {
    const name = step['functionPackage'] ?? step['function'];
    const known = typeof name === 'string' ? settingsOf(name, packages) : null;
    if (!known) return [];
    return stepProblems(known.settings, step['settings'], `${path}/settings`).map((problem) => ({
      ...problem,
      isAssumed: known.isAssumed,
    }));
  });
}

/** Deeper than any pipeline that the platform accepts. */
const DEPTH_LIMIT = 50;

function functionSteps(steps: unknown, path: string, depth = 0): { path: string; step: Fields }[] {
  if (!Array.isArray(steps) || depth > DEPTH_LIMIT) return [];
  return (steps as unknown[]).flatMap((step, index) => {
    if (!isFields(step)) return [];
    const at = `${path}/${index}`;
    const inside = (list: unknown, name: string) => functionSteps(list, `${at}/${name}`, depth + 1);
    const blocks: unknown[] = Array.isArray(step['conditions']) ? step['conditions'] : [];
    return [
      ...(step['type'] === undefined || step['type'] === 'function' ? [{ path: at, step }] : []),
      ...inside(step['functions'], 'functions'),
      ...blocks.flatMap((block, nth) =>
        inside(isFields(block) ? block['functions'] : null, `conditions/${nth}/functions`),
      ),
      ...inside(step['elseFunctions'], 'elseFunctions'),
    ];
  });
}

function stepProblems(known: Settings, given: unknown, path: string): SettingProblem[] {
  if (given !== undefined && given !== null && !isFields(given)) return [];
  const settings = given ?? {};
  const missing = missingSettings(known, settings).map((name) => ({
    path,
    message: `The setting “${name}” is missing.`,
    isMissing: true,
  }));
  const others = Object.entries(settings).flatMap(([name, value]) => {
    const setting = Object.hasOwn(known, name) ? known[name] : undefined;
    const message = setting ? problemOf(name, setting, value) : unknownSetting(name, known, settings);
    return message === null ? [] : [{ path: `${path}/${escapeToken(name)}`, message, isMissing: false }];
  });
  return [...missing, ...others];
}

/** The required settings that are absent or empty. */
export function missingSettings(known: Settings, given: unknown): string[] {
  const settings = isFields(given) ? given : {};
  return Object.entries(known).flatMap(([name, { required, unless }]) =>
    required && isAbsent(settings, name) && (unless === undefined || isAbsent(settings, unless)) ? [name] : [],
  );
}

function isAbsent(settings: Fields, name: string): boolean {
  const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return value === undefined || value === null || value === '';
}

const TYPE_NAMES: Record<Setting['type'][number], string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  any: 'any value',
};
const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** `a string or an integer`. */
export const typeText = ({ type }: Setting): string => OR.format(type.map((one) => TYPE_NAMES[one]));

function problemOf(name: string, setting: Setting, value: unknown): string | null {
  if (value === null || value === '') return null;
  const problem = setting.templates ? templateProblem(name, value) : null;
  const hasExpressions = typeof value === 'string' && expressionsIn(value).length > 0;
  if (problem !== null || (hasExpressions && setting.templates)) return problem;
  if (!setting.type.some((type) => isOfType(type, value))) {
    const isFilled = hasExpressions ? ' Expressions in {{}} aren’t filled in here.' : '';
    return `${name} must be ${typeText(setting)}.${isFilled}`;
  }
  if (typeof value === 'number') return rangeProblem(name, setting, value);
  return setting.expressions ? expressionsProblem(name, value) : null;
}

function rangeProblem(name: string, { minimum, maximum }: Setting, value: number): string | null {
  if (minimum !== undefined && value < minimum) return `${name} must be ${minimum} or more.`;
  return maximum !== undefined && value > maximum ? `${name} must be ${maximum} or less.` : null;
}

function isOfType(type: Setting['type'][number], value: unknown): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isFields(value);
    default:
      return typeof value === type;
  }
}

/** The first problem of the `{{expressions}}` in a value’s strings. */
function templateProblem(name: string, value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return textProblem(name, value);
  if (typeof value !== 'object' || value === null || depth > DEPTH_LIMIT) return null;
  for (const [key, each] of Object.entries(value)) {
    const problem = templateProblem(`${name}.${key}`, each, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function textProblem(name: string, text: string): string | null {
  return invalidIn(name, () => {
    for (const part of templateParts(text)) {
      if (typeof part === 'object') compileCondition(part.source);
      else if (part.includes('{{')) return `A {{ in ${name} has no closing }}, so it stays as text.`;
    }
    return null;
  });
}

function expressionsProblem(name: string, value: unknown): string | null {
  if (typeof value === 'string') return expressionProblem(name, value);
  for (const [key, each] of Object.entries(value as Fields)) {
    if (typeof each !== 'string') return `${name}.${key} must be a string with an expression.`;
    const problem = expressionProblem(`${name}.${key}`, each);
    if (problem !== null) return problem;
  }
  return null;
}

const expressionProblem = (name: string, source: string): string | null =>
  invalidIn(name, () => {
    compileCondition(source);
    return null;
  });

function invalidIn(name: string, check: () => string | null): string | null {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return `The expression in ${name} is invalid: ${error.message}`;
  }
}

function unknownSetting(name: string, known: Settings, given: Fields): string {
  const names = Object.keys(known);
  if (names.length === 0) return `Unknown setting “${name}”. This function has no settings.`;
  const [near] = names
    .filter((each) => isAbsent(given, each))
    .map((each) => ({ each, edits: editDistance(each.toLowerCase(), name.toLowerCase()) }))
    .filter(({ each, edits }) => edits <= 2 && edits < each.length)
    .sort((a, b) => a.edits - b.edits);
  return near
    ? `Unknown setting “${name}”. Did you mean “${near.each}”?`
    : `Unknown setting “${name}”. Known settings: ${names.join(', ')}.`;
}
