/** Owns two runs laid side by side: their steps aligned by place and iteration, how each differs, and which difference came first. */
import type { AgentEvent, Change, RemoteError } from '../../../inspector/contract.ts';
import { changeSameness, sameness, type Sameness } from './compare-values.ts';
import type { RunRecord } from '../history/run-store.ts';
import type { ConsoleLine, RequestLine, Trace, TraceStep } from '../trace.ts';

/**
 * How a row differs, in the order in which the causes of one step are told: `missing` it ran in one run only; `replaced` the
 * pipeline has another step there; `given` the context was changed otherwise before it began, such as a loop's `currentItem`.
 */
export const KINDS = [
  'payload',
  'missing',
  'replaced',
  'given',
  'settings',
  'condition',
  'skipped',
  'iterations',
  'state',
  'error',
  'outcome',
  'network',
  'changes',
  'value',
  'result',
  'duration',
  'console',
] as const;
export type Kind = (typeof KINDS)[number];

/** Known before what is nested in the step runs, so that they come before its differences. */
const AT_START: ReadonlySet<Kind> = new Set(['missing', 'replaced', 'given', 'settings', 'condition', 'skipped']);
/** They come and go from run to run, and cause nothing: one of them is the first difference only where there is no other. */
const WEAK: ReadonlySet<Kind> = new Set(['duration', 'console']);
/** Besides time and console nothing differs, as far as was recorded. */
export const isUntold = (row: Pick<ComparedRow, 'kinds' | 'isUnknown'>): boolean =>
  row.isUnknown && row.kinds.every((kind) => WEAK.has(kind));

/** A step took notably longer when it took so many times as long, and so many milliseconds more. */
const LONGER = { times: 2, by: 50 };

export interface ComparedRun {
  record: RunRecord;
  trace: Trace;
  /** Not all of it was recorded: what is missing may have happened. */
  isPartial: boolean;
  requests: ReadonlyMap<number, RequestLine[]>;
  lines: ReadonlyMap<number, ConsoleLine[]>;
}

export interface ComparedRow {
  /** Its index among all rows. */
  id: number;
  what: 'payload' | 'step' | 'end';
  level: number;
  before: TraceStep | null;
  now: TraceStep | null;
  kinds: readonly Kind[];
  /** Something of it was not recorded in full, so that nobody can say whether it is the same. */
  isUnknown: boolean;
  /** Behind the last row that is nested in it. */
  end: number;
  /** What changed in the context since the step event before, in either run. */
  given: { before: readonly Change[]; now: readonly Change[] };
}

export interface Comparison {
  before: ComparedRun;
  now: ComparedRun;
  rows: readonly ComparedRow[];
  /** The difference that came first in the course of the runs; behind another payload, also the first one that followed. */
  firsts: readonly number[];
  steps: number;
  different: number;
  unknown: number;
  /** Why steps are not compared; null when they are. */
  notAligned: 'detail' | null;
  /** Places at which the pipeline had another step. */
  replaced: number;
}

export function comparedRun(record: RunRecord, trace: Trace, events?: readonly AgentEvent[]): ComparedRun {
  const hasGap = events?.some((event, index) => index > 0 && event.n !== (events[index - 1]?.n ?? 0) + 1) ?? false;
  return {
    record,
    trace,
    isPartial: record.cut || hasGap || trace.dropped > 0 || trace.state === 'interrupted',
    requests: byStep(trace.requests.values()),
    lines: byStep(trace.console),
  };
}

function byStep<T extends { step: number | null }>(lines: Iterable<T>): Map<number, T[]> {
  const found = new Map<number, T[]>();
  for (const line of lines) {
    if (line.step === null) continue;
    const known = found.get(line.step);
    if (known) known.push(line);
    else found.set(line.step, [line]);
  }
  return found;
}

/** @param payload how the payloads differ, which are kept as text */
export function compareRuns(before: ComparedRun, now: ComparedRun, payload: Sameness): Comparison {
  const rows: ComparedRow[] = [];
  const add = (what: 'payload' | 'end', kinds: Kind[], isUnknown: boolean): void => {
    rows.push({
      id: rows.length,
      what,
      level: 0,
      before: null,
      now: null,
      kinds,
      isUnknown,
      end: rows.length + 1,
      given: NOTHING_GIVEN,
    });
  };
  add('payload', payload === 'different' ? ['payload'] : [], payload === 'unknown');
  const notAligned = before.trace.tracing === now.trace.tracing ? null : 'detail';
  if (!notAligned) addSteps(rows, before, now);
  const { kinds, isUnknown } = endKinds(before, now);
  add('end', kinds, isUnknown);
  const steps = rows.filter(({ what }) => what === 'step');
  return {
    before,
    now,
    rows,
    notAligned,
    firsts: [
      ...(payload === 'different' ? [0] : []),
      ...(firstOf(rows, (kind) => !WEAK.has(kind)) ?? firstOf(rows, () => true) ?? []),
    ],
    steps: steps.length,
    different: steps.filter((row) => row.kinds.length > 0).length,
    unknown: rows.filter(isUntold).length,
    replaced: new Set(steps.flatMap((row) => (row.kinds.includes('replaced') ? [row.now?.path] : []))).size,
  };
}

type Pair = [before: TraceStep | null, now: TraceStep | null];
interface Level {
  pairs: Pair[];
  at: number;
  row: ComparedRow | null;
  last: { before: TraceStep | null; now: TraceStep | null };
}

/** Goes down without calling itself: how deep steps are nested is the page's word. */
function addSteps(rows: ComparedRow[], before: ComparedRun, now: ComparedRun): void {
  const childrenOf = (run: ComparedRun, step: TraceStep | null): TraceStep[] =>
    step?.children.flatMap((id) => run.trace.steps.get(id) ?? []) ?? [];
  const levels: Level[] = [
    { pairs: align(tops(before), tops(now)), at: 0, row: null, last: { before: null, now: null } },
  ];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const pair = level.pairs[level.at++];
    if (!pair) {
      if (level.row) level.row.end = rows.length;
      levels.pop();
      continue;
    }
    const [left, right] = pair;
    const given = {
      before: givenTo(before.trace, left, level.last.before, level.row?.before ?? null),
      now: givenTo(now.trace, right, level.last.now, level.row?.now ?? null),
    };
    if (left) level.last.before = left;
    if (right) level.last.now = right;
    const { kinds, isUnknown } =
      left && right
        ? stepKinds(before, left, now, right, given)
        : { kinds: (left ? now : before).isPartial ? [] : MISSING, isUnknown: (left ? now : before).isPartial };
    const row: ComparedRow = {
      id: rows.length,
      what: 'step',
      level: levels.length - 1,
      before: left,
      now: right,
      kinds,
      isUnknown,
      end: rows.length + 1,
      given,
    };
    rows.push(row);
    const pairs = align(childrenOf(before, left), childrenOf(now, right));
    if (pairs.length > 0) levels.push({ pairs, at: 0, row, last: { before: null, now: null } });
  }
}

const tops = ({ trace }: ComparedRun): TraceStep[] => trace.order.filter(({ parent }) => parent === null);
const NOTHING: readonly Change[] = [];
const NOTHING_GIVEN = { before: NOTHING, now: NOTHING };
const MISSING: Kind[] = ['missing'];

function givenTo(
  trace: Trace,
  step: TraceStep | null,
  last: TraceStep | null,
  parent: TraceStep | null,
): readonly Change[] {
  if (!step) return NOTHING;
  const from = last ? last.changesAfter : (parent?.changesBefore ?? 0);
  return from < step.changesBefore ? trace.changes.slice(from, step.changesBefore) : NOTHING;
}

/** Steps with the same place and iteration beside each other; the others where they stood in their own run. */
export function align(before: readonly TraceStep[], now: readonly TraceStep[]): Pair[] {
  const pairs: Pair[] = [];
  let at = 0;
  while (at < before.length && at < now.length && placeOf(before[at] as TraceStep) === placeOf(now[at] as TraceStep)) {
    pairs.push([before[at] as TraceStep, now[at] as TraceStep]);
    at++;
  }
  const left = keyed(before, at);
  const right = keyed(now, at);
  const ofNow = right[Symbol.iterator]();
  let next = ofNow.next();
  /** Steps of `now` up to one that has its own place beside a step of `before`. */
  const addOnlyNow = (taken: ReadonlySet<string>): void => {
    for (; !next.done && (!left.has(next.value[0]) || taken.has(next.value[0])); next = ofNow.next())
      if (!left.has(next.value[0])) pairs.push([null, next.value[1]]);
  };
  const taken = new Set<string>();
  for (const [key, step] of left) {
    const other = right.get(key) ?? null;
    if (other) addOnlyNow(taken);
    taken.add(key);
    pairs.push([step, other]);
  }
  addOnlyNow(taken);
  return pairs;
}

const placeOf = (step: TraceStep): string => `${step.path ?? step.name} ${step.iteration.join('.')}`;

/** A runtime may tell the same place more than once: the first is beside the first. */
function keyed(steps: readonly TraceStep[], from: number): Map<string, TraceStep> {
  const found = new Map<string, TraceStep>();
  const counts = new Map<string, number>();
  for (let index = from; index < steps.length; index++) {
    const step = steps[index] as TraceStep;
    const place = placeOf(step);
    if (!found.has(place)) {
      found.set(place, step);
      continue;
    }
    const count = (counts.get(place) ?? 1) + 1;
    counts.set(place, count);
    found.set(`${place} ${count}`, step);
  }
  return found;
}

/** A run that was recorded in part does not tell how a step ended that it saw begin. */
export const isEndKnown = (run: ComparedRun, step: TraceStep): boolean =>
  !(run.isPartial && step.state === 'stopped' && run.trace.state !== 'stopped');

function stepKinds(
  before: ComparedRun,
  left: TraceStep,
  now: ComparedRun,
  right: TraceStep,
  given: ComparedRow['given'],
): { kinds: Kind[]; isUnknown: boolean } {
  const kinds: Kind[] = [];
  let isUnknown = false;
  const note = (kind: Kind, how: Sameness): void => {
    if (how === 'different') kinds.push(kind);
    else if (how === 'unknown') isUnknown = true;
  };
  const differs = (kind: Kind, is: boolean): void => note(kind, is ? 'different' : 'same');
  differs('replaced', left.kind !== right.kind || left.name !== right.name);
  note('given', changeSameness(given.before, given.now));
  note('settings', sameness(left.settings, right.settings));
  if (isEndKnown(before, left) && isEndKnown(now, right)) {
    differs('condition', left.branch !== undefined && right.branch !== undefined && left.branch !== right.branch);
    differs('skipped', left.state !== right.state && (left.state === 'skipped' || right.state === 'skipped'));
    differs(
      'iterations',
      left.iterations !== undefined && right.iterations !== undefined && left.iterations !== right.iterations,
    );
    differs('state', left.state !== right.state && left.state !== 'skipped' && right.state !== 'skipped');
    differs('error', left.state === 'failed' && right.state === 'failed' && !isSameError(left.error, right.error));
    differs(
      'network',
      left.requests + right.requests > 0 && !isSameTraffic(before.requests.get(left.id), now.requests.get(right.id)),
    );
    const how = changeSameness(left.changes, right.changes);
    note('changes', how === 'same' && (left.shallow || right.shallow) ? 'unknown' : how);
    if (left.state === 'completed' && right.state === 'completed') note('value', sameness(left.value, right.value));
    differs('duration', isNotablyLonger(left, right) || isNotablyLonger(right, left));
    if (left.lines + right.lines > 0)
      note('console', consoleSameness(before.lines.get(left.id), now.lines.get(right.id)));
  } else isUnknown = true;
  if (isBeyondHeld(before.trace, left) || isBeyondHeld(now.trace, right)) isUnknown = true;
  return { kinds, isUnknown };
}

/** So many changes came before this step that those at its start were no longer held. */
const isBeyondHeld = (trace: Trace, step: TraceStep): boolean =>
  trace.omitted.changes > 0 && step.changesBefore >= trace.changes.length;

function isSameError(left: RemoteError | undefined, right: RemoteError | undefined): boolean {
  return (
    left?.code === right?.code &&
    left?.errorType === right?.errorType &&
    left?.errorMessage === right?.errorMessage &&
    left?.path === right?.path &&
    left?.iteration.join() === right?.iteration.join()
  );
}

function isSameTraffic(left: readonly RequestLine[] = [], right: readonly RequestLine[] = []): boolean {
  return (
    left.length === right.length &&
    left.every((one, index) => {
      const other = right[index];
      return (
        one.method === other?.method &&
        one.url === other.url &&
        one.status === other.status &&
        one.error === other.error
      );
    })
  );
}

function consoleSameness(left: readonly ConsoleLine[] = [], right: readonly ConsoleLine[] = []): Sameness {
  let how: Sameness = left.length === right.length ? 'same' : 'different';
  for (const [index, line] of left.entries()) {
    const other = right[index];
    if (how === 'different' || line.level !== other?.level || line.args.length !== other.args.length)
      return 'different';
    for (const [at, arg] of line.args.entries()) {
      const each = sameness(arg, other.args[at]);
      if (each !== 'same') how = each;
      if (each === 'different') return each;
    }
  }
  return how;
}

function isNotablyLonger(long: TraceStep, short: TraceStep): boolean {
  if (long.end === null || short.end === null) return false;
  const [took, other] = [long.end - long.start, short.end - short.start];
  return took >= LONGER.times * other && took - other >= LONGER.by;
}

function endKinds(before: ComparedRun, now: ComparedRun): { kinds: Kind[]; isUnknown: boolean } {
  const [left, right] = [before.trace, now.trace];
  if (left.state !== right.state) return { kinds: ['outcome'], isUnknown: false };
  if (left.state === 'failed')
    return { kinds: isSameError(left.error, right.error) ? [] : ['error'], isUnknown: false };
  if (left.state !== 'completed') return { kinds: [], isUnknown: left.state === 'interrupted' };
  const how = sameness(left.result, right.result);
  const isOfOtherSize =
    left.resultBytes !== null && right.resultBytes !== null && left.resultBytes !== right.resultBytes;
  return { kinds: how === 'different' || isOfOtherSize ? ['result'] : [], isUnknown: how === 'unknown' };
}

/** In the course of the runs: what a step was given comes before what is nested in it, and how it ended behind that. */
function firstOf(rows: readonly ComparedRow[], counts: (kind: Kind) => boolean): [number] | null {
  const open: ComparedRow[] = [];
  // A loop that came to its end was given another list; one that was cut short was so by what is nested in it.
  const isStart = (row: ComparedRow, kind: Kind): boolean =>
    AT_START.has(kind) ||
    (kind === 'iterations' && row.before?.state === 'completed' && row.now?.state === 'completed');
  for (const row of rows) {
    if (row.what === 'payload') continue;
    for (let ended = open.at(-1); ended && ended.end <= row.id; ended = open.at(-1)) {
      open.pop();
      if (ended.kinds.some(counts)) return [ended.id];
    }
    if (row.kinds.some((kind) => counts(kind) && isStart(row, kind))) return [row.id];
    open.push(row);
  }
  const last = open.findLast((row) => row.kinds.some(counts));
  return last ? [last.id] : null;
}
