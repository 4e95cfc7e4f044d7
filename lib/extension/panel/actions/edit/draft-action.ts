/** Owns a draft as an action: what of it can be changed, its defaults, what is wrong with it, and what of it is new. */
import * as v from 'valibot';
import type { Action, ActionEnvironment, FunctionDescriptor, Trigger } from '../../../../platform-api/action.ts';
import { actionProblems, type ActionChange, NewAction } from '../../../../platform-api/action-input.ts';
import { issueDetails } from '../../../../platform-api/errors.ts';
import { validatePipeline } from '../../../../pipeline/index.ts';
import { unparsedProblems } from './draft-text.ts';
import { type Fields, isFields, same, without } from './pointer.ts';

/** One place that is wrong; `path` is a JSON Pointer. */
export interface Problem {
  path: string;
  message: string;
}

/** What a person may set of an action, in the order in which it is shown. */
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

/** What a new action starts as; all else has its default, triggers by whether there is a frequency. */
export const BLANK: Fields = { name: '', active: true, environment: 'any', functions: [] };

/** What of an action can be changed: what the platform alone says of it is left out. */
export function editableOf(action: Action): Fields {
  return { ...Object.fromEntries(PROPERTIES.map((name) => [name, action[name]])), timezone: action.timezone ?? 'UTC' };
}

/** An action's properties with the platform's defaults for those that the draft leaves out (decisions, "Actions"). */
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

/** The properties of `draft` that `base` has otherwise: what an update sends. */
export function changesOf(base: Fields, draft: Fields): ActionChange {
  const whole = withDefaults(draft);
  return Object.fromEntries(Object.entries(whole).filter(([name, value]) => !same(value ?? null, base[name] ?? null)));
}

/** Whether the platform adds a schedule trigger to what is saved: a frequency came, and no triggers with it. */
export function addsSchedule(base: Action, draft: Fields): boolean {
  const { frequency, triggers } = withDefaults(draft);
  return frequency !== null && !same(frequency, base.frequency) && same(triggers, base.triggers);
}

/** As many problems of steps as a person reads. */
const SHOWN = 100;

/** Everything that keeps a draft from being saved, apart from its steps, in the sentences of the platform. */
export function draftProblems(draft: unknown): Problem[] {
  const { unparsed, sound } = parsedDraft(draft);
  const parsed = v.safeParse(NewAction, sound, { abortPipeEarly: true });
  if (!parsed.success) return [...unparsed, ...issueDetails(parsed.issues)];
  if (unparsed.length > 0 || !isFields(sound)) return unparsed;
  const { environment, triggers, frequency } = withDefaults(sound) as {
    environment: ActionEnvironment;
    triggers: Trigger[];
    frequency: string | null;
  };
  return actionProblems({ environment, triggers, frequency });
}

/**
 * What is wrong with a draft's steps, in the same sentences; `unlisted`: of a package that is none of `packages`, when they are known. That
 * list may be older than a package, so it is the platform that refuses those.
 */
export function stepProblems(
  draft: unknown,
  packages: readonly FunctionDescriptor[] | null,
): { wrong: Problem[]; unlisted: Problem[] } {
  const { sound } = parsedDraft(draft);
  const steps = isFields(sound) ? sound['functions'] : null;
  if (!Array.isArray(steps)) return { wrong: [], unlisted: [] };
  const found = validatePipeline(steps, packages ? { packages: packages.map((one) => one.package) } : {});
  const placed = (isUnlisted: boolean): Problem[] =>
    found
      .filter(({ code }) => (code === 'UNKNOWN_PACKAGE') === isUnlisted)
      .slice(0, SHOWN)
      .map(({ path, message }) => ({ path: `/functions${path}`, message }));
  return { wrong: placed(false), unlisted: placed(true) };
}

/** A draft without what is no JSON yet, and where that stands. */
function parsedDraft(draft: unknown): { unparsed: Problem[]; sound: unknown } {
  const unparsed = unparsedProblems(draft);
  return { unparsed, sound: unparsed.reduceRight((value: unknown, { path }) => without(value, path), draft) };
}
