/** Traces the calls of wrapped functions, for runtimes that don't report their steps, and applies mocks to them. */
import type { MockObserver } from '../../../../debugging/mocks/mock-observer.ts';
import type { Replacement, StepInfo } from '../../../../pipeline/index.ts';
import { attempt } from '../../agent/safe.ts';
import type { Recorder } from './recorder.ts';

export interface WrappedRun {
  recorder: Recorder;
  mocks: MockObserver | null;
  /** False once the run has ended. */
  isCurrent(): boolean;
}

type Ending = Parameters<Recorder['stepEnded']>[1];

/** Records a call of a function as a step. Returns what the function or its mock returns. */
export function recordCall(run: WrappedRun, name: string, args: unknown[], call: () => unknown): unknown {
  const key = {};
  const settings = args[0];
  const context = args[1];
  const step = { path: null, iteration: [], kind: 'function', name, settings, context, step: undefined };
  attempt(() => run.recorder.stepStarted(key, step));
  let replaced: string | undefined;
  const end = (ending: Ending): void => {
    if (run.isCurrent()) attempt(() => run.recorder.stepEnded(key, { ...ending, replaced }));
  };
  let value: unknown;
  try {
    const answer = run.mocks?.before(stepOf(name, settings, context));
    const onReplaced = (by: string): void => void (replaced = by);
    value = isThenable(answer) ? afterDelay(answer, call, onReplaced) : perform(answer, call, onReplaced);
  } catch (error) {
    end({ state: 'failed', error });
    throw error;
  }
  if (isThenable(value)) void settle(value, end);
  else end({ state: 'completed', value });
  return value;
}

async function afterDelay(
  answer: PromiseLike<void | Replacement>,
  call: () => unknown,
  onReplaced: (by: string) => void,
): Promise<unknown> {
  return perform(await answer, call, onReplaced);
}

function perform(answer: void | Replacement, call: () => unknown, onReplaced: (by: string) => void): unknown {
  if (!answer) return call();
  onReplaced(answer.by ?? 'mock');
  if ('error' in answer) throw answer.error;
  return 'value' in answer ? answer.value : skip();
}

/** To skip its nested steps, a function rejects with undefined (decisions, "Pipelines"). */
async function skip(): Promise<never> {
  throw undefined;
}

async function settle(pending: unknown, end: (ending: Ending) => void): Promise<void> {
  try {
    end({ state: 'completed', value: await pending });
  } catch (error) {
    end(error === undefined ? { state: 'skipped' } : { state: 'failed', error });
  }
}

function stepOf(name: string, settings: unknown, context: unknown): StepInfo {
  const isObject = typeof context === 'object' && context !== null;
  return {
    path: '',
    iteration: [],
    kind: 'function',
    name,
    step: { functionPackage: name, settings: settings as Record<string, unknown> },
    context: isObject ? (context as Record<string, unknown>) : {},
  };
}

function isThenable(value: unknown): value is PromiseLike<void | Replacement> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return attempt(() => typeof (value as { then?: unknown }).then === 'function') ?? false;
}
