/** Writes and reads files of exported runs. */
import type { Result } from '../../../../platform-api/errors.ts';
import { isRecord } from '../../../../shared/objects.ts';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { parseEvents } from '../../../inspector/run/parse.ts';
import { parseRun } from './run-record.ts';
import type { RunRecord } from './run-store.ts';

export const RUN_FILE_FORMAT = 'platform-devtools-runs';
const VERSION = 1;

export interface FileRun {
  record: RunRecord;
  events: AgentEvent[];
}

export function writeRunFile(runs: readonly FileRun[]): string {
  return JSON.stringify({ format: RUN_FILE_FORMAT, version: VERSION, runs });
}

/** Reads all runs of an exported file, or none. Errors: `FILE_NOT_JSON`, `FILE_NOT_RUNS`. */
export function readRunFile(content: string): Result<FileRun[]> {
  let data: unknown;
  try {
    data = JSON.parse(content);
  } catch {
    return refused('FILE_NOT_JSON', 'Couldn’t import runs: the file isn’t JSON.');
  }
  const { format, version, runs } = asRecord(data);
  if (format !== RUN_FILE_FORMAT || !Array.isArray(runs))
    return refused('FILE_NOT_RUNS', 'Couldn’t import runs: the file doesn’t contain exported runs.');
  if (version !== VERSION)
    return refused('FILE_NOT_RUNS', 'Couldn’t import runs: the file has an unsupported format version.');
  const valid: FileRun[] = [];
  for (const [index, run] of runs.entries()) {
    const { record, events } = asRecord(run);
    const parsed = parseRun(record);
    const reading = parsed && parseEvents(events, parsed.id);
    if (!parsed || !reading || reading.invalid > 0)
      return refused('FILE_NOT_RUNS', `Couldn’t import runs: run ${index + 1} in the file is damaged.`);
    valid.push({ record: parsed, events: reading.events });
  }
  return { ok: true, value: valid };
}

function refused(code: string, message: string): Result<never> {
  return { ok: false, error: { code, message, hint: 'Choose a file exported from this panel. Nothing was imported.' } };
}

const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
