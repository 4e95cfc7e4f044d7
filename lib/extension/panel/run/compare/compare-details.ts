/** Details of a compared row: each aspect's value in both runs, and the differences between them. */
import { formatDuration } from '../../../../shared/format.ts';
import type { Change, RemoteError, RemoteValue } from '../../../inspector/contract.ts';
import { describeJson } from '../../actions/described.ts';
import { pointerAsPath } from '../../shared/remote-value.ts';
import { contextsOf } from '../context-changes.ts';
import type { TraceStep } from '../trace.ts';
import type { ComparedRow, ComparedRun, Comparison } from './compare-runs.ts';
import { changeDifferences, valueDifferences, type ValueDifference } from './compare-values.ts';
import { durationText } from './describe-differences.ts';
import { payloadsOf } from './payloads.ts';
import { isEndKnown } from './step-differences.ts';
import type { Scope, Volatility } from './volatile/volatility.ts';
import { type WholeDetails, wholeDifferences } from './whole/whole-details.ts';

export interface Aspect {
  id: string;
  title: string;
  /** Absent if the run has no such value. */
  before?: RemoteValue;
  now?: RemoteValue;
  differences: ValueDifference[];
  /** What the paths of the differences lead into; null if they can’t be ignored. */
  scope: Scope | null;
  startsCollapsed?: boolean;
}

/** A row in the details: an aspect or one of its differences. */
export interface DetailRow {
  key: string;
  level: number;
  name: string;
  before?: RemoteValue;
  now?: RemoteValue;
  how: 'same' | ValueDifference['kind'];
  expanded: boolean | null;
  /** The difference’s path; null for an aspect as a whole. */
  path: string | null;
  scope: Scope | null;
}

const text = (value: string): RemoteValue => ({ t: 'string', v: value, length: value.length });
/** A label shown in place of a value. */
const label = (v: string): RemoteValue => ({ t: 'symbol', v });
const object = (entries: [string, RemoteValue][]): RemoteValue => ({ t: 'object', size: entries.length, entries });

/** @param whole what the recordings of both runs have; null without them */
export function aspectsOf(comparison: Comparison, row: ComparedRow, whole: WholeDetails | null = null): Aspect[] {
  const { before, now, volatility } = comparison;
  const aspects =
    row.what === 'payload'
      ? [aspect('payload', 'Payload', ...payloadsOf(before, now), 'context', volatility)]
      : row.what === 'end'
        ? outcomeAspects(comparison)
        : stepAspects(comparison, row);
  const recorded = whole ? aspects.map((one) => withWhole(one, row, whole)) : aspects;
  return recorded.filter((one) => one.before !== undefined || one.now !== undefined);
}

function outcomeAspects({ before: { trace: before }, now: { trace: now }, volatility }: Comparison): Aspect[] {
  const duration = (milliseconds: number): RemoteValue => label(formatDuration(milliseconds));
  return [
    aspect('outcome', 'Outcome', label(before.state), label(now.state)),
    aspect('result', 'Result', before.result, now.result, 'result', volatility),
    errorAspect(before.error, now.error),
    durationAspect(duration(before.milliseconds), duration(now.milliseconds), false),
  ];
}

function stepAspects(comparison: Comparison, row: ComparedRow): Aspect[] {
  const { before, now, volatility } = comparison;
  const { before: left, now: right, input, changes } = row;
  return [
    aspect('name', 'Step', nameOf(left), nameOf(right)),
    aspect('state', 'State', stateOf(before, left), stateOf(now, right)),
    errorAspect(left?.error, right?.error),
    aspect('branch', 'Condition', branchOf(left), branchOf(right)),
    aspect('iterations', 'Iterations', countOf(left?.iterations), countOf(right?.iterations)),
    changesAspect('input', 'Input', left && input.before, right && input.now, volatility),
    aspect('settings', 'Settings', settingsOf(left), settingsOf(right), 'settings', volatility),
    changesAspect('changes', 'Context changes', left && changes.before, right && changes.now, volatility),
    aspect('value', 'Returned value', left?.value, right?.value, 'value', volatility),
    aspect('network', 'Network', networkOf(before, left), networkOf(now, right)),
    aspect('console', 'Console', consoleOf(before, left), consoleOf(now, right)),
    durationAspect(
      left ? label(durationText(left)) : undefined,
      right ? label(durationText(right)) : undefined,
      row.kinds.includes('duration'),
    ),
    ...contextAspects(comparison, row),
  ];
}

/** The whole contexts. Most of what differs there differed before. */
function contextAspects({ before, now, volatility }: Comparison, { before: left, now: right }: ComparedRow): Aspect[] {
  if (!left || !right) return [];
  const [one, other] = [contextsOf(before.trace, left), contextsOf(now.trace, right)];
  return [
    aspect('contextBefore', 'Whole context before', one.before, other.before, 'context', volatility),
    aspect('contextAfter', 'Whole context after', one.after, other.after, 'context', volatility),
  ].map((each) => ({ ...each, startsCollapsed: true }));
}

/** The aspect as the recordings have it. */
function withWhole(one: Aspect, row: ComparedRow, whole: WholeDetails): Aspect {
  const { before, now } = whole[one.id as keyof WholeDetails] ?? {};
  const differences = wholeDifferences(whole, row, one.id);
  return differences ? { ...one, ...(before && { before }), ...(now && { now }), differences } : one;
}

/**
 * The visible rows. Aspects that differ start out expanded, except for whole contexts. The others can't be expanded.
 */
export function detailRows(aspects: readonly Aspect[], toggled: ReadonlySet<string>): DetailRow[] {
  const rows: DetailRow[] = [];
  for (const { id, title, before, now, differences, scope, startsCollapsed = false } of aspects) {
    // If the whole value is the only difference, a nested row would only repeat the aspect's own row.
    const nested = differences.length === 1 && differences[0]?.path === '' ? [] : differences;
    const expanded = nested.length === 0 ? null : toggled.has(id) === startsCollapsed;
    const how = howOf(differences);
    rows.push({ key: id, level: 0, name: title, before, now, how, expanded, path: null, scope });
    if (!expanded) continue;
    for (const [index, { path, kind, before: left, now: right }] of nested.entries()) {
      const name = pointerAsPath(path) || 'rest';
      const values = { before: left, now: right, how: kind, expanded: null };
      rows.push({ key: `${id} ${index}`, level: 1, name, ...values, path, scope });
    }
  }
  return rows;
}

function howOf(differences: readonly ValueDifference[]): DetailRow['how'] {
  if (differences.length === 0) return 'same';
  if (differences.every(({ kind }) => kind === 'unknown')) return 'unknown';
  const [only] = differences;
  return differences.length === 1 && only?.path === '' ? only.kind : 'changed';
}

function aspect(
  id: string,
  title: string,
  before: RemoteValue | undefined,
  now: RemoteValue | undefined,
  scope: Scope | null = null,
  volatility?: Volatility,
): Aspect {
  const ignore = scope === null ? undefined : volatility?.in(scope);
  return { id, title, before, now, differences: valueDifferences(before, now, { ignore }), scope };
}

/** Durations always differ, so only a notable difference counts. */
function durationAspect(before: RemoteValue | undefined, now: RemoteValue | undefined, isNotable: boolean): Aspect {
  const differences: ValueDifference[] = isNotable ? [{ path: '', kind: 'changed', before, now }] : [];
  return { id: 'duration', title: 'Duration', before, now, differences, scope: null };
}

/** Trace lines are shown but not compared, because they contain script locations, which vary. */
function errorAspect(before: RemoteError | undefined, now: RemoteError | undefined): Aspect {
  const describe = (error: RemoteError | undefined): RemoteValue | undefined => error && object(errorEntries(error));
  const describeWithTrace = (error: RemoteError | undefined): RemoteValue | undefined =>
    error && object([...errorEntries(error), ['trace', describeJson(error.trace.slice(0, 200))]]);
  return {
    ...aspect('error', 'Error', describeWithTrace(before), describeWithTrace(now)),
    differences: valueDifferences(describe(before), describe(now)),
  };
}

function errorEntries({ code, errorType, errorMessage, path, iteration }: RemoteError): [string, RemoteValue][] {
  const mark = iteration.length > 0 ? ` #${iteration.map((index) => index + 1).join('.')}` : '';
  return [
    ['type', text(errorType)],
    ['message', text(errorMessage)],
    ['code', describeJson(code)],
    ['at', describeJson(path === null ? null : `${path}${mark}`)],
  ];
}

function changesAspect(
  id: string,
  title: string,
  before: readonly Change[] | null,
  now: readonly Change[] | null,
  volatility: Volatility,
): Aspect {
  const differences = changeDifferences(before ?? [], now ?? [], { ignore: volatility.in('context') });
  return { id, title, before: lastValues(before), now: lastValues(now), differences, scope: 'context' };
}

/** The final value at each changed path. */
function lastValues(changes: readonly Change[] | null): RemoteValue | undefined {
  if (!changes || changes.length === 0) return undefined;
  const values = new Map(
    changes.map(({ path, after }) => [pointerAsPath(path) || 'context', after ?? label('removed')]),
  );
  return object([...values]);
}

const nameOf = (step: TraceStep | null): RemoteValue | undefined =>
  step ? label(step.kind === 'function' ? step.name : step.kind) : undefined;
const countOf = (count: number | undefined): RemoteValue | undefined =>
  count === undefined ? undefined : { t: 'number', v: count };
const settingsOf = (step: TraceStep | null): RemoteValue | undefined =>
  step && step.settings.t !== 'undefined' ? step.settings : undefined;

function stateOf(run: ComparedRun, step: TraceStep | null): RemoteValue {
  if (!step) return label(run.isPartial ? 'not recorded' : 'didn’t run');
  return label(isEndKnown(run, step) ? step.state : 'end not recorded');
}

function branchOf(step: TraceStep | null): RemoteValue | undefined {
  if (step?.kind !== 'if' || step.branch === undefined) return undefined;
  if (step.branch === null) return label('no match');
  return label(step.branch === 'else' ? 'no match, so else' : `condition ${step.branch + 1} matched`);
}

function networkOf(run: ComparedRun, step: TraceStep | null): RemoteValue | undefined {
  const requests = step && run.requests.get(step.id);
  return requests
    ? describeJson(
        requests.map(({ method, url, status, error }) => ({ request: `${method} ${url}`, status: error ?? status })),
      )
    : undefined;
}

function consoleOf(run: ComparedRun, step: TraceStep | null): RemoteValue | undefined {
  const lines = step && run.lines.get(step.id);
  if (!lines) return undefined;
  return {
    t: 'array',
    length: lines.length,
    items: lines.map(({ level, args }) => ({ t: 'array', length: args.length + 1, items: [label(level), ...args] })),
  };
}
