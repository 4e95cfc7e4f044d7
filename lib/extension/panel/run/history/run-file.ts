/** Owns the file that runs are exported to and imported from. */
import type { Result } from '../../../../platform-api/errors.ts';
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

/** Reads such a file; a run of which anything is not as it should be is not taken. `FILE_NOT_JSON`, `FILE_NOT_RUNS`. */
export function readRunFile(content: string): Result<FileRun[]> {
  let data: unknown;
  try {
    data = JSON.parse(content);
  } catch {
    return refused('FILE_NOT_JSON', 'The file is not JSON.');
  }
  const { format, version, runs } = fields(data);
  if (format !== RUN_FILE_FORMAT || !Array.isArray(runs)) return refused('FILE_NOT_RUNS', 'The file holds no runs.');
  if (version !== VERSION) return refused('FILE_NOT_RUNS', 'The file was written by another version of the panel.');
  const read: FileRun[] = [];
  for (const [index, run] of runs.entries()) {
    const { record, events } = fields(run);
    const reading = parseEvents(events);
    const parsed = parseRun(record);
    if (!parsed || !reading || reading.invalid > 0)
      return refused('FILE_NOT_RUNS', `Run ${index + 1} of the file can’t be read.`);
    read.push({ record: parsed, events: reading.events });
  }
  return { ok: true, value: read };
}

function refused(code: string, message: string): Result<never> {
  return { ok: false, error: { code, message, hint: 'Choose a file that this panel exported; nothing was added.' } };
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
