/** Treats a draft as an action: its editable fields, defaults, changes, and problems. */
import * as v from 'valibot';
import type { Action, ActionEnvironment, FunctionDescriptor, Trigger } from '../../../../platform-api/action.ts';
import { actionProblems, type ActionChange, NewAction } from '../../../../platform-api/actions/input.ts';
import { issueDetails } from '../../../../platform-api/errors.ts';
import { validatePipeline } from '../../../../pipeline/index.ts';
import { ACTION_NAME_LIMIT } from '../../../../platform-api/limits.ts';
import { unparsedProblems } from './draft-text.ts';
import { type Fields, isFields, same, without } from './draft-value.ts';

/** `path` is a JSON Pointer into the draft. */
export interface Problem {
  path: string;
  message: string;
}

/** An action's editable fields, in display order. */
const PROPERTIES = [
  'name',
  'active',
  'environment',
  'triggers',
  'frequency',
  'timezone',
  'pageId',
  'functions',
] as const;

/** A new action. All other fields have defaults. */
export const BLANK: Fields = { name: '', active: true, environment: 'any', functions: [] };

export function editableFields(action: Pick<Action, (typeof PROPERTIES)[number]>): Fields {
  return { ...Object.fromEntries(PROPERTIES.map((name) => [name, action[name]])), timezone: action.timezone ?? 'UTC' };
}

/** The draft of an inactive copy. `names` are those of the app's actions, which the copy's name must differ from. */
export function copyOf(action: Action, names: readonly string[]): Fields {
  const taken = new Set(names);
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '-copy' : `-copy-${number}`;
    const name = action.name.slice(0, ACTION_NAME_LIMIT - suffix.length) + suffix;
    if (!taken.has(name)) return { ...editableFields(action), name, active: false };
  }
}

/** Applies the platform's defaults for missing fields (decisions, "Actions"). */
export function withDefaults(draft: Fields): Fields {
  const { frequency = null, timezone } = draft;
  return {
    active: true,
    environment: 'any',
    pageId: null,
    functions: [],
    triggers: [{ trigger: frequency === null ? 'manual' : 'schedule' }],
    ...draft,
    frequency,
    timezone: timezone ?? 'UTC',
  };
}

/** The fields in which `draft` differs from `base`, as sent in an update. */
export function changesOf(base: Fields, draft: Fields): ActionChange {
  const whole = withDefaults(draft);
  return Object.fromEntries(Object.entries(whole).filter(([name, value]) => !same(value ?? null, base[name] ?? null)));
}

/** Whether the platform will add a schedule trigger, because the frequency changed and the triggers didn't. */
export function addsSchedule(base: Action, draft: Fields): boolean {
  const { frequency, triggers } = withDefaults(draft);
  return frequency !== null && !same(frequency, base.frequency) && same(triggers, base.triggers);
}

const STEP_PROBLEM_LIMIT = 100;

/** Problems that prevent saving, except those in steps. Uses the platform's messages. */
export function draftProblems(draft: unknown): Problem[] {
  const { unparsed, parsed: fields } = parsedDraft(draft);
  const result = v.safeParse(NewAction, fields, { abortPipeEarly: true });
  if (!result.success) return [...unparsed, ...issueDetails(result.issues)];
  if (unparsed.length > 0 || !isFields(fields)) return unparsed;
  const { environment, triggers, frequency } = withDefaults(fields) as {
    environment: ActionEnvironment;
    triggers: Trigger[];
    frequency: string | null;
  };
  return actionProblems({ environment, triggers, frequency });
}

/**
 * Problems in a draft's steps, using the platform's messages. `unlisted` problems don't prevent saving: the list in
 * `packages` might be outdated, so the platform decides.
 */
export function stepProblems(
  draft: unknown,
  packages: readonly FunctionDescriptor[] | null,
): { wrong: Problem[]; unlisted: Problem[] } {
  const { parsed } = parsedDraft(draft);
  const steps = isFields(parsed) ? parsed['functions'] : null;
  if (!Array.isArray(steps)) return { wrong: [], unlisted: [] };
  const found = validatePipeline(steps, packages ? { packages: packages.map((one) => one.package) } : {});
  const select = (isUnlisted: boolean): Problem[] =>
    found
      .filter(({ code }) => (code === 'UNKNOWN_PACKAGE') === isUnlisted)
      .slice(0, STEP_PROBLEM_LIMIT)
      .map(({ path, message }) => ({ path: `/functions${path}`, message }));
  return { wrong: select(false), unlisted: select(true) };
}

/** The draft without its unparsed parts, and a problem for each of those parts. */
export function parsedDraft(draft: unknown): { unparsed: Problem[]; parsed: unknown } {
  const unparsed = unparsedProblems(draft);
  return { unparsed, parsed: unparsed.reduceRight((value: unknown, { path }) => without(value, path), draft) };
}
