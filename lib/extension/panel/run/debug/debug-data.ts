/** What an action is debugged with, as it's stored: its breakpoints and watched expressions. */
import * as v from 'valibot';
import type { Breakpoint, DebuggerSettings } from '../../../../debugging/stepper/types.ts';
import { CodedError } from '../../../../platform-api/coded-error.ts';
import { isRecord } from '../../../../shared/objects.ts';

const VERSION = 1;
/** In characters, of a condition, a log message, or a watched expression. */
export const EXPRESSION_LIMIT = 10_000;
/** The page evaluates at most this many expressions per pause. */
export const WATCH_LIMIT = 100;
const BREAKPOINT_LIMIT = 1_000;

const expression = v.pipe(v.string(), v.maxLength(EXPRESSION_LIMIT));

const StepBreakpoint = v.object({
  path: v.pipe(v.string(), v.startsWith('/')),
  /** The step's name or function. */
  label: v.string(),
  /** The step as JSON text, by which it's found again in a changed pipeline. Empty if it's too long. */
  step: v.string(),
  condition: v.optional(expression),
  hits: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  /** Absent for `from`, as in 0.1.0. */
  hitRule: v.optional(v.picklist(['from', 'at', 'every'])),
  log: v.optional(expression),
  isOff: v.optional(v.boolean()),
});
export type StepBreakpoint = v.InferOutput<typeof StepBreakpoint>;

const breakpoints = v.pipe(v.array(StepBreakpoint), v.maxLength(BREAKPOINT_LIMIT));
const DebugData = v.object({
  version: v.literal(VERSION),
  breakpoints,
  /** Those whose step the pipeline no longer has. */
  gone: breakpoints,
  pauseOnFailure: v.boolean(),
  watches: v.pipe(v.array(expression), v.maxLength(WATCH_LIMIT)),
  /** The pipeline that the paths are of, as JSON text. Empty if it's too long. */
  pipeline: v.string(),
});
export type DebugData = Omit<v.InferOutput<typeof DebugData>, 'version'>;

export const NO_DEBUG_DATA: DebugData = {
  breakpoints: [],
  gone: [],
  pauseOnFailure: false,
  watches: [],
  pipeline: '',
};

export const writeDebugData = (data: DebugData): string => JSON.stringify({ version: VERSION, ...data });

/** @throws CodedError `BREAKPOINTS_NEWER` or `BREAKPOINTS_DAMAGED` */
export function parseDebugData(text: string): DebugData {
  const value = fromJson(text);
  if (isRecord(value) && typeof value['version'] === 'number' && value['version'] > VERSION)
    throw new CodedError({
      code: 'BREAKPOINTS_NEWER',
      message: 'Couldn’t read this action’s breakpoints: a newer version of the extension stored them.',
      hint: 'Update the extension. Until then, breakpoints that you set here aren’t stored.',
    });
  const parsed = v.safeParse(DebugData, value, { abortEarly: true });
  if (parsed.success) {
    const { version: _version, ...data } = parsed.output;
    return data;
  }
  throw new CodedError({
    code: 'BREAKPOINTS_DAMAGED',
    message: 'Couldn’t read this action’s breakpoints: the stored data is damaged.',
    hint: 'Set the breakpoints again.',
  });
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the page gets. */
export function settingsOf({ breakpoints: all, pauseOnFailure }: DebugData): DebuggerSettings {
  return {
    breakpoints: all.map(({ path, condition, hits, hitRule, log, isOff }): Breakpoint => ({
      path,
      condition,
      hits,
      hitRule,
      log,
      isOff,
    })),
    pauseOnFailure,
  };
}
