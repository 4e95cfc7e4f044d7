/** Compares the context of the recorded run with the code’s `data`. */
import { type ContextDifference, contextDifferences } from '../../../debugging/compare/context-differences.ts';
import type { RecordedChange } from '../../../debugging/recording/context-changes.ts';
import type { RecordedStep, Recording } from '../../../debugging/recording/format.ts';
import { objectAt } from '../../../debugging/replay/apply-changes.ts';
import { lossesOf } from '../../../debugging/replay/recorded-steps.ts';
import type { Context } from '../../../pipeline/types.ts';
import { DIFFERENT, EqualPairs } from './equal-pairs.ts';
import { LoopNames } from './loop-names.ts';

export interface ComparedContexts {
  /** The first difference. */
  difference: ContextDifference | null;
  /** JSON Pointer of the first value that the recording doesn’t have. */
  unknown: string | null;
}

export class ContextComparison {
  readonly #pairs = new EqualPairs();
  readonly #loopNames: LoopNames;
  /** Steps that make values within objects unknown. */
  readonly #losing: ReadonlySet<RecordedStep | undefined>;
  /** Whether objects can have changed since they were compared. */
  #isStale = false;
  /** Objects that have changed since then, if it’s known which ones. */
  readonly #changed = new Set<object>();

  constructor(recording: Recording) {
    const { steps } = recording;
    this.#loopNames = LoopNames.of(recording);
    const losing = [...lossesOf(steps)].filter(([, changes]) => isInObjects(changes));
    this.#losing = new Set(losing.map(([index]) => steps[index]));
  }

  /**
   * @param step that starts. Its own changes aren’t in the contexts yet
   * @param keepsObjects whether the code changes no object other than `data` itself
   */
  compare(context: Context, data: Context | undefined, step: RecordedStep, keepsObjects: boolean): ComparedContexts {
    const { changes = [], late = [] } = step;
    if (this.#isStale || !keepsObjects || late.some((each) => isInObjects(each.changes))) this.#pairs.forget();
    else this.#pairs.changed(this.#changed);
    this.#changed.clear();
    this.#isStale = this.#losing.has(step);
    this.changing(context, changes);
    if (!data) return { difference: null, unknown: null };
    const areVariables = this.#loopNames.areVariables(step);
    // Aligning lists takes long, and is only needed to name a difference.
    const unknown = this.#pairs.compare(context, data, areVariables ? LOOP_NAMES : NO_NAMES);
    if (unknown !== DIFFERENT) return { difference: null, unknown };
    const found = areVariables
      ? contextDifferences(withoutLoopNames(context), withoutLoopNames(data))
      : contextDifferences(context, data);
    return {
      difference: found.find(({ kind }) => kind !== 'unknown') ?? null,
      unknown: found.find(({ kind }) => kind === 'unknown')?.path ?? null,
    };
  }

  /** The changes are about to be made in one of the contexts. */
  changing(context: Context, changes: readonly RecordedChange[]): void {
    if (!areInKnownObjects(changes)) {
      this.#isStale ||= isInObjects(changes);
      return;
    }
    for (const [path] of changes) {
      const end = path.lastIndexOf('/');
      const object = end > 0 ? objectAt(context, path.slice(0, end)) : undefined;
      if (object) this.#changed.add(object);
    }
  }
}

/** Whether each change is in an object that was there before: none adds an object that a later change could be in. */
const areInKnownObjects = (changes: readonly RecordedChange[]): boolean =>
  changes.length === 1 || changes.every(([, value]) => typeof value !== 'object' || value === null);

/** Whether some of them are of what the context’s values contain. */
const isInObjects = (changes: readonly RecordedChange[]): boolean =>
  changes.some(([path]) => path.lastIndexOf('/') > 0);

const NO_NAMES: ReadonlySet<string> = new Set();
const LOOP_NAMES: ReadonlySet<string> = new Set(['currentItem', 'currentIndex']);

function withoutLoopNames(context: Context): Context {
  const { currentItem: _item, currentIndex: _index, ...rest } = Object.getOwnPropertyDescriptors(context);
  return Object.defineProperties({}, rest) as Context;
}
