/** Reads what log records of runs contain: the action, the payload, the failure, and a summary. */
import type { LogRecord } from '../../../platform-api/log.ts';
import { truncate } from '../../../shared/format.ts';
import { isRecord } from '../../../shared/objects.ts';

/** The action that a record of a run belongs to. */
export function actionIdOf({ data }: LogRecord): number | null {
  return typeof data.actionId === 'number' ? data.actionId : null;
}

/** The payload of a failed run, to run it again; null when the record doesn't contain it. */
export function payloadOf({ type, data }: LogRecord): string | null {
  return type === 'app.task.failed' && typeof data.payload === 'object' && data.payload !== null
    ? JSON.stringify(data.payload, null, 2)
    : null;
}

/** Why a run failed; null when it didn't. */
export function failureOf({ type, data }: LogRecord): { message: string; trace: unknown } | null {
  const result: unknown = data.result;
  if (type !== 'app.task.failed' || !isRecord(result)) return null;
  const { errorType = 'Error', errorMessage = '', trace } = result;
  return { message: `${String(errorType ?? 'Error')}: ${String(errorMessage ?? '')}`, trace };
}

const summaries = new WeakMap<LogRecord, string>();

/** A record in one line: why a run failed, or the logged fields. Cached, because a record may have a megabyte. */
export function summaryOf(record: LogRecord): string {
  let summary = summaries.get(record);
  if (summary === undefined) summaries.set(record, (summary = summarize(record)));
  return summary;
}

/** Fields that the table shows in their own columns, or that the payload repeats. */
const OMITTED = new Set(['mode', 'duration', 'actionId', 'runId', 'dueAt', 'payload']);

function summarize(record: LogRecord): string {
  const failure = failureOf(record);
  if (failure) return failure.message;
  const fields = Object.entries(record.data).filter(([name]) => !OMITTED.has(name));
  return fields.length === 0 ? '' : truncate(JSON.stringify(Object.fromEntries(fields)), 300);
}

const texts = new WeakMap<LogRecord, string>();

/** What a search looks through, in lower case. Cached. */
export function searchTextOf(record: LogRecord): string {
  let text = texts.get(record);
  if (text === undefined) texts.set(record, (text = JSON.stringify(record).toLowerCase()));
  return text;
}
