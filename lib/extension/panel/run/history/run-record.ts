/** Schemas of stored runs and payloads, which are parsed when read from disk or from a file. */
import * as v from 'valibot';

const finite = v.pipe(v.number(), v.finite());

/** A run without its events. */
const RunRecord = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  /** Identifies the action, as returned by `subjectOf`. */
  subject: v.string(),
  /** The names of the app and action. */
  title: v.string(),
  /** Numbered per subject, starting at 1. */
  number: finite,
  payload: v.string(),
  startedAt: finite,
  state: v.picklist(['running', 'completed', 'failed', 'stopped', 'interrupted']),
  milliseconds: finite,
  tracing: v.picklist(['observed', 'wrapped', 'bare']),
  /** What the run ran with. Absent in records of earlier versions: the platform’s runtime. */
  engine: v.optional(v.picklist(['platform', 'ours'])),
  /** The error on one line. */
  error: v.nullable(v.string()),
  /** The start of the result, as JSON text. */
  result: v.optional(v.string()),
  /** Total bytes of the stored events, as they are stored: compressed. */
  size: finite,
  /** Total characters of the stored events, before compression. */
  characters: v.optional(finite),
  /** Some events weren't stored, because they exceeded the limit per run or were lost. */
  cut: v.boolean(),
  /** The number of events that the panel didn’t receive. Absent if none, and in records of earlier versions. */
  dropped: v.optional(v.pipe(finite, v.minValue(0))),
  /** The number of steps that the run had, and that are stored. Absent if unknown, as in records of early versions. */
  steps: v.optional(v.object({ total: finite, stored: finite })),
  /** Set if a recording in whole values is stored: its bytes, compressed, and how many values it lacks. */
  recording: v.optional(v.object({ size: finite, lost: finite })),
  /** Why no recording is stored. */
  recordingProblem: v.optional(v.picklist(['too-large'])),
  /** What the run is. Absent for a run in a page. */
  origin: v.optional(v.picklist(['replay', 'what-if', 'file', 'server', 'smallest', 'v3'])),
  /** ID of the run that it was made from. */
  madeFrom: v.optional(v.string()),
  /** The steps and the recording were removed to save space. The run's start and end are still stored. */
  thinned: v.optional(v.boolean()),
  /** Never thinned or removed automatically. */
  pinned: v.optional(v.boolean()),
  /** When the run was imported from a file, in epoch milliseconds. */
  importedAt: v.optional(finite),
});
export type RunRecord = v.InferOutput<typeof RunRecord>;

const SavedPayload = v.object({ subject: v.string(), name: v.string(), text: v.string(), savedAt: finite });
export type SavedPayload = v.InferOutput<typeof SavedPayload>;

/** Returns only known fields; undefined if any of them is invalid. */
export const parseRun = (value: unknown): RunRecord | undefined => parse(RunRecord, value);
export const parsePayload = (value: unknown): SavedPayload | undefined => parse(SavedPayload, value);

function parse<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> | undefined {
  const result = v.safeParse(schema, value, { abortEarly: true });
  return result.success ? result.output : undefined;
}
