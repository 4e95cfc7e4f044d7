/** Compares what both versions of an action did, in order. */
import { contextDifferences } from '../../../debugging/compare/context-differences.ts';
import type { Effect } from './clone.ts';
import type { EffectDifference } from './types.ts';

/** How a run ended. The name is a code if the engine or the platform ended it. */
export type End = { result: unknown } | { failure: { name: string; message: string } };

/** What a run did, in order, and how it ended. */
export interface RunEffects {
  effects: Effect[];
  end: End;
}

const KINDS = ['message', 'entry', 'request'] as const;

/** Of each list. */
const MOST = 10;

export function effectDifferences(v2: RunEffects, v3: RunEffects): EffectDifference[] {
  const isSameNumber = KINDS.every((kind) => ofKind(kind, v2).length === ofKind(kind, v3).length);
  return [
    ...KINDS.flatMap((kind) => inOrder(kind, ofKind(kind, v2), ofKind(kind, v3))),
    // One that is missing moves all that follow.
    ...(isSameNumber ? orderDifferences(v2, v3) : []),
    ...endDifferences(v2.end, v3.end),
  ];
}

export const ofKind = (kind: Effect['what'], { effects }: RunEffects): unknown[] =>
  effects.filter(({ what }) => what === kind).map(({ value }) => value);

/** The first effect that is of another kind. Those of the same kind are compared by themselves. */
function orderDifferences(v2: RunEffects, v3: RunEffects): EffectDifference[] {
  const index = v2.effects.findIndex(({ what }, at) => what !== v3.effects[at]?.what);
  if (index < 0) return [];
  return [{ what: 'order', index, place: '', v2: v2.effects[index]?.what, v3: v3.effects[index]?.what }];
}

/** Items aren’t aligned: two that changed their places both differ. */
function inOrder(what: EffectDifference['what'], v2: readonly unknown[], v3: readonly unknown[]): EffectDifference[] {
  const found: EffectDifference[] = [];
  for (let index = 0; index < Math.max(v2.length, v3.length); index += 1) {
    if (index >= v2.length) found.push({ what, index, place: '', v3: v3[index] });
    else if (index >= v3.length) found.push({ what, index, place: '', v2: v2[index] });
    else found.push(...valueDifferences(v2[index], v3[index]).map((each) => ({ what, index, ...each })));
  }
  return found.slice(0, MOST);
}

const valueDifferences = (v2: unknown, v3: unknown): Pick<EffectDifference, 'place' | 'v2' | 'v3'>[] =>
  contextDifferences(v2, v3, { limit: MOST })
    .filter(({ kind }) => kind !== 'unknown')
    .map(({ path, before, now }) => ({
      place: path,
      ...(before !== undefined && { v2: before }),
      ...(now !== undefined && { v3: now }),
    }));

function endDifferences(v2: End, v3: End): EffectDifference[] {
  if ('result' in v2 && 'result' in v3)
    return valueDifferences(v2.result, v3.result).map((each) => ({ what: 'result', ...each }));
  if ('failure' in v2 && 'failure' in v3 && isSameFailure(v2.failure, v3.failure)) return [];
  return [{ what: 'failure', place: '', v2: shown(v2), v3: shown(v3) }];
}

const shown = (end: End): unknown => ('failure' in end ? end.failure : { result: end.result });

type Failure = Extract<End, { failure: unknown }>['failure'];

const isSameFailure = (v2: Failure, v3: Failure): boolean =>
  isOfEngine(v2) || (v2.name === v3.name && v2.message === v3.message);

/** A condition or a loop failed: alone, or in the settings of a package. */
export const isOfEngine = ({ name }: Pick<Failure, 'name'>): boolean =>
  name === 'ConditionError' || /^[A-Z][A-Z_]+$/.test(name);

/** Why it isn’t known whether both runs did the same, and ended in the same way. Null if it’s known. */
export function unknownEnd(one: RunEffects, other: RunEffects): string | null {
  const [{ end: v2 }, { end: v3 }] = [one, other];
  const isTooDeep = contextDifferences(one, other).some(({ kind }) => kind === 'unknown');
  if (isTooDeep) return 'A value is nested too deeply to be compared.';
  if (!('failure' in v2) || !('failure' in v3) || !isOfEngine(v2.failure)) return null;
  return 'Both versions failed, but conditions and loops fail in other words in V3.';
}
