/** Writes a recording as JSON text. Yields to the panel, because a run can have 100,000 steps. */
import type { Recording } from '../../../../debugging/recording/format.ts';
import { createPauses } from '../../shared/pauses.ts';

/** Steps to write without looking at the clock. */
const STEPS = 500;

/** The same as `JSON.stringify`, with the steps as the last property. */
export async function recordingText({ steps, ...rest }: Recording): Promise<string> {
  const { pauseIfDue } = createPauses(true);
  const parts: string[] = [];
  for (let from = 0; from < steps.length; from += STEPS) {
    const pause = pauseIfDue();
    if (pause) await pause;
    parts.push(JSON.stringify(steps.slice(from, from + STEPS)).slice(1, -1));
  }
  return `${JSON.stringify(rest).slice(0, -1)},"steps":[${parts.join()}]}`;
}
