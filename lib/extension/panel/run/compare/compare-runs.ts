/** Compares two runs: aligns their steps, classifies how each differs, and finds the first difference. */
import type { AgentEvent, Change } from '../../../inspector/contract.ts';
import type { RunRecord } from '../history/run-store.ts';
import type { ConsoleLine, RequestLine, Trace, TraceStep } from '../trace.ts';
import { alignSteps } from './align-steps.ts';
import type { Sameness } from './compare-values.ts';
import { firstDifferences } from './first-differences.ts';
import { outcomeDifferences, stepDifferences, type Differences } from './step-differences.ts';

/**
 * How a row differs, causes first. `missing`: the step ran in only one run. `replaced`: another step has the same path.
 * `input`: the context was different when the step started, such as a loop's `currentItem`.
 */
export type DifferenceKind =
  | 'payload'
  | 'missing'
  | 'replaced'
  | 'input'
  | 'settings'
  | 'condition'
  | 'skipped'
  | 'iterations'
  | 'state'
  | 'error'
  | 'outcome'
  | 'network'
  | 'changes'
  | 'value'
  | 'result'
  | 'duration'
  | 'console';

export interface ComparedRun {
  record: RunRecord;
  trace: Trace;
  /** Not fully recorded, so anything missing might still have happened. */
  isPartial: boolean;
  /** Keyed by the step that caused them. */
  requests: ReadonlyMap<number, RequestLine[]>;
  lines: ReadonlyMap<number, ConsoleLine[]>;
}

export interface ComparedRow {
  /** The row's index among all rows. */
  id: number;
  what: 'payload' | 'step' | 'end';
  level: number;
  before: TraceStep | null;
  now: TraceStep | null;
  kinds: readonly DifferenceKind[];
  /** Not fully recorded, so there might be more differences. */
  isUnknown: boolean;
  /** Index after the last nested row. */
  end: number;
  /** Each run's context changes since the previous step event. */
  input: { before: readonly Change[]; now: readonly Change[] };
}

export interface Comparison {
  before: ComparedRun;
  now: ComparedRun;
  rows: readonly ComparedRow[];
  /** ID of the first row that differs. If the payload differs, also the first difference after that. */
  firsts: readonly number[];
  steps: number;
  different: number;
  unknown: number;
  /** Number of steps that both runs have. */
  common: number;
  /** False if one of the runs is partly recorded, so that there might be more differences. */
  isComplete: boolean;
  /** False if the runs were traced at different levels of detail. */
  isAligned: boolean;
  /** Number of paths where the pipelines have different steps. */
  replaced: number;
}

/** These vary from run to run and have no effect on a run, so any other difference comes first. */
const WEAK: ReadonlySet<DifferenceKind> = new Set(['duration', 'console']);

/** Whether only durations and console lines are known to differ, but not everything was recorded. */
export const isUnknownOnly = (row: Pick<ComparedRow, 'kinds' | 'isUnknown'>): boolean =>
  row.isUnknown && row.kinds.every((kind) => WEAK.has(kind));

export function comparedRun(record: RunRecord, trace: Trace, events?: readonly AgentEvent[]): ComparedRun {
  const hasGap = events?.some((event, index) => index > 0 && event.n !== (events[index - 1]?.n ?? 0) + 1) ?? false;
  return {
    record,
    trace,
    isPartial:
      trace.unstored !== null ||
      record.thinned === true ||
      record.cut ||
      hasGap ||
      trace.dropped > 0 ||
      trace.state === 'interrupted',
    requests: groupByStep(trace.requests.values()),
    lines: groupByStep(trace.console),
  };
}

function groupByStep<T extends { step: number | null }>(lines: Iterable<T>): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const line of lines) {
    if (line.step === null) continue;
    const group = groups.get(line.step);
    if (group) group.push(line);
    else groups.set(line.step, [line]);
  }
  return groups;
}

/** @param payload the result of comparing the payloads, which are stored as text */
export function compareRuns(before: ComparedRun, now: ComparedRun, payload: Sameness): Comparison {
  const rows = [
    edgeRow(0, 'payload', { kinds: payload === 'different' ? ['payload'] : [], isUnknown: payload === 'unknown' }),
  ];
  const isAligned = before.trace.tracing === now.trace.tracing;
  if (isAligned) addSteps(rows, before, now);
  rows.push(edgeRow(rows.length, 'end', outcomeDifferences(before, now)));
  const steps = rows.filter(({ what }) => what === 'step');
  return {
    before,
    now,
    rows,
    isAligned,
    firsts: firstDifferences(rows, WEAK),
    steps: steps.length,
    common: steps.filter((row) => row.before && row.now).length,
    isComplete: !before.isPartial && !now.isPartial,
    different: steps.filter((row) => row.kinds.length > 0).length,
    unknown: rows.filter(isUnknownOnly).length,
    replaced: new Set(steps.filter((row) => row.kinds.includes('replaced')).map((row) => row.now?.path)).size,
  };
}

const NO_CHANGES: readonly Change[] = [];

function edgeRow(id: number, what: 'payload' | 'end', differences: Differences): ComparedRow {
  const input = { before: NO_CHANGES, now: NO_CHANGES };
  return { id, what, level: 0, before: null, now: null, ...differences, end: id + 1, input };
}

interface Level {
  pairs: ReturnType<typeof alignSteps>;
  next: number;
  parent: ComparedRow | null;
  previous: { before: TraceStep | null; now: TraceStep | null };
}

/** Iterative, because a page can nest steps to any depth. */
function addSteps(rows: ComparedRow[], before: ComparedRun, now: ComparedRun): void {
  const levels = [levelOf(topSteps(before), topSteps(now), null)];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const pair = level.pairs[level.next++];
    if (!pair) {
      if (level.parent) level.parent.end = rows.length;
      levels.pop();
      continue;
    }
    if (isUnrecorded(pair, before, now)) continue;
    const row = stepRow(rows.length, levels.length - 1, level, pair, { before, now });
    rows.push(row);
    const nested = levelOf(childrenOf(before, pair[0]), childrenOf(now, pair[1]), row);
    if (nested.pairs.length > 0) levels.push(nested);
  }
}

function levelOf(before: TraceStep[], now: TraceStep[], parent: ComparedRow | null): Level {
  return { pairs: alignSteps(before, now), next: 0, parent, previous: { before: null, now: null } };
}

const topSteps = ({ trace }: ComparedRun): TraceStep[] => trace.order.filter(({ parent }) => parent === null);
const childrenOf = ({ trace }: ComparedRun, step: TraceStep | null): TraceStep[] =>
  step?.children.flatMap((id) => trace.steps.get(id) ?? []) ?? [];

function stepRow(
  id: number,
  levelNumber: number,
  { previous, parent }: Level,
  [left, right]: Level['pairs'][number],
  { before, now }: { before: ComparedRun; now: ComparedRun },
): ComparedRow {
  const input = {
    before: inputOf(before.trace, left, previous.before, parent?.before ?? null),
    now: inputOf(now.trace, right, previous.now, parent?.now ?? null),
  };
  if (left) previous.before = left;
  if (right) previous.now = right;
  const differences = left && right ? stepDifferences(before, left, now, right, input) : MISSING;
  return { id, what: 'step', level: levelNumber, before: left, now: right, ...differences, end: id + 1, input };
}

const MISSING: Differences = { kinds: ['missing'], isUnknown: false };

/** Whether a step can't be compared, because the run that lacks it isn't fully recorded. */
const isUnrecorded = ([left, right]: Level['pairs'][number], before: ComparedRun, now: ComparedRun): boolean =>
  (!left && before.isPartial) || (!right && now.isPartial);

/** Context changes between the previous step event and the step's start. */
function inputOf(
  trace: Trace,
  step: TraceStep | null,
  previous: TraceStep | null,
  parent: TraceStep | null,
): readonly Change[] {
  if (!step) return NO_CHANGES;
  const from = previous ? previous.changesAfter : (parent?.changesBefore ?? 0);
  return from < step.changesBefore ? trace.changes.slice(from, step.changesBefore) : NO_CHANGES;
}
