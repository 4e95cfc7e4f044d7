/** Finds how a step, or a run's outcome, differs between two runs. */
import type { RemoteError } from '../../../inspector/contract.ts';
import type { ConsoleLine, RequestLine, Trace, TraceStep } from '../trace.ts';
import type { ComparedRun, DifferenceKind } from './compare-runs.ts';
import { changeSameness, sameness, type Sameness } from './compare-values.ts';
import type { StepInput } from './align/step-inputs.ts';
import type { Volatility } from './volatile/volatility.ts';

export interface Differences {
  kinds: readonly DifferenceKind[];
  /** What isn't fully recorded, so that there might be more differences. `state`: the step's end. */
  unknown: readonly DifferenceKind[];
}

export interface DifferenceContext {
  input: StepInput;
  changes: StepInput;
  volatility: Volatility;
}

/** A step's duration differs notably if it's at least this many times longer, and longer by this many milliseconds. */
const LONGER = { times: 2, by: 50 };

/** False if a partly recorded run contains the step's start but not its end. */
export const isEndKnown = (run: ComparedRun, step: TraceStep): boolean =>
  step.state !== 'unstored' && !(run.isPartial && step.state === 'stopped' && run.trace.state !== 'stopped');

export function stepDifferences(
  before: ComparedRun,
  left: TraceStep,
  now: ComparedRun,
  right: TraceStep,
  context: DifferenceContext,
): Differences {
  const { input, volatility } = context;
  const checks: [DifferenceKind, Sameness | boolean][] = [
    ['replaced', left.kind === right.kind && left.name === right.name],
    ['input', changeSameness(input.before, input.now, volatility.counting('context'))],
    ['settings', sameness(left.settings, right.settings, volatility.counting('settings'))],
  ];
  const isKnown = isEndKnown(before, left) && isEndKnown(now, right);
  if (isKnown) checks.push(...endChecks(before, left, now, right, context));
  const kinds = checks.filter(([, same]) => same === false || same === 'different').map(([kind]) => kind);
  const unknown = checks.filter(([, same]) => same === 'unknown').map(([kind]) => kind);
  if (!isKnown) unknown.push('state');
  const isBeyond = isBeyondLimit(before.trace, left) || isBeyondLimit(now.trace, right);
  if (isBeyond) unknown.push(...(['input', 'changes'] as const).filter((kind) => !unknown.includes(kind)));
  return { kinds, unknown };
}

function endChecks(
  before: ComparedRun,
  left: TraceStep,
  now: ComparedRun,
  right: TraceStep,
  { changes, volatility }: DifferenceContext,
): [DifferenceKind, Sameness | boolean][] {
  const isSkipped = left.state === 'skipped' || right.state === 'skipped';
  const changed = changeSameness(changes.before, changes.now, volatility.counting('context'));
  const isShallow = left.shallow || right.shallow;
  const hasValues = left.state === 'completed' && right.state === 'completed';
  return [
    ['condition', isSameIfKnown(left.branch, right.branch)],
    ['skipped', left.state === right.state || !isSkipped],
    ['iterations', isSameIfKnown(left.iterations, right.iterations)],
    ['state', left.state === right.state || isSkipped],
    ['error', left.state !== 'failed' || right.state !== 'failed' || isSameError(left, right)],
    ['network', isSameTraffic(before.requests.get(left.id), now.requests.get(right.id))],
    ['changes', changed === 'same' && isShallow ? 'unknown' : changed],
    ['value', !hasValues || sameness(left.value, right.value, volatility.counting('value'))],
    ['duration', !isNotablyLonger(left, right) && !isNotablyLonger(right, left)],
    ['console', consoleSameness(before.lines.get(left.id), now.lines.get(right.id))],
  ];
}

const isSameIfKnown = <T>(left: T | undefined, right: T | undefined): boolean =>
  left === undefined || right === undefined || left === right;

/** Whether the trace's limit was reached before this step, so that its changes are missing. */
const isBeyondLimit = (trace: Trace, step: TraceStep): boolean =>
  trace.omitted.changes > 0 && step.changesBefore >= trace.changes.length;

type Failed = Pick<TraceStep, 'error'> & { iteration?: readonly number[] };

/** Errors in iterations of the same item are the same, although the iterations have other numbers. */
function isSameError({ error: left, iteration: from }: Failed, { error: right, iteration: to }: Failed): boolean {
  return (
    left?.code === right?.code &&
    left?.errorType === right?.errorType &&
    left?.errorMessage === right?.errorMessage &&
    left?.path === right?.path &&
    iterationText(left, from) === iterationText(right, to)
  );
}

const iterationText = (error: RemoteError | undefined, around: readonly number[] = []): string | undefined =>
  error?.iteration.map((index, depth) => (around[depth] === index ? '=' : index)).join('.');

export function isSameRequest(left: RequestLine, right: RequestLine | undefined): boolean {
  return (
    left.method === right?.method &&
    left.url === right.url &&
    left.status === right.status &&
    left.error === right.error
  );
}

function isSameTraffic(left: readonly RequestLine[] = [], right: readonly RequestLine[] = []): boolean {
  return left.length === right.length && left.every((request, index) => isSameRequest(request, right[index]));
}

function consoleSameness(left: readonly ConsoleLine[] = [], right: readonly ConsoleLine[] = []): Sameness {
  if (left.length !== right.length) return 'different';
  let result: Sameness = 'same';
  for (const [index, line] of left.entries()) {
    const other = right[index];
    if (line.level !== other?.level || line.args.length !== other.args.length) return 'different';
    for (const [at, arg] of line.args.entries()) {
      const same = sameness(arg, other.args[at]);
      if (same === 'different') return same;
      if (same === 'unknown') result = same;
    }
  }
  return result;
}

function isNotablyLonger(long: TraceStep, short: TraceStep): boolean {
  if (long.end === null || short.end === null) return false;
  const [duration, other] = [long.end - long.start, short.end - short.start];
  return duration >= LONGER.times * other && duration - other >= LONGER.by;
}

export function outcomeDifferences(
  { trace: left }: ComparedRun,
  { trace: right }: ComparedRun,
  volatility: Volatility,
): Differences {
  if (left.state !== right.state) return { kinds: ['outcome'], unknown: [] };
  if (left.state === 'failed') return { kinds: isSameError(left, right) ? [] : ['error'], unknown: [] };
  if (left.state !== 'completed') return { kinds: [], unknown: left.state === 'interrupted' ? ['outcome'] : [] };
  const result = sameness(left.result, right.result, volatility.counting('result'));
  const hasOtherSize =
    left.resultBytes !== null && right.resultBytes !== null && left.resultBytes !== right.resultBytes;
  // Another size says nothing about a result that is known, or if a part of it is ignored.
  const isOther = result === 'different' || (hasOtherSize && result === 'unknown' && !volatility.in('result'));
  return { kinds: isOther ? ['result'] : [], unknown: result === 'unknown' ? ['result'] : [] };
}
