/** Applies mocks to a run. It’s an observer: pass it to the run, or call it from one. */
import { compileCondition, type Condition, type Replacement, type StepInfo } from '../../pipeline/index.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import { readValue } from '../recording/values.ts';
import { applyChanges } from '../replay/apply-changes.ts';
import { MockError } from './mock-error.ts';
import type { Mock, MockOutcome } from './types.ts';

/** Calls back after this many milliseconds. Returns what cancels it. */
export type Timer = (callback: () => void, milliseconds: number) => () => void;

export interface MockOptions {
  /** Ends delays. */
  signal?: AbortSignal;
  /** Default `setTimeout`. */
  timer?: Timer;
  /** Called once the changes of a mock are applied. */
  onChanges?: (changes: readonly RecordedChange[]) => void;
}

interface CompiledMock {
  mock: Mock;
  condition: Condition | null;
}

export class MockObserver {
  readonly #byPath = new Map<string, CompiledMock[]>();
  readonly #byPackage = new Map<string, CompiledMock[]>();
  readonly #signal: AbortSignal | undefined;
  readonly #timer: Timer;
  readonly #onChanges: MockOptions['onChanges'];

  constructor(mocks: readonly Mock[], { signal, timer = startTimer, onChanges }: MockOptions = {}) {
    this.#signal = signal;
    this.#timer = timer;
    this.#onChanges = onChanges;
    for (const mock of mocks) {
      if (mock.isOff) continue;
      if ('path' in mock.target) add(this.#byPath, mock.target.path, mock);
      else add(this.#byPackage, mock.target.package, mock);
    }
  }

  /** A mock that can’t be applied fails the step: otherwise, the step would run without its mock. */
  before(info: StepInfo): void | Replacement | Promise<void | Replacement> {
    try {
      const mock = this.#find(info);
      if (!mock) return undefined;
      return mock.delay ? this.#wait(mock.delay).then(() => this.#attempt(mock, info)) : this.#attempt(mock, info);
    } catch (error) {
      return { error, by: 'mock' };
    }
  }

  #attempt(mock: Mock, info: StepInfo): void | Replacement {
    try {
      return this.#apply(mock, info);
    } catch (error) {
      return { error, by: 'mock' };
    }
  }

  #apply(mock: Mock, { context }: StepInfo): void | Replacement {
    const { changes, outcome } = mock;
    // First, so that a mock whose value is lost changes nothing.
    const replacement = outcome && replacementOf(outcome);
    const misfit = changes ? applyChanges(context, changes) : null;
    if (misfit !== null) throw new MockError('MOCK_MISFIT', mock, `the context has no object for ${misfit}`);
    if (changes) this.#onChanges?.(changes);
    return replacement;
  }

  #find(info: StepInfo): Mock | undefined {
    const found = firstOf(this.#byPath.get(info.path), info);
    if (found || info.kind !== 'function') return found;
    return firstOf(this.#byPackage.get(info.name), info);
  }

  #wait(milliseconds: number): Promise<void> {
    const signal = this.#signal;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.#timer(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, milliseconds);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}

function startTimer(callback: () => void, milliseconds: number): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

function add(mocks: Map<string, CompiledMock[]>, target: string, mock: Mock): void {
  const compiled = { mock, condition: mock.condition === undefined ? null : compile(mock, mock.condition) };
  const others = mocks.get(target);
  if (others) others.push(compiled);
  else mocks.set(target, [compiled]);
}

/** A condition that isn’t valid fails as one that throws does. */
function compile(mock: Mock, source: string): Condition {
  try {
    return compileCondition(source);
  } catch (thrown) {
    return () => {
      throw new MockError('MOCK_CONDITION_INVALID', mock, 'its condition isn’t valid', thrown);
    };
  }
}

function firstOf(mocks: readonly CompiledMock[] = [], { context }: StepInfo): Mock | undefined {
  return mocks.find(({ mock, condition }) => {
    try {
      return condition === null || condition(context);
    } catch (thrown) {
      if (thrown instanceof MockError) throw thrown;
      throw new MockError('MOCK_CONDITION_FAILED', mock, 'its condition failed', thrown);
    }
  })?.mock;
}

/** @throws LostValueError if the value is lost */
function replacementOf(outcome: MockOutcome): Replacement {
  if ('skip' in outcome) return { skip: true, by: 'mock' };
  if ('error' in outcome) {
    const { name = 'Error', message } = outcome.error;
    return { error: Object.assign(new Error(message), { name }), by: 'mock' };
  }
  const { value } = outcome;
  // A copy for each call, so that steps don’t share objects.
  return { value: value === undefined ? undefined : readValue(value), by: 'mock' };
}
