/** Reads the log records of runs: the action, the payload, the failure, and a summary. */
import type { LogRecord } from '../../../platform-api/log.ts';
import { truncate } from '../../../shared/format.ts';
import { isRecord } from '../../../shared/objects.ts';
import { fieldText } from './edit/draft-value.ts';

/** The action that the record is about. */
export function actionIdOf({ data }: LogRecord): number | null {
  return typeof data.actionId === 'number' ? data.actionId : null;
}

/** A failed run's payload, to run it again; null if the record doesn't contain it. */
export function payloadOf({ type, data }: LogRecord): string | null {
  return type === 'app.task.failed' && typeof data.payload === 'object' && data.payload !== null
    ? JSON.stringify(data.payload, null, 2)
    : null;
}

/** Why a run failed; null if it didn't. */
export function failureOf({ type, data }: LogRecord): { message: string; trace: unknown } | null {
  const result: unknown = data.result;
  if (type !== 'app.task.failed' || !isRecord(result)) return null;
  const { errorType = 'Error', errorMessage = '', trace } = result;
  return { message: `${fieldText(errorType ?? 'Error')}: ${fieldText(errorMessage)}`, trace };
}

const summaries = new WeakMap<LogRecord, string>();

/** A one-line summary: why a run failed, or the logged fields. Cached, because a record can be a megabyte in size. */
export function summaryOf(record: LogRecord): string {
  let summary = summaries.get(record);
  if (summary === undefined) summaries.set(record, (summary = summarize(record)));
  return summary;
}

/** Fields that have table columns of their own, or that repeat the payload. */
const OMITTED = new Set(['mode', 'duration', 'actionId', 'runId', 'dueAt', 'logId', 'payload']);

function summarize(record: LogRecord): string {
  const failure = failureOf(record);
  if (failure) return failure.message;
  const fields = Object.entries(record.data).filter(([name]) => !OMITTED.has(name));
  return fields.length === 0 ? '' : truncate(JSON.stringify(Object.fromEntries(fields)), 300);
}

const texts = new WeakMap<LogRecord, string>();

/** The searchable text, in lowercase. Cached. */
export function searchTextOf(record: LogRecord): string {
  let text = texts.get(record);
  if (text === undefined) texts.set(record, (text = JSON.stringify(record).toLowerCase()));
  return text;
}
