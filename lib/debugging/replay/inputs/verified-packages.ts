/** Finds the packages that do in a recorded run what the platform’s packages of their names do. */
import type { Context } from '../../../pipeline/index.ts';
import { escapeToken } from '../../../shared/json-pointer.ts';
import { MASK } from '../../../shared/secrets/known-secrets.ts';
import type { RecordedStep, Recording, StepEnd } from '../../recording/format.ts';
import { LostValueError, readValue, type RecordedValue } from '../../recording/values.ts';
import { lostValueIn } from '../recorded-steps.ts';
import { lossesIn, readSettings } from '../runnable-pipeline.ts';
import { RecordingWalk } from '../walk.ts';
import { firstDifference } from './first-difference.ts';
import { compute, isComputed, namesSetBy, overlay, pick, type Settings, withoutClock } from './own-packages.ts';

/**
 * The names of packages that only compute, of which there’s at least one recorded call, and each one did what it would do.
 * A call whose values aren’t known says nothing.
 */
export function verifiedPackages(recording: Recording, settingsAt: (path: string) => RecordedValue): Set<string> {
  const verified = new Set<string>();
  const others = new Set<string>();
  const check = (name: string, use: () => boolean): void => {
    try {
      (use() ? verified : others).add(name);
    } catch (thrown) {
      if (!(thrown instanceof LostValueError)) throw thrown;
    }
  };
  /** What the call that was visited last would have set. */
  let expected: { name: string; values: Context } | null = null;
  const compareLast = (context: Context): void => {
    const last = expected;
    expected = null;
    if (last) check(last.name, () => firstDifference(pick(context, Object.keys(last.values)), last.values) === null);
  };
  const walk = new RecordingWalk(recording, {
    started: ({ index, recorded }, context) => {
      // What else has changed the context before this step could have changed these values, too.
      if (recorded.late) expected = null;
      compareLast(context);
      const { name = '' } = recorded;
      const end = ownEnd(recorded, recording.steps[index + 1]);
      const settings = settingsAt(recorded.path);
      if (end === null || !areWhole(settings)) return;
      const given = readSettings(settings);
      const names = namesSetBy(name, given);
      const values = names.length > 0 ? overlay(context) : context;
      check(name, () => isSameEnd(recorded, end, given, values) && changesOnly(recorded, names));
      if (names.length > 0) expected = { name, values: pick(values, names) };
    },
    ended: (_, context) => compareLast(context),
  });
  walk.advance(Infinity);
  return new Set([...verified].filter((name) => !others.has(name)));
}

const changesOnly = ({ changes = [] }: RecordedStep, names: readonly string[]): boolean =>
  changes.every(([path]) => names.some((name) => `${path}/`.startsWith(`/${escapeToken(name)}/`)));

/** How the call of a package that only computes ended, without its nested steps. Null if that isn’t known. */
function ownEnd({ kind, path, name = '', state, replaced, error }: RecordedStep, next?: RecordedStep): StepEnd | null {
  if (kind !== 'function' || !isComputed(name) || replaced !== undefined) return null;
  if (next?.path.startsWith(`${path}/`)) return 'completed';
  return state === 'stopped' || (state === 'failed' && error === undefined) ? null : state;
}

/** Whether nothing of them is masked, or missing otherwise. */
export const areWhole = (settings: RecordedValue): boolean =>
  lossesIn(settings) === 0 && !JSON.stringify(settings).includes(MASK);

function isSameEnd(
  { name = '', state, value, error }: RecordedStep,
  end: StepEnd,
  settings: Settings,
  context: Context,
): boolean {
  try {
    const computed = withoutClock(() => compute(name, settings, context));
    if ('skip' in computed) return end === 'skipped';
    // It’s recorded only once the nested steps have ended.
    if (end === 'completed' && state !== 'completed') return computed.value === undefined;
    const known = value === undefined ? undefined : readValue(value);
    return end === 'completed' && firstDifference(known, computed.value) === null;
  } catch (thrown) {
    const lost = lostValueIn(thrown);
    if (lost) throw lost;
    if (error?.message.includes(MASK)) throw new LostValueError('masked');
    return end === 'failed' && error?.message === (thrown as Error).message;
  }
}
