/** The stored form of runs and saved payloads, parsed when they are read from disk or from a file. */
import * as v from 'valibot';

const finite = v.pipe(v.number(), v.finite());

/** A run without its events. */
const RunRecord = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  /** The action that ran, see `subjectOf`. */
  subject: v.string(),
  /** The names of app and action. */
  title: v.string(),
  /** Counts up per subject, from 1. */
  number: finite,
  payload: v.string(),
  startedAt: finite,
  state: v.picklist(['running', 'completed', 'failed', 'stopped', 'interrupted']),
  milliseconds: finite,
  tracing: v.picklist(['observed', 'wrapped', 'bare']),
  /** The error in one line. */
  error: v.nullable(v.string()),
  /** Characters of the stored events. */
  size: finite,
  /** Some events weren't stored: they were beyond the limit of one run, or lost. */
  cut: v.boolean(),
});
export type RunRecord = v.InferOutput<typeof RunRecord>;

const SavedPayload = v.object({ subject: v.string(), name: v.string(), text: v.string(), savedAt: finite });
export type SavedPayload = v.InferOutput<typeof SavedPayload>;

/** Only the known fields; undefined when one is wrong. */
export const parseRun = (value: unknown): RunRecord | undefined => parse(RunRecord, value);
export const parsePayload = (value: unknown): SavedPayload | undefined => parse(SavedPayload, value);

function parse<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> | undefined {
  const result = v.safeParse(schema, value, { abortEarly: true });
  return result.success ? result.output : undefined;
}
