/** Owns what is said of two compared runs: where a row stands and how it differs, in words. */
import type { RequestLine, TraceStep } from '../trace.ts';
import { changeDifferences, valueDifferences, type ValueDifference } from './compare-values.ts';
import {
  isEndKnown,
  isUntold,
  type ComparedRow,
  type ComparedRun,
  type Comparison,
  type Kind,
} from './compare-runs.ts';
import { formatDuration, plural, truncate } from '../../../../shared/format.ts';
import { shortName } from '../../shared/short-name.ts';
import { pointerAsPath, previewOf, type RemoteValue } from '../../shared/remote-value.ts';
import { iterationText } from '../timeline-rows.ts';

/** Characters of a value inside a sentence. */
const ROOM = 40;

/** `the payload`, `the end`, `step /1/functions/0, iteration 3`. */
export function placeWords({ what, before, now }: Pick<ComparedRow, 'what' | 'before' | 'now'>): string {
  if (what !== 'step') return what === 'payload' ? 'the payload' : 'the end';
  const step = now ?? before;
  const iteration = iterationText(step?.iteration ?? []);
  return `step ${step?.path ?? shortName(step?.name ?? '')}${iteration ? `, ${iteration}` : ''}`;
}

/** The same where room is short: `#3 /1/functions/0`. */
export function placeMark({ what, before, now }: Pick<ComparedRow, 'what' | 'before' | 'now'>): string {
  if (what !== 'step') return what === 'payload' ? 'Payload' : 'Outcome';
  const step = now ?? before;
  return [
    ...(step?.iteration.length ? [`#${step.iteration.map((index) => index + 1).join('.')}`] : []),
    step?.path ?? shortName(step?.name ?? ''),
  ].join(' ');
}

/** One phrase for each way in which the row differs, causes first; none when it is the same in both. */
export function rowWords(comparison: Comparison, row: ComparedRow): string[] {
  const words = row.kinds.map((kind) => phrase(comparison, row, kind));
  return isUntold(row) ? [...words, unknownWords(comparison, row)] : words;
}

function unknownWords({ before, now }: Comparison, row: ComparedRow): string {
  if (row.what === 'step' && (!row.before || !row.now)) return row.before ? 'not recorded now' : 'not recorded before';
  if (row.before && !isEndKnown(before, row.before)) return 'its end was not recorded before';
  if (row.now && !isEndKnown(now, row.now)) return 'its end was not recorded now';
  return row.what === 'end' && before.trace.state === 'interrupted'
    ? 'the end was not recorded'
    : 'the same as far as it was recorded';
}

function phrase({ before, now }: Comparison, row: ComparedRow, kind: Kind): string {
  const { before: left, now: right } = row;
  switch (kind) {
    case 'payload':
      return 'another payload';
    case 'outcome':
      return bothWords(outcomeWords(before), outcomeWords(now));
    case 'result':
      return `result: ${firstWords(valueDifferences(before.trace.result, now.trace.result, 20))}`;
    case 'error':
      return row.what === 'end'
        ? bothWords(errorWords(before.trace), errorWords(now.trace))
        : bothWords(errorWords(left), errorWords(right));
    case 'missing':
      return missingWords(left, right);
    case 'replaced':
      return bothWords(nameWords(left), nameWords(right));
    case 'given':
      return `given ${firstWords(changeDifferences(row.given.before, row.given.now, 20))}`;
    case 'settings':
      return `settings: ${firstWords(valueDifferences(left?.settings, right?.settings, 20))}`;
    case 'condition':
      return conditionWords(left?.branch, right?.branch);
    case 'iterations':
      return `${plural(left?.iterations ?? 0, 'iteration')} before, ${right?.iterations ?? 0} now`;
    case 'skipped':
    case 'state':
      return bothWords(stateWords(left), stateWords(right));
    case 'network':
      return trafficWords(before.requests.get(left?.id ?? -1), now.requests.get(right?.id ?? -1));
    case 'changes':
      return `context: ${firstWords(changeDifferences(left?.changes ?? [], right?.changes ?? [], 20))}`;
    case 'value':
      return `returned ${firstWords(valueDifferences(left?.value, right?.value, 20))}`;
    case 'duration':
      return bothWords(durationWords(left), durationWords(right));
    case 'console':
      return 'other console lines';
  }
}

export const bothWords = (before: string, now: string): string => `${before} before, ${now} now`;

function missingWords(before: TraceStep | null, now: TraceStep | null): string {
  const step = before ?? now;
  return `${step?.opensIteration ? `iteration ${(step.iteration.at(-1) ?? 0) + 1} ran` : 'ran'} only ${before ? 'before' : 'now'}`;
}

function nameWords(step: TraceStep | null): string {
  return step?.kind === 'function' ? shortName(step.name) : (step?.kind ?? 'nothing');
}

function stateWords(step: TraceStep | null): string {
  return step?.state === 'failed' ? `failed (${errorWords(step)})` : (step?.state ?? 'nothing');
}

function outcomeWords({ trace }: ComparedRun): string {
  return trace.state === 'failed' ? `failed (${errorWords(trace)})` : trace.state;
}

function errorWords(of: Pick<TraceStep, 'error'> | null): string {
  return of?.error
    ? truncate(`${of.error.errorType}: ${of.error.errorMessage}`.replace(/\s+/g, ' '), 90)
    : 'no error told';
}

export function durationWords(step: Pick<TraceStep, 'start' | 'end'> | null): string {
  return !step ? '' : step.end === null ? 'not ended' : formatDuration(step.end - step.start);
}

type Branch = TraceStep['branch'];

/** Of the one condition that most steps `if` have it is said that it was true; of several, which. */
function conditionWords(before: Branch, now: Branch): string {
  const isOne = [before, now].every((branch) => typeof branch !== 'number' || branch === 0);
  const words = (branch: Branch): string =>
    typeof branch !== 'number' ? (isOne ? 'false' : 'none true') : isOne ? 'true' : `condition ${branch + 1} true`;
  return words(before) === words(now)
    ? bothWords(elseWords(before), elseWords(now))
    : bothWords(words(before), words(now));
}

const elseWords = (branch: Branch): string => (branch === 'else' ? 'else' : 'no else');

function trafficWords(before: readonly RequestLine[] = [], now: readonly RequestLine[] = []): string {
  if (before.length !== now.length) return `${plural(before.length, 'request')} before, ${now.length} now`;
  const at = before.findIndex(
    (one, index) =>
      one.url !== now[index]?.url ||
      one.method !== now[index]?.method ||
      one.status !== now[index]?.status ||
      one.error !== now[index]?.error,
  );
  const [left, right] = [before[at], now[at]];
  if (!left || !right) return 'other requests';
  if (addressWords(left) !== addressWords(right)) return bothWords(addressWords(left), addressWords(right));
  if (left.url !== right.url) return `${addressWords(right)}: ${bothWords(...fromDifference(left.url, right.url))}`;
  return `${addressWords(right)}: ${bothWords(statusWords(left), statusWords(right))}`;
}

const addressWords = ({ method, url }: RequestLine): string =>
  `${truncate(method, 10)} ${truncate(URL.canParse(url) ? new URL(url).pathname : url, 50)}`;
const statusWords = ({ status, error }: RequestLine): string =>
  error ? truncate(error, 40) : status === null ? 'no answer' : String(status);

/** Two long texts from a little before the place where they part. */
function fromDifference(before: string, now: string): [string, string] {
  let at = 0;
  while (at < before.length && before[at] === now[at]) at++;
  const words = (text: string): string => `…${truncate(text.slice(Math.max(0, at - 10)), ROOM)}`;
  return [words(before), words(now)];
}

/** The first of them, and how many follow. */
function firstWords(differences: readonly ValueDifference[]): string {
  const first = differences.find(({ kind }) => kind !== 'unknown') ?? differences[0];
  if (!first) return 'another size';
  const name = pointerAsPath(first.path);
  const rest = differences.filter(({ kind }) => kind !== 'unknown').length - 1;
  return `${name ? `${truncate(name, 60)}: ` : ''}${bothWords(valueWords(first.before), valueWords(first.now))}${rest > 0 ? `, and ${rest >= 19 ? 'more' : `${rest} more`}` : ''}`;
}

export function valueWords(value: RemoteValue | undefined): string {
  return value ? previewOf(value, ROOM) : 'absent';
}

/** What has to be known before the comparison is believed. */
export function remarks({ before, now, notAligned, replaced, unknown }: Comparison): string[] {
  const found: string[] = [];
  if (before.record.subject !== now.record.subject) {
    found.push(
      before.record.title === now.record.title
        ? `The runs are of another address each, ${truncate(before.record.subject, 100)} before and ${truncate(now.record.subject, 100)} now.`
        : `The runs are of two actions, ${truncate(before.record.title, 80)} before and ${truncate(now.record.title, 80)} now.`,
    );
  }
  if (notAligned) found.push(`Steps are not compared: ${detailWords(before)} told before, ${detailWords(now)} now.`);
  else if (now.trace.tracing === 'bare')
    found.push('Steps are not compared: both runs were told of by their start and end only.');
  if (replaced > 0)
    found.push(
      `The pipeline was changed: ${replaced === 1 ? 'one place has' : `${replaced} places have`} another step. Steps are set beside each other by their place.`,
    );
  for (const [run, word] of [
    [before, 'before'],
    [now, 'now'],
  ] as const) {
    if (run.isPartial)
      found.push(`Run ${run.record.number} (${word}) was recorded in part: what is missing there may have happened.`);
  }
  if (unknown > 0)
    found.push(
      `${plural(unknown, 'row is', 'rows are')} the same only as far as recorded: what was cut, or not seen to its end, cannot be compared.`,
    );
  return found;
}

export function detailWords({ trace }: ComparedRun): string {
  return trace.tracing === 'observed'
    ? 'every step'
    : trace.tracing === 'wrapped'
      ? 'calls of functions'
      : 'start and end';
}
