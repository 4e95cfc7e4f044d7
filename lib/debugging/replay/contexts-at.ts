/** Finds the whole context before and after steps of a recorded run ("time travel"), in one pass. */
import type { Context } from '../../pipeline/index.ts';
import { Yielding } from '../../pipeline/yielding.ts';
import { copyValue } from '../recording/copy-value.ts';
import type { Recording } from '../recording/format.ts';
import { RecordingWalk } from './walk.ts';

export interface StepContexts {
  before: Context;
  /** Once the step has ended, with its nested steps. */
  after: Context;
}

/** Steps between two looks at the clock. */
const SLICE = 64;

/**
 * @param indexes of recorded steps. Those that the recording doesn’t have are left out.
 * @returns copies. Lost values throw `LostValueError` when they’re read
 */
export async function contextsAt(recording: Recording, indexes: readonly number[]): Promise<Map<number, StepContexts>> {
  const wanted = new Set(indexes.filter((index) => recording.steps[index] !== undefined));
  const before = new Map<number, Context>();
  const found = new Map<number, StepContexts>();
  const walk = new RecordingWalk(recording, {
    started: ({ index }, context) => {
      if (wanted.has(index)) before.set(index, copyValue(context) as Context);
    },
    ended: ({ index }, context) => {
      if (before.has(index)) found.set(index, { before: before.get(index)!, after: copyValue(context) as Context });
    },
  });
  const yielding = new Yielding();
  while (found.size < wanted.size && walk.advance(SLICE)) if (yielding.isDue()) await yielding.yield();
  return found;
}
