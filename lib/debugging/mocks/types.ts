/** Defines mocks: what happens instead of a step, or of the steps of a function package. */
import type { RecordedChange } from '../recording/context-changes.ts';
import type { RecordedValue } from '../recording/values.ts';

export interface Mock {
  /** A mock of a step takes precedence over one of its package; otherwise, the first one. */
  target: { path: string } | { package: string };
  /** An expression in the condition language, over the context. The mock applies only if it’s true. */
  condition?: string;
  /** Without it, the step itself runs, after the delay. */
  outcome?: { value?: RecordedValue } | { error: { name?: string; message: string } } | { skip: true };
  /** In milliseconds. */
  delay?: number;
  /** What it changes in the context. */
  changes?: RecordedChange[];
  isOff?: boolean;
}

export interface MockSet {
  name: string;
  mocks: Mock[];
}
