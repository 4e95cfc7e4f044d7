/** Settles with two recordings what the traces don’t have whole, so that what is cut isn’t unknown. */
import { hashValue } from '../../../../../debugging/compare/hash-value.ts';
import {
  compareDigest,
  compareDigests,
  type Digest,
  digestSteps,
  type StepDigest,
} from '../../../../../debugging/compare/step-digests.ts';
import { compileVolatile } from '../../../../../debugging/compare/volatile.ts';
import type { Recording } from '../../../../../debugging/recording/format.ts';
import { LostValueError, readValue } from '../../../../../debugging/recording/values.ts';
import { recordedIndex } from '../../why/recorded-index.ts';
import type { ComparedRow, Comparison, DifferenceKind } from '../compare-runs.ts';
import { summarize } from '../compare-runs.ts';
import type { Sameness } from '../compare-values.ts';
import type { Differences } from '../step-differences.ts';
import { ROOTS, type Volatility } from '../volatile/volatility.ts';

/** The recordings of both runs. */
export interface Recordings {
  before: Recording;
  now: Recording;
}

/** What recordings have whole. */
const WHOLE: readonly DifferenceKind[] = ['input', 'settings', 'changes', 'value'];
const ORDER: readonly DifferenceKind[] = [
  ...(['missing', 'moved', 'replaced', 'input', 'settings', 'condition', 'skipped', 'iterations', 'state'] as const),
  ...(['error', 'network', 'changes', 'value', 'duration', 'console'] as const),
];

/** The comparison, with the rows that were unknown because of cut values. */
export async function withWholeValues(
  comparison: Comparison,
  recordings: Recordings,
  pause: () => Promise<void> | void,
): Promise<Comparison> {
  const { rows, volatility } = comparison;
  const places = new Map<number, { before: number; now: number }>();
  for (const row of rows) {
    const place = row.unknown.some((kind) => WHOLE.includes(kind)) ? placeOf(row, recordings) : null;
    if (place) places.set(row.id, place);
  }
  const options = { ignored: volatility.patterns, roots: ROOTS, pause };
  const indexes = (side: 'before' | 'now'): Set<number> => new Set([...places.values()].map((place) => place[side]));
  const before = await digestSteps(recordings.before, indexes('before'), options);
  const now = await digestSteps(recordings.now, indexes('now'), options);
  const settled = rows.map((row) => {
    if (row.what === 'end') return withResult(row, recordings, volatility);
    const place = places.get(row.id);
    const [left, right] = [before.get(place?.before ?? -1), now.get(place?.now ?? -1)];
    return left && right ? settle(row, left, right, comparison) : row;
  });
  return summarize(comparison, settled);
}

/** Indexes in both recordings. Null if one of them doesn’t have the step. */
export function placeOf(row: ComparedRow, { before, now }: Recordings): { before: number; now: number } | null {
  const left = row.before && recordedIndex(before, row.before);
  const right = row.now && recordedIndex(now, row.now);
  return typeof left === 'number' && typeof right === 'number' ? { before: left, now: right } : null;
}

function settle(row: ComparedRow, left: StepDigest, right: StepDigest, { paths }: Comparison): ComparedRow {
  const { before, now } = row;
  if (!before || !now) return row;
  const map = (path: string): string => paths.toNow(path, before, now);
  const found: Record<string, Sameness> = {
    input: compareDigests(left.input, right.input, map),
    settings: compareDigest(left.settings, right.settings),
    changes: compareDigests(left.changes, right.changes, map),
    value: compareDigest(left.value, right.value),
  };
  return { ...row, ...settled(row, (kind) => found[kind]) };
}

function settled({ kinds, unknown }: Differences, found: (kind: DifferenceKind) => Sameness | undefined): Differences {
  const differs = unknown.filter((kind) => found(kind) === 'different');
  return {
    kinds: differs.length > 0 ? ORDER.filter((kind) => kinds.includes(kind) || differs.includes(kind)) : kinds,
    unknown: unknown.filter((kind) => (found(kind) ?? 'unknown') === 'unknown'),
  };
}

function withResult(row: ComparedRow, { before, now }: Recordings, volatility: Volatility): ComparedRow {
  if (before.end.state !== 'completed' || now.end.state !== 'completed' || !row.unknown.includes('result')) return row;
  const isIgnored = volatility.patterns.length > 0 ? compileVolatile(volatility.patterns) : undefined;
  const digest = (value: Parameters<typeof readValue>[0]): Digest => {
    try {
      return hashValue(readValue(value), ROOTS.result, isIgnored);
    } catch (thrown) {
      if (thrown instanceof LostValueError) return null;
      throw thrown;
    }
  };
  const how = compareDigest(digest(before.end.result), digest(now.end.result));
  if (how === 'unknown') return row;
  return { ...row, kinds: how === 'different' ? ['result'] : [], unknown: [] };
}
