/** Describes a comparison's rows in words: where a row is, and how it differs. */
import { plural, formatDuration, truncate } from '../../../../shared/format.ts';
import { pointerAsPath, previewOf, type RemoteValue } from '../../shared/remote-value.ts';
import { shortName } from '../../shared/short-name.ts';
import { iterationText } from '../timeline/rows.ts';
import type { RequestLine, TraceStep } from '../trace.ts';
import {
  isUnknownOnly,
  type ComparedRow,
  type ComparedRun,
  type Comparison,
  type DifferenceKind,
} from './compare-runs.ts';
import { changeDifferences, valueDifferences, type ValueDifference } from './compare-values.ts';
import type { Ignore } from './align/remote-items.ts';
import { isEndKnown, isSameRequest } from './step-differences.ts';
import { type WholeDetails, wholeDifferences } from './whole/whole-details.ts';
import type { StepInput } from './align/step-inputs.ts';

/** Maximum characters of a value in a sentence. */
const VALUE_LENGTH = 40;
/** Maximum number of differences to count per value. */
const MAX_COUNTED = 20;

type Located = Pick<ComparedRow, 'what' | 'before' | 'now'>;

/** For example, `payload`, `outcome`, or `step /1/functions/0, iteration 3`. */
export function locationText({ what, before, now }: Located): string {
  if (what !== 'step') return what === 'payload' ? 'payload' : 'outcome';
  const step = now ?? before;
  const iteration = iterationText(step?.iteration ?? []);
  return `step ${step?.path ?? shortName(step?.name ?? '')}${iteration ? `, ${iteration}` : ''}`;
}

/** The short form, such as `#3 /1/functions/0`. */
export function locationMark({ what, before, now }: Located): string {
  if (what !== 'step') return what === 'payload' ? 'Payload' : 'Outcome';
  const step = now ?? before;
  const mark = step?.iteration.length ? `#${step.iteration.map((index) => index + 1).join('.')} ` : '';
  return `${mark}${step?.path ?? shortName(step?.name ?? '')}`;
}

/**
 * One phrase per kind of difference, causes first. Empty if the row is the same in both runs.
 * @param whole what the recordings have
 */
export function differenceTexts(comparison: Comparison, row: ComparedRow, whole?: WholeDetails): string[] {
  const context: Context = { row, runs: comparison, left: row.before, right: row.now };
  const texts = row.kinds.map((kind) => {
    const label = WHOLE_LABELS[kind];
    const found = whole && label ? wholeDifferences(whole, row, kind) : undefined;
    return found?.length ? `${label} ${firstDifference(found)}` : DIFFERENCE_TEXTS[kind](context);
  });
  return isUnknownOnly(row) ? [...texts, unknownText(comparison, row)] : texts;
}

const WHOLE_LABELS: Partial<Record<DifferenceKind, string>> = {
  input: 'input:',
  settings: 'settings:',
  changes: 'context:',
  value: 'returned',
  result: 'result:',
};

function unknownText({ before, now }: Comparison, row: ComparedRow): string {
  if (row.before && !isEndKnown(before, row.before)) return 'end not recorded before';
  if (row.now && !isEndKnown(now, row.now)) return 'end not recorded now';
  return row.what === 'end' && before.trace.state === 'interrupted' ? 'end not recorded' : 'same as far as recorded';
}

/** A row and the two runs. */
interface Context {
  row: ComparedRow;
  runs: Comparison;
  left: TraceStep | null;
  right: TraceStep | null;
}

const DIFFERENCE_TEXTS: Record<DifferenceKind, (context: Context) => string> = {
  payload: () => 'different',
  outcome: ({ runs }) => bothTexts(outcomeText(runs.before), outcomeText(runs.now)),
  result: ({ runs: { before, now, volatility } }) =>
    `result: ${firstValueDifference(before.trace.result, now.trace.result, volatility.in('result'))}`,
  error: ({ row, runs, left, right }) =>
    row.what === 'end'
      ? bothTexts(errorText(runs.before.trace), errorText(runs.now.trace))
      : bothTexts(errorText(left), errorText(right)),
  missing: ({ left, right }) => missingText(left, right),
  moved: ({ left, right }) => `iteration ${iterationOf(left)} before, ${iterationOf(right)} now`,
  replaced: ({ left, right }) => bothTexts(nameOf(left), nameOf(right)),
  input: ({ row, runs }) => `input: ${firstChangeDifference(row.input, runs)}`,
  settings: ({ left, right, runs }) =>
    `settings: ${firstValueDifference(left?.settings, right?.settings, runs.volatility.in('settings'))}`,
  condition: ({ left, right }) => conditionText(left?.branch, right?.branch),
  iterations: ({ left, right }) =>
    `${plural(left?.iterations ?? 0, 'iteration')} before, ${right?.iterations ?? 0} now`,
  skipped: ({ left, right }) => bothTexts(stateText(left), stateText(right)),
  state: ({ left, right }) => bothTexts(stateText(left), stateText(right)),
  network: ({ runs, left, right }) =>
    trafficText(runs.before.requests.get(left?.id ?? -1), runs.now.requests.get(right?.id ?? -1)),
  changes: ({ row, runs }) => `context: ${firstChangeDifference(row.changes, runs)}`,
  value: ({ left, right, runs }) =>
    `returned ${firstValueDifference(left?.value, right?.value, runs.volatility.in('value'))}`,
  duration: ({ left, right }) => bothTexts(durationText(left), durationText(right)),
  console: () => 'different console output',
};

const bothTexts = (before: string, now: string): string => `${before} before, ${now} now`;

function missingText(before: TraceStep | null, now: TraceStep | null): string {
  const step = before ?? now;
  const what = step?.opensIteration ? `iteration ${iterationOf(step)} ran` : 'ran';
  return `${what} only ${before ? 'before' : 'now'}`;
}

const iterationOf = (step: TraceStep | null): number => (step?.iteration.at(-1) ?? 0) + 1;

function nameOf(step: TraceStep | null): string {
  return step?.kind === 'function' ? shortName(step.name) : (step?.kind ?? 'none');
}

function stateText(step: TraceStep | null): string {
  return step?.state === 'failed' ? `failed (${errorText(step)})` : (step?.state ?? 'none');
}

function outcomeText({ trace }: ComparedRun): string {
  return trace.state === 'failed' ? `failed (${errorText(trace)})` : trace.state;
}

function errorText(failed: Pick<TraceStep, 'error'> | null): string {
  if (!failed?.error) return 'unknown error';
  return truncate(`${failed.error.errorType}: ${failed.error.errorMessage}`.replace(/\s+/g, ' '), 90);
}

export function durationText(step: Pick<TraceStep, 'state' | 'start' | 'end'> | null): string {
  if (!step) return '';
  if (step.state === 'unstored') return 'unknown';
  return step.end === null ? 'not ended' : formatDuration(step.end - step.start);
}

type Branch = TraceStep['branch'];

/**
 * Most `if` steps have a single condition, which is true or false. With several, the text gives the number of the true
 * one.
 */
function conditionText(before: Branch, now: Branch): string {
  const hasOneCondition = [before, now].every((branch) => typeof branch !== 'number' || branch === 0);
  const textOf = (branch: Branch): string => {
    if (typeof branch === 'number') return hasOneCondition ? 'true' : `condition ${branch + 1} true`;
    return hasOneCondition ? 'false' : 'none true';
  };
  const elseText = (branch: Branch): string => (branch === 'else' ? 'else' : 'no else');
  return textOf(before) === textOf(now)
    ? bothTexts(elseText(before), elseText(now))
    : bothTexts(textOf(before), textOf(now));
}

function trafficText(before: readonly RequestLine[] = [], now: readonly RequestLine[] = []): string {
  if (before.length !== now.length) return `${plural(before.length, 'request')} before, ${now.length} now`;
  const index = before.findIndex((request, at) => !isSameRequest(request, now[at]));
  const [left, right] = [before[index], now[index]];
  if (!left || !right) return 'different requests';
  if (requestText(left) !== requestText(right)) return bothTexts(requestText(left), requestText(right));
  if (left.url !== right.url) return `${requestText(right)}: ${bothTexts(...aroundDifference(left.url, right.url))}`;
  return `${requestText(right)}: ${bothTexts(statusText(left), statusText(right))}`;
}

const requestText = ({ method, url }: RequestLine): string =>
  `${truncate(method, 10)} ${truncate(URL.canParse(url) ? new URL(url).pathname : url, 50)}`;
const statusText = ({ status, error }: RequestLine): string =>
  error ? truncate(error, 40) : status === null ? 'no response' : String(status);

/** Excerpts of two long texts, starting shortly before the first character that differs. */
function aroundDifference(before: string, now: string): [string, string] {
  let at = 0;
  while (at < before.length && before[at] === now[at]) at++;
  const excerpt = (text: string): string => `…${truncate(text.slice(Math.max(0, at - 10)), VALUE_LENGTH)}`;
  return [excerpt(before), excerpt(now)];
}

const firstValueDifference = (
  before: RemoteValue | undefined,
  now: RemoteValue | undefined,
  ignore: Ignore | undefined,
): string => firstDifference(valueDifferences(before, now, { most: MAX_COUNTED, ignore }));
const firstChangeDifference = ({ before, now }: StepInput, { volatility }: Comparison): string =>
  firstDifference(changeDifferences(before, now, { most: MAX_COUNTED, ignore: volatility.in('context') }));

/** The first difference, and the number of further ones. */
function firstDifference(differences: readonly ValueDifference[]): string {
  const known = differences.filter(({ kind }) => kind !== 'unknown');
  const [first] = known;
  // Recordings have more than traces.
  if (!first) return 'differs in what isn’t shown here';
  const path = pointerAsPath(first.path);
  if (first.kind === 'moved') return `${truncate(path, 60)}: moved${restText(known.length - 1)}`;
  const both = bothTexts(valueText(first.before), valueText(first.now));
  return `${path ? `${truncate(path, 60)}: ` : ''}${both}${restText(known.length - 1)}`;
}

function restText(more: number): string {
  if (more <= 0) return '';
  return more >= MAX_COUNTED - 1 ? ', and more' : `, and ${more} more`;
}

function valueText(value: RemoteValue | undefined): string {
  return value ? previewOf(value, VALUE_LENGTH) : 'absent';
}
