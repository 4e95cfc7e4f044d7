/** Explains why a log record has no recording. */
import { RUN_LOG_TYPES, type LogRecord } from '../../platform-api/index.ts';
import { eq } from '../db/drizzle.ts';
import { runs } from '../db/schema.ts';
import type { Db } from '../jobs/types.ts';
import type { MissingRecording } from '../runner/recording.ts';
import { KEPT_RECORDINGS, RECORDING_LIFETIME } from './store.ts';

const MISSING_TEXTS: Record<MissingRecording, string> = {
  unresponsive: 'the run’s process didn’t respond when the run was stopped, as in an endless loop',
  ended: 'the run’s process ended before it could send one',
  'too-large': 'it would have been too large',
  failed: 'a script of the run kept it from being recorded',
  screen: 'the action runs a screen, which has no steps',
};
const DAYS = RECORDING_LIFETIME / 86_400_000;
const MB = KEPT_RECORDINGS.bytes / 1024 / 1024;

/** @param missing the reason that was stored with the log record, if any */
export async function absenceText(
  db: Db,
  { type, data, createdAt }: Pick<LogRecord, 'type' | 'data' | 'createdAt'>,
  missing: MissingRecording | null,
  now: Date,
): Promise<string> {
  if (missing) return MISSING_TEXTS[missing];
  if (!RUN_LOG_TYPES.includes(type)) return 'it isn’t the record of a run';
  const { runId } = data;
  if (typeof runId !== 'string') return 'no run was started';
  if (await isPageRun(db, runId)) return 'a page executed the run';
  if (Date.parse(createdAt) + RECORDING_LIFETIME <= now.getTime()) return `recordings are stored for ${DAYS} days`;
  if (type !== 'app.task.failed') return 'it wasn’t asked for, or newer recordings have replaced it';
  return `only the last ${KEPT_RECORDINGS.count} recordings of an app are stored, up to ${MB} MB`;
}

async function isPageRun(db: Db, runId: string): Promise<boolean> {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(runId)) return false;
  const [run] = await db.select({ runsOn: runs.runsOn }).from(runs).where(eq(runs.id, runId));
  return run?.runsOn === 'page';
}
