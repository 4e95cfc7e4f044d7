/** Checks what a process says that it has proved. */
import * as v from 'valibot';
import { STATUSES } from '../../../migrate/index.ts';
import { isRecord } from '../../../shared/objects.ts';
import type { Proved } from '../types.ts';
import type { ProofJob } from './job.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Strings = v.array(v.string());
const Status = v.picklist(STATUSES);

const Step = v.strictObject({
  path: v.string(),
  name: v.string(),
  level: v.picklist(['idiomatic', 'faithful', 'needs-person', 'blocked']),
  reasons: Strings,
  line: v.nullable(Count),
  status: Status,
  runs: Count,
  generated: v.optional(Count),
});
const Comparison = v.strictObject({
  differences: v.array(
    v.strictObject({
      what: v.picklist(['order', 'call', 'context', 'result', 'failure', 'code']),
      path: v.string(),
      iteration: v.array(Count),
      place: v.optional(v.string()),
      v2: v.optional(v.unknown()),
      v3: v.optional(v.unknown()),
    }),
  ),
  unknown: v.array(v.strictObject({ path: v.string(), reason: v.string() })),
  steps: Count,
  isWhole: v.boolean(),
});
const Branch = v.strictObject({
  path: v.string(),
  block: v.string(),
  name: v.string(),
  runs: Count,
  generated: v.optional(Count),
  example: v.optional(v.strictObject({ payload: v.string(), outcomes: v.record(v.string(), v.string()) })),
});

const Missed = v.strictObject({ mistake: v.string(), missing: v.string(), path: v.string(), line: Count });
const Input = v.strictObject({ payload: v.custom<object>(isRecord), generated: v.optional(v.boolean()) });

/** Whether it has the form of a proof of the job’s steps on its recordings. */
export const isProofOf = ({ steps, recordings }: ProofJob, value: unknown): value is Proved =>
  v.is(schemaOf(steps.length, recordings.length), value);

const schemaOf = (steps: number, recordings: number): v.GenericSchema =>
  v.strictObject({
    proof: v.strictObject({
      status: Status,
      steps: v.pipe(v.array(Step), v.length(steps)),
      comparisons: v.pipe(v.array(Comparison), v.length(recordings)),
      branches: v.array(Branch),
      coverage: v.string(),
      aside: v.array(v.strictObject({ recording: Count, path: v.string(), reason: v.string() })),
      generated: v.optional(v.array(Comparison)),
    }),
    strength: v.strictObject({ caught: Count, total: Count, missed: v.array(Missed) }),
    inputs: v.array(Input),
  });
