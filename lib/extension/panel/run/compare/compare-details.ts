/** Owns the details of a compared row: each aspect with its value in both runs, and where the two differ. */
import type { Change, RemoteError, RemoteValue } from '../../../inspector/contract.ts';
import { describeJson } from '../../actions/described.ts';
import { changeDifferences, valueDifferences, type ValueDifference } from './compare-values.ts';
import { isEndKnown, type ComparedRow, type ComparedRun, type Comparison } from './compare-runs.ts';
import { durationWords } from './compare-words.ts';
import { formatDuration } from '../../../../shared/format.ts';
import { pointerAsPath } from '../../shared/remote-value.ts';
import { contextDifferences } from '../context-changes.ts';
import type { TraceStep } from '../trace.ts';

export interface Aspect {
  id: string;
  title: string;
  /** Absent where there is none. */
  before?: RemoteValue;
  now?: RemoteValue;
  differences: ValueDifference[];
}

/** A row of the details: an aspect, or under it one of its differences. */
export interface DetailRow {
  key: string;
  level: number;
  name: string;
  before?: RemoteValue;
  now?: RemoteValue;
  how: 'same' | ValueDifference['kind'];
  expanded: boolean | null;
}

const text = (value: string): RemoteValue => ({ t: 'string', v: value, length: value.length });
/** Words of ours in place of a value. */
const word = (v: string): RemoteValue => ({ t: 'symbol', v });

export function aspectsOf(comparison: Comparison, row: ComparedRow): Aspect[] {
  const { before, now } = comparison;
  if (row.what === 'payload') return [compared('payload', 'Payload', payloadOf(before), payloadOf(now))];
  if (row.what === 'end') {
    return present([
      compared('outcome', 'Outcome', word(before.trace.state), word(now.trace.state)),
      compared('result', 'Result', before.trace.result, now.trace.result),
      ofErrors(before.trace.error, now.trace.error),
      took(word(formatDuration(before.trace.milliseconds)), word(formatDuration(now.trace.milliseconds)), false),
    ]);
  }
  const { before: left, now: right } = row;
  return present([
    compared('name', 'Step', nameOf(left), nameOf(right)),
    compared('state', 'State', stateOf(before, left), stateOf(now, right)),
    ofErrors(left?.error, right?.error),
    compared('branch', 'Condition', branchOf(left), branchOf(right)),
    compared('iterations', 'Iterations', countOf(left?.iterations), countOf(right?.iterations)),
    ofChanges('given', 'Context given', left && row.given.before, right && row.given.now),
    compared('settings', 'Settings', settingsOf(left), settingsOf(right)),
    ofChanges('changes', 'Context changed', contextOf(before, left), contextOf(now, right)),
    compared('value', 'Returned', left?.value, right?.value),
    compared('network', 'Network', networkOf(before, left), networkOf(now, right)),
    compared('console', 'Console', consoleOf(before, left), consoleOf(now, right)),
    took(
      left ? word(durationWords(left)) : undefined,
      right ? word(durationWords(right)) : undefined,
      row.kinds.includes('duration'),
    ),
  ]);
}

/** Rows of what is open: an aspect that differs is, one that does not has nothing nested. */
export function detailRows(aspects: readonly Aspect[], toggled: ReadonlySet<string>): DetailRow[] {
  const rows: DetailRow[] = [];
  for (const { id, title, before, now, differences } of aspects) {
    // The row of the aspect says by itself all that a lone difference of the whole would say.
    const nested = differences.length === 1 && differences[0]?.path === '' ? [] : differences;
    const expanded = nested.length === 0 ? null : !toggled.has(id);
    rows.push({ key: id, level: 0, name: title, before, now, how: howOf(differences), expanded });
    if (!expanded) continue;
    for (const [index, one] of nested.entries())
      rows.push({
        key: `${id} ${index}`,
        level: 1,
        name: pointerAsPath(one.path) || 'the rest of it',
        before: one.before,
        now: one.now,
        how: one.kind,
        expanded: null,
      });
  }
  return rows;
}

function howOf(differences: readonly ValueDifference[]): DetailRow['how'] {
  if (differences.length === 0) return 'same';
  if (differences.every(({ kind }) => kind === 'unknown')) return 'unknown';
  const [only] = differences;
  return differences.length === 1 && only?.path === '' ? only.kind : 'changed';
}

const present = (aspects: Aspect[]): Aspect[] =>
  aspects.filter(({ before, now }) => before !== undefined || now !== undefined);

function compared(id: string, title: string, before: RemoteValue | undefined, now: RemoteValue | undefined): Aspect {
  return { id, title, before, now, differences: valueDifferences(before, now) };
}

/** Two times are never the same: only what is notable counts. */
function took(before: RemoteValue | undefined, now: RemoteValue | undefined, isNotable: boolean): Aspect {
  return {
    id: 'duration',
    title: 'Took',
    before,
    now,
    differences: isNotable ? [{ path: '', kind: 'changed', before, now }] : [],
  };
}

/** The kept text, which is the whole; one that is no JSON is compared as the text that it is. */
function payloadOf({ record }: ComparedRun): RemoteValue {
  try {
    return describeJson(JSON.parse(record.payload));
  } catch {
    return text(record.payload);
  }
}
export const payloadsOf = (before: ComparedRun, now: ComparedRun): [RemoteValue, RemoteValue] => [
  payloadOf(before),
  payloadOf(now),
];

/** Lines of the trace are shown, not compared: they name places in scripts, which move. */
function ofErrors(before: RemoteError | undefined, now: RemoteError | undefined): Aspect {
  const { differences } = compared('', '', before && errorOf(before), now && errorOf(now));
  const whole = (error: RemoteError): RemoteValue => ({
    ...errorOf(error),
    size: 5,
    entries: [...errorOf(error).entries, ['trace', describeJson(error.trace.slice(0, 200))]],
  });
  return { id: 'error', title: 'Error', before: before && whole(before), now: now && whole(now), differences };
}

function errorOf({
  code,
  errorType,
  errorMessage,
  path,
  iteration,
}: RemoteError): Extract<RemoteValue, { t: 'object' }> {
  const entries: [string, RemoteValue][] = [
    ['type', text(errorType)],
    ['message', text(errorMessage)],
    ['code', describeJson(code)],
    [
      'at',
      describeJson(
        path === null
          ? null
          : `${path}${iteration.length > 0 ? ` #${iteration.map((index) => index + 1).join('.')}` : ''}`,
      ),
    ],
  ];
  return { t: 'object', size: entries.length, entries };
}

function ofChanges(id: string, title: string, before: readonly Change[] | null, now: readonly Change[] | null): Aspect {
  return {
    id,
    title,
    before: leftBehind(before),
    now: leftBehind(now),
    differences: changeDifferences(before ?? [], now ?? []),
  };
}

/** What the changes left at each place. */
function leftBehind(changes: readonly Change[] | null): RemoteValue | undefined {
  if (!changes || changes.length === 0) return undefined;
  const entries = [
    ...new Map(
      changes.map(({ path, after }): [string, RemoteValue] => [
        pointerAsPath(path) || 'the whole context',
        after ?? word('removed'),
      ]),
    ),
  ];
  return { t: 'object', size: entries.length, entries };
}

/** Of the step and all that is nested in it; a value that came to be what it was is no change. */
const contextOf = ({ trace }: ComparedRun, step: TraceStep | null): Change[] | null =>
  step && contextDifferences(trace, step);

const nameOf = (step: TraceStep | null): RemoteValue | undefined =>
  step ? word(step.kind === 'function' ? step.name : step.kind) : undefined;
const stateOf = (run: ComparedRun, step: TraceStep | null): RemoteValue | undefined =>
  step
    ? word(isEndKnown(run, step) ? step.state : 'end not recorded')
    : word(run.isPartial ? 'not recorded' : 'did not run');
const countOf = (count: number | undefined): RemoteValue | undefined =>
  count === undefined ? undefined : { t: 'number', v: count };
const settingsOf = (step: TraceStep | null): RemoteValue | undefined =>
  step && step.settings.t !== 'undefined' ? step.settings : undefined;

function branchOf(step: TraceStep | null): RemoteValue | undefined {
  if (step?.kind !== 'if' || step.branch === undefined) return undefined;
  return word(
    step.branch === null
      ? 'none held'
      : step.branch === 'else'
        ? 'none held, so else'
        : `condition ${step.branch + 1} held`,
  );
}

function networkOf(run: ComparedRun, step: TraceStep | null): RemoteValue | undefined {
  const lines = step && run.requests.get(step.id);
  return lines
    ? describeJson(
        lines.map(({ method, url, status, error }) => ({ request: `${method} ${url}`, status: error ?? status })),
      )
    : undefined;
}

function consoleOf(run: ComparedRun, step: TraceStep | null): RemoteValue | undefined {
  const lines = step && run.lines.get(step.id);
  if (!lines) return undefined;
  return {
    t: 'array',
    length: lines.length,
    items: lines.map(({ level, args }) => ({ t: 'array', length: args.length + 1, items: [word(level), ...args] })),
  };
}
