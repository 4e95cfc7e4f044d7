/** Writes and reads files of exported runs. */
import { CodedError, type ErrorValue, type Result } from '../../../../platform-api/errors.ts';
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

/** Maximum characters of a file. Browsers can't hold much longer texts. */
const FILE_LIMIT = 300_000_000;

/** Writes a file run by run, so that it's clear early on when it becomes too large. */
export class RunFileWriter {
  readonly #limit: number;
  readonly #runs: string[] = [];
  #characters = 0;

  constructor(limit = FILE_LIMIT) {
    this.#limit = limit;
  }

  /** @throws CodedError `RUNS_EXPORT_TOO_LARGE` */
  add(run: FileRun): void {
    const text = textOf(run);
    this.#characters += text?.length ?? Infinity;
    if (text === null || this.#characters > this.#limit) throw new CodedError(tooLarge(this.#limit));
    this.#runs.push(text);
  }

  text(): string {
    return `{"format":"${RUN_FILE_FORMAT}","version":${VERSION},"runs":[${this.#runs.join()}]}`;
  }
}

export function writeRunFile(runs: readonly FileRun[]): string {
  const file = new RunFileWriter();
  for (const run of runs) file.add(run);
  return file.text();
}

/** Null if the browser can't hold the text. */
function textOf(run: FileRun): string | null {
  try {
    return JSON.stringify(run);
  } catch {
    return null;
  }
}

const tooLarge = (limit: number): ErrorValue => ({
  code: 'RUNS_EXPORT_TOO_LARGE',
  message: `Couldn’t export the runs: a file is limited to ${limit / 1_000_000} MB.`,
  hint: 'Export fewer runs.',
});

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
