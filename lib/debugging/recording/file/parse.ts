/** Reads recordings that were stored, imported, or received, and writes them. */
import type { ErrorValue, Result } from '../../../platform-api/coded-error.ts';
import { at, type Problem } from './check-value.ts';
import { type Recording, RECORDING_FORMAT, RECORDING_VERSION } from '../format.ts';
import { PipelineSteps } from './pipeline-steps.ts';
import {
  RECORDING_CUT_OFF,
  RECORDING_NOT_JSON,
  RECORDING_NOT_ONE,
  recordingDamaged,
  recordingNewer,
  recordingTooLarge,
} from './recording-error.ts';
import { recordingForm } from './recording-form.ts';

/**
 * Reads a recording. Fails with `RECORDING_TOO_LARGE`, `RECORDING_NOT_JSON`, `RECORDING_NOT_ONE`, `RECORDING_NEWER`, or
 * `RECORDING_DAMAGED`. Whether the recorded outcomes can have happened is for a replay to find out.
 */
export function parseRecording(content: string): Result<Recording> {
  const tooLarge = recordingTooLarge(content.length);
  if (tooLarge) return refused(tooLarge);
  let data: unknown;
  try {
    data = JSON.parse(content);
  } catch {
    return refused(isCutOff(content) ? RECORDING_CUT_OFF : RECORDING_NOT_JSON);
  }
  const { format, version } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  if (format !== RECORDING_FORMAT) return refused(RECORDING_NOT_ONE);
  if (typeof version === 'number' && version > RECORDING_VERSION) return refused(recordingNewer(version));
  const problem = recordingForm()(data) ?? misplaced(data as Recording);
  // The problem starts with a dot.
  return problem === null ? { ok: true, value: data as Recording } : refused(recordingDamaged(problem.slice(1)));
}

export const writeRecording = (recording: Recording): string => JSON.stringify(recording);

const refused = (error: ErrorValue): Result<never> => ({ ok: false, error });

function isCutOff(content: string): boolean {
  const text = content.slice(-1_000).trimEnd();
  return content.trimStart().startsWith('{') && !text.endsWith('}');
}

/** What refers to a step that isn't there. */
function misplaced({ pipeline, steps, console: lines = [], requests = [] }: Recording): Problem {
  const known = new PipelineSteps(pipeline);
  for (const [index, { kind, path, late = [], changes = [], edited = [] }] of steps.entries()) {
    const found = known.at(path);
    if (found === 'none') return `.steps[${index}].path is ${short(path)}, but the pipeline has no step there`;
    if (found !== 'unknown' && found !== kind)
      return `.steps[${index}].kind is ${kind}, but the step at ${short(path)} of the pipeline is a ${found}`;
    for (const { since = 0 } of late) if (since > index) return `.steps[${index}].late refers to a later step`;
    if (edited.some((nth, at) => nth >= changes.length || nth <= (edited[at - 1] ?? -1)))
      return `.steps[${index}].edited refers to a change that isn’t there, or not in order`;
  }
  return beyond('.console', lines, steps.length) ?? beyond('.requests', requests, steps.length);
}

function beyond(where: string, items: readonly { step?: number }[], steps: number): Problem {
  const index = items.findIndex(({ step = -1 }) => step >= steps);
  return index < 0 ? null : where + at(index, '.step refers to a step that isn’t there');
}

const short = (path: string): string => (path.length > 100 ? `${path.slice(0, 100)}…` : path);
