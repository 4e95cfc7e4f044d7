/** Compares two runs: aligns their steps, classifies how each differs, and finds the first difference. */
import type { RunRecord } from '../history/run-store.ts';
import { type ConsoleLine, isPartial, type RequestLine, type Trace, type TraceStep } from '../trace.ts';
import { type Sameness, sameness } from './compare-values.ts';
import { currentItems, type CurrentItems } from './align/current-items.ts';
import { firstDifferences } from './first-differences.ts';
import type { Pauses } from '../../shared/pauses.ts';
import { type Level, pairSteps, type StepPair } from './align/pair-steps.ts';
import { payloadsOf } from './payloads.ts';
import { mapChanges, PathMap } from './align/path-map.ts';
import { outcomeDifferences, stepDifferences, type Differences } from './step-differences.ts';
import { type StepInput, StepInputs } from './align/step-inputs.ts';
import { Volatility } from './volatile/volatility.ts';

/**
 * How a row differs, causes first. `missing`: the step ran in only one run. `replaced`: another step has the same path.
 * `moved`: the iteration is at another place among the others. `input`: the context was different when the step started,
 * such as a loop's `currentItem`.
 */
export type DifferenceKind =
  | 'payload'
  | 'missing'
  | 'moved'
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

export interface ComparedRow extends Differences {
  /** The row's index among all rows. */
  id: number;
  what: 'payload' | 'step' | 'end';
  level: number;
  before: TraceStep | null;
  now: TraceStep | null;
  /** Index after the last nested row. */
  end: number;
  /** Each run's context changes since the previous step event, with the paths of the later run. */
  input: StepInput;
  /** What the step changed in the context, with the paths of the later run. */
  changes: StepInput;
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
  /** False if one of the runs is partly recorded, so that there may be more differences. */
  isComplete: boolean;
  /** False if the runs were traced at different levels of detail. */
  isAligned: boolean;
  /** Number of paths where the pipelines have different steps. */
  replaced: number;
  /** Maps paths of the earlier run to those of the later one. */
  paths: PathMap;
  /** What is ignored. */
  volatility: Volatility;
}

/** These vary from run to run and have no effect on a run, so any other difference comes first. */
const WEAK: ReadonlySet<DifferenceKind> = new Set(['duration', 'console']);

/** Whether only durations and console lines are known to differ, but not everything was recorded. */
export const isUnknownOnly = ({ kinds, unknown }: Differences): boolean =>
  unknown.length > 0 && kinds.every((kind) => WEAK.has(kind));

export function comparedRun(record: RunRecord, trace: Trace): ComparedRun {
  return {
    record,
    trace,
    isPartial: record.thinned === true || record.cut || isPartial(trace),
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

/** Compares what the traces have. */
export function compareRuns(before: ComparedRun, now: ComparedRun, volatility = new Volatility()): Comparison {
  const rest = comparing(before, now, volatility);
  for (;;) {
    const { done, value } = rest.next();
    if (done) return value;
  }
}

/** The same, for runs of many steps. */
export async function compareInPauses(
  before: ComparedRun,
  now: ComparedRun,
  volatility: Volatility,
  { pauseIfDue }: Pauses,
): Promise<Comparison> {
  const rest = comparing(before, now, volatility);
  for (;;) {
    const pause = pauseIfDue();
    if (pause) await pause;
    const { done, value } = rest.next();
    if (done) return value;
  }
}

/** Yields after each step. */
function* comparing(before: ComparedRun, now: ComparedRun, volatility: Volatility): Generator<void, Comparison> {
  const payload = sameness(...payloadsOf(before, now), volatility.counting('context'));
  const rows = [edgeRow(0, 'payload', differencesOf('payload', payload))];
  const isAligned = before.trace.tracing === now.trace.tracing;
  const paths = new PathMap(before.trace.context, now.trace.context);
  if (isAligned) yield* new StepComparison(before, now, paths, volatility).addTo(rows);
  rows.push(edgeRow(rows.length, 'end', outcomeDifferences(before, now, volatility)));
  return summarize({ before, now, isAligned, paths, volatility }, rows);
}

const differencesOf = (kind: DifferenceKind, how: Sameness): Differences => ({
  kinds: how === 'different' ? [kind] : [],
  unknown: how === 'unknown' ? [kind] : [],
});

/** Counts the rows that differ. */
export function summarize(
  base: Pick<Comparison, 'before' | 'now' | 'isAligned' | 'paths' | 'volatility'>,
  rows: readonly ComparedRow[],
): Comparison {
  const steps = rows.filter(({ what }) => what === 'step');
  return {
    ...base,
    rows,
    firsts: firstDifferences(rows, WEAK),
    steps: steps.length,
    common: steps.filter((row) => row.before && row.now).length,
    isComplete: isComplete(base.before) && isComplete(base.now),
    different: steps.filter((row) => row.kinds.length > 0).length,
    unknown: rows.filter(isUnknownOnly).length,
    replaced: new Set(steps.filter((row) => row.kinds.includes('replaced')).map((row) => row.now?.path)).size,
  };
}

const isComplete = ({ isPartial, trace: { omitted } }: ComparedRun): boolean =>
  !isPartial && omitted.lines === 0 && omitted.requests === 0;

const NO_INPUT: StepInput = { before: [], now: [] };

function edgeRow(id: number, what: 'payload' | 'end', differences: Differences): ComparedRow {
  return {
    id,
    what,
    level: 0,
    before: null,
    now: null,
    ...differences,
    end: id + 1,
    input: NO_INPUT,
    changes: NO_INPUT,
  };
}

interface OpenLevel {
  pairs: StepPair[];
  next: number;
  parent: ComparedRow | null;
}

class StepComparison {
  readonly #before: ComparedRun;
  readonly #now: ComparedRun;
  readonly #items: { before: CurrentItems; now: CurrentItems };
  readonly #inputs: StepInputs;
  readonly #paths: PathMap;
  readonly #volatility: Volatility;

  constructor(before: ComparedRun, now: ComparedRun, paths: PathMap, volatility: Volatility) {
    this.#before = before;
    this.#now = now;
    this.#paths = paths;
    this.#volatility = volatility;
    this.#items = { before: currentItems(before.trace), now: currentItems(now.trace) };
    this.#inputs = new StepInputs(before.trace, now.trace, this.#items);
  }

  /** Iterative, because a page can nest steps to any depth. */
  *addTo(rows: ComparedRow[]): Generator<void, void> {
    const levels = [this.#levelOf(null, null, null)];
    for (let level = levels.at(-1); level; level = levels.at(-1)) {
      const pair = level.pairs[level.next++];
      if (!pair) {
        if (level.parent) level.parent.end = rows.length;
        levels.pop();
        continue;
      }
      if (this.#isUnrecorded(pair)) continue;
      const row = this.#rowOf(rows.length, levels.length - 1, pair);
      rows.push(row);
      const nested = this.#levelOf(pair.before, pair.now, row);
      if (nested.pairs.length > 0) levels.push(nested);
      yield;
    }
  }

  #levelOf(before: TraceStep | null, now: TraceStep | null, parent: ComparedRow | null): OpenLevel {
    const inner = ({ trace }: ComparedRun, step: TraceStep | null, items: CurrentItems): Level => ({
      parent: step,
      steps: parent === null ? topSteps(trace) : childrenOf(trace, step),
      items,
    });
    const left = inner(this.#before, before, this.#items.before);
    const right = inner(this.#now, now, this.#items.now);
    const pairs =
      left.steps.length + right.steps.length > 0 ? pairSteps(left, right, this.#volatility.in('context')) : [];
    return { pairs, next: 0, parent };
  }

  /** Whether a step can't be compared, because the run that lacks it isn't fully recorded. */
  #isUnrecorded({ before, now }: StepPair): boolean {
    return (!before && this.#before.isPartial) || (!now && this.#now.isPartial);
  }

  #rowOf(id: number, level: number, { before, now, isMoved }: StepPair): ComparedRow {
    const input = this.#inputs.of(before, now);
    const row = { id, what: 'step' as const, level, before, now, end: id + 1, input };
    const own = this.#inputs.changesOf(before, now);
    if (!before || !now) return { ...row, changes: own, ...MISSING };
    const map = (path: string): string => this.#paths.toNow(path, before, now);
    const mapped = { ...input, before: mapChanges(input.before, map) };
    const changes = { ...own, before: mapChanges(own.before, map) };
    const sides = [this.#before, before, this.#now, now] as const;
    const found = stepDifferences(...sides, { input: mapped, changes, volatility: this.#volatility });
    return { ...row, input: mapped, changes, ...found, kinds: isMoved ? ['moved', ...found.kinds] : found.kinds };
  }
}

const topSteps = ({ order }: Trace): TraceStep[] => order.filter(({ parent }) => parent === null);
const childrenOf = ({ steps }: Trace, step: TraceStep | null): TraceStep[] =>
  step?.children.flatMap((id) => steps.get(id) ?? []) ?? [];

const MISSING: Differences = { kinds: ['missing'], unknown: [] };
