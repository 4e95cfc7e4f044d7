/** Defines mocks: what happens instead of a step, or of every step of a function package. */
import type { RecordedChange } from '../recording/context-changes.ts';
import type { RecordedValue } from '../recording/values.ts';

/** A step by its path, a JSON Pointer into the pipeline, or all steps of a function package. */
export type MockTarget = { path: string } | { package: string };

/** `{}` completes without a value, and `skip` also skips nested steps. */
export type MockOutcome = { value?: RecordedValue } | { error: { name?: string; message: string } } | { skip: true };

/**
 * A mock of a path has precedence over a mock of a package. Otherwise, the first one applies whose condition is true. Any
 * step can have one, also a loop or an `if`: their nested steps don’t run then.
 */
export interface Mock {
  target: MockTarget;
  /** An expression in the condition language, over the context. The mock applies only if it’s true. */
  condition?: string;
  /** Without one, the step itself runs, after the delay and with the changes. */
  outcome?: MockOutcome;
  /** In milliseconds. */
  delay?: number;
  /** What the mock changes in the context, in order, after the delay. */
  changes?: RecordedChange[];
  isOff?: boolean;
}

export interface MockSet {
  name: string;
  mocks: Mock[];
}
