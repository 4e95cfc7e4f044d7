/** Helpers to find recorded steps, and to name them. */
import type { Context, StepInfo } from '../../pipeline/index.ts';
import { parsePointer } from '../../shared/json-pointer.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import type { RecordedError, RecordedStep } from '../recording/format.ts';
import { LostValueError, readValue } from '../recording/values.ts';
import { objectAt } from './apply-changes.ts';

/** Whether the run is at this recorded step. */
export const isSameStep = (step: RecordedStep, { kind, path, iteration, name }: StepInfo): boolean =>
  step.kind === kind &&
  step.path === path &&
  (step.name ?? name) === name &&
  String(step.iteration ?? '') === String(iteration);

/** A step and its iterations, such as `/1/functions/0 #12`. The first iteration is #1. */
export const placeText = ({ path, iteration = [] }: { path: string; iteration?: readonly number[] }): string =>
  [path, ...iteration.map((index) => `#${index + 1}`)].join(' ');

/** A step with its package or kind, such as `if at /1/functions/0 #12`. */
export const stepText = (step: Parameters<typeof placeText>[0] & { kind: string; name?: string }): string =>
  `${step.kind === 'function' ? step.name : step.kind} at ${placeText(step)}`;

/** Instead of a function's value that the recording doesn't have. Only a run's result depends on it. */
export class LostOutcome {
  readonly error: LostValueError;
  readonly place: { path: string; iteration: readonly number[] };
  constructor(error: LostValueError, { path, iteration = [] }: RecordedStep) {
    this.error = error;
    this.place = { path, iteration };
  }
  toJSON(): string {
    return this.error.message;
  }
}

/**
 * What a step returned, or a `LostOutcome`.
 * @param context the one at the end of the step, if the value can have objects of it
 */
export function outcomeValue(step: RecordedStep, context?: Context): unknown {
  const { value, kind, state } = step;
  // It was known only once the nested steps had ended.
  if (kind === 'function' && (state === 'failed' || state === 'stopped'))
    return new LostOutcome(new LostValueError('unreadable', 'the step didn’t complete'), step);
  try {
    return value === undefined ? undefined : withShared(readValue(value), step, context);
  } catch (thrown) {
    if (thrown instanceof LostValueError) return new LostOutcome(thrown, step);
    throw thrown;
  }
}

/** The value with the context's own objects, which later steps change. */
function withShared(value: unknown, { shared = [] }: RecordedStep, context?: Context): unknown {
  let result = value;
  for (const [inValue, inContext] of context ? shared : []) {
    const object = objectAt(context!, inContext);
    if (object === undefined) continue;
    const end = inValue.lastIndexOf('/');
    const holder = end < 0 ? undefined : objectAt(value as Context, inValue.slice(0, end));
    if (inValue === '') result = object;
    else if (holder) putObject(holder, parsePointer(inValue).at(-1)!, object);
  }
  return result;
}

/** In place of the copy that is there. */
function putObject(holder: object, key: string, object: object): void {
  if (!Object.hasOwn(holder, key)) return;
  Object.defineProperty(holder, key, { value: object, writable: true, enumerable: true, configurable: true });
}

/** What a step threw. */
export function errorOf({ name, message, thrown, ...fields }: RecordedError): unknown {
  if (thrown !== undefined) {
    try {
      return readValue(thrown);
    } catch {
      // Its text is lost, too.
    }
  }
  return Object.assign(new Error(message), { name }, fields);
}

/** The lost value that a failure is due to; null if it’s due to something else. */
export function lostValueIn(error: unknown): LostValueError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof LostValueError) return cause;
  return null;
}

/** For each step: the values that it might have changed, which is known only later. */
export function lossesOf(steps: readonly RecordedStep[]): Map<number, RecordedChange[]> {
  const losses = new Map<number, RecordedChange[]>();
  for (const { late = [] } of steps)
    for (const { changes, since } of late)
      if (since !== undefined) {
        const known = losses.get(since);
        if (known) for (const change of changes) known.push(change);
        else losses.set(since, [...changes]);
      }
  return losses;
}

/** The branch of an `if` that contains a step. */
export function branchTo(path: string, ifPath: string): number | 'else' | null {
  const [list, index] = path.slice(ifPath.length + 1).split('/');
  return list === 'elseFunctions' ? 'else' : Number(index);
}
