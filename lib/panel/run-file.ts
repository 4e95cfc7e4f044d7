/** Owns the file that runs are exported to and imported from. Loaded when a person asks for it. */
import * as v from 'valibot';
import type { Result } from '../contract/errors.ts';
import type { AgentEvent, RemoteValue } from '../inspector/contract.ts';
import type { RunRecord } from './run-store.ts';

export const RUN_FILE_FORMAT = 'platform-devtools-runs';
const VERSION = 1;

export interface FileRun { record: RunRecord; events: AgentEvent[] }

export function writeRunFile(runs: readonly FileRun[]): string {
  return JSON.stringify({ format: RUN_FILE_FORMAT, version: VERSION, runs });
}

const count = v.pipe(v.number(), v.finite());
const text = v.string();
const Value: v.GenericSchema<RemoteValue> = v.lazy(() => v.variant('t', [
  v.object({ t: v.picklist(['undefined', 'null']) }),
  v.object({ t: v.literal('boolean'), v: v.boolean() }),
  v.object({ t: v.literal('number'), v: v.union([count, text]) }),
  v.object({ t: v.literal('string'), v: text, length: count }),
  v.object({ t: v.picklist(['bigint', 'symbol', 'function', 'node', 'date', 'regexp']), v: text }),
  v.object({ t: v.literal('error'), name: text, message: text, stack: text }),
  v.object({ t: v.literal('array'), length: count, items: v.array(Value) }),
  v.object({ t: v.literal('object'), name: v.optional(text), size: count, entries: v.array(v.strictTuple([text, Value])) }),
  v.object({ t: v.literal('cycle'), up: count }),
  v.object({ t: v.literal('unreadable'), message: text }),
]) as v.GenericSchema<RemoteValue>);
const Changes = v.array(v.object({ path: text, before: v.optional(Value), after: v.optional(Value) }));
const Failure = v.object({ code: v.nullable(text), errorType: text, errorMessage: text, trace: v.array(text), path: v.nullable(text), iteration: v.array(count), thrown: v.optional(Value) });
const base = { n: count, runId: text, at: count };
const Tracing = v.picklist(['observed', 'wrapped', 'bare']);
const Event = v.variant('kind', [
  v.object({ ...base, kind: v.literal('run-started'), tracing: Tracing, payload: Value, context: Value, startedAt: count }),
  v.object({ ...base, kind: v.literal('step-started'), step: count, parent: v.nullable(count), path: v.nullable(text), iteration: v.array(count), stepKind: v.picklist(['function', 'loop', 'if']), name: text, settings: Value, changes: v.optional(Changes) }),
  v.object({
    ...base, kind: v.literal('step-ended'), step: count, state: v.picklist(['completed', 'skipped', 'failed', 'stopped']), value: v.optional(Value), error: v.optional(Failure),
    iterations: v.optional(count), branch: v.optional(v.nullable(v.union([count, v.literal('else')]))), changes: Changes, shallow: v.optional(v.boolean()),
  }),
  v.object({ ...base, kind: v.literal('console'), step: v.nullable(count), level: v.picklist(['log', 'info', 'warn', 'error', 'debug']), args: v.array(Value) }),
  v.object({ ...base, kind: v.literal('request-started'), step: v.nullable(count), request: count, method: text, url: text }),
  v.object({ ...base, kind: v.literal('request-ended'), request: count, status: v.nullable(count), bytes: v.nullable(count), error: v.optional(text) }),
  v.object({ ...base, kind: v.literal('run-ended'), state: v.picklist(['completed', 'failed', 'stopped']), result: v.optional(Value), resultBytes: v.optional(v.nullable(count)), error: v.optional(Failure), milliseconds: count, goesOn: v.optional(v.boolean()) }),
]);
const Record = v.object({
  id: v.pipe(text, v.nonEmpty(), v.maxLength(200)), subject: text, title: text, number: count, payload: text, startedAt: count, state: v.picklist(['completed', 'failed', 'stopped', 'interrupted', 'running']),
  milliseconds: count, tracing: Tracing, error: v.nullable(text), size: count, cut: v.boolean(),
});
const File = v.object({ format: v.literal(RUN_FILE_FORMAT), version: v.literal(VERSION), runs: v.array(v.object({ record: Record, events: v.array(Event) })) });

/** Reads such a file. `FILE_NOT_JSON`, `FILE_NOT_RUNS`. Handles into a page are left out: that page is gone. */
export function readRunFile(content: string): Result<FileRun[]> {
  let data: unknown;
  try {
    data = JSON.parse(content);
  } catch {
    return { ok: false, error: { code: 'FILE_NOT_JSON', message: 'The file is not JSON.', next: 'Choose a file that this panel exported.' } };
  }
  const parsed = v.safeParse(File, data);
  if (parsed.success) return { ok: true, value: parsed.output.runs };
  const [issue] = parsed.issues;
  const where = issue.path?.map((part) => String(part.key)).join('.') ?? 'the top';
  return { ok: false, error: { code: 'FILE_NOT_RUNS', message: `The file holds no runs that can be read: ${issue.message} at ${where}.`, next: 'Choose a file that this panel exported, of the same version.' } };
}
