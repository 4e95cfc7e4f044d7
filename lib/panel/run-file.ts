/** Owns the file that runs are exported to and imported from. */
import type { Result } from '../contract/errors.ts';
import type { AgentEvent } from '../inspector/contract.ts';
import { parseReading } from '../inspector/guard.ts';
import type { RunRecord } from './run-store.ts';

export const RUN_FILE_FORMAT = 'platform-devtools-runs';
const VERSION = 1;

export interface FileRun { record: RunRecord; events: AgentEvent[] }

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
    const reading = parseReading({ documentId: '', look: '', last: 0, dropped: 0, events });
    const parsed = recordOf(fields(record));
    if (!parsed || !reading || reading.nonsense > 0) return refused('FILE_NOT_RUNS', `Run ${index + 1} of the file can’t be read.`);
    read.push({ record: parsed, events: reading.events });
  }
  return { ok: true, value: read };
}

function refused(code: string, message: string): Result<never> {
  return { ok: false, error: { code, message, next: 'Choose a file that this panel exported; nothing was added.' } };
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

const SHAPE: Record<keyof RunRecord, (value: unknown) => boolean> = {
  id: (value) => isText(value) && value !== '',
  subject: isText,
  title: isText,
  number: isNumber,
  payload: isText,
  startedAt: isNumber,
  state: (value) => ['running', 'completed', 'failed', 'stopped', 'interrupted'].includes(value as string),
  milliseconds: isNumber,
  tracing: (value) => ['observed', 'wrapped', 'bare'].includes(value as string),
  error: (value) => value === null || isText(value),
  size: isNumber,
  cut: (value) => typeof value === 'boolean',
};

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function recordOf(given: Record<string, unknown>): RunRecord | null {
  const names = Object.keys(SHAPE) as (keyof RunRecord)[];
  if (!names.every((name) => SHAPE[name](given[name]))) return null;
  return Object.fromEntries(names.map((name) => [name, given[name]])) as unknown as RunRecord;
}
