/** Parses data from the agent's run part. The result always matches the contract, no matter what the page sent. */
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { EventBatch } from '../agent-protocol.ts';
import {
  count,
  errorValue,
  type Fields,
  fields,
  flag,
  InvalidData,
  list,
  number,
  oneOf,
  optional,
  orNull,
  readBatch,
  readEvents,
  readOrNull,
  readOutcome,
  text,
} from '../bounded-reader.ts';
import type { AgentEvent, AgentEventBody, Change, PageState, RemoteError, RemoteValue } from '../contract.ts';

/** Maximum depth of a value, and of a path in the context. The agent itself never sends anything deeper. */
const MAX_DEPTH = 60;
/** Maximum number of nested values in one value. The agent itself sends at most a tenth of this. */
const MAX_VALUES = 20_000;
const MAX_TIME = 8.64e15 - 24 * 60 * 60 * 1000;
const STEP_STATES = ['completed', 'skipped', 'failed', 'stopped'] as const;
const STEP_KINDS = ['function', 'loop', 'if'] as const;
const TRACING = ['observed', 'wrapped', 'bare'] as const;
const PLATFORMS = ['absent', 'not-an-object', 'throws', 'no-pipeline', 'ready'] as const;
const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;
/** Types of values that are described as text. */
const TEXT_TYPES = ['bigint', 'symbol', 'function', 'node', 'date', 'regexp'] as const;
const RUN_STATES = ['completed', 'failed', 'stopped'] as const;

/** Null if the data is invalid, as for all functions in this file. */
export const parseState = (value: unknown): PageState | null => readOrNull(() => state(fields(value)));

export const parseBatch = (value: unknown): (EventBatch<AgentEvent> & { invalid: number }) | null =>
  readOrNull(() => readBatch(fields(value), agentEvent));

/** Parses stored or exported events. */
export const parseEvents = (value: unknown): { events: AgentEvent[]; invalid: number } | null =>
  readOrNull(() => readEvents(value, agentEvent));

export const parseRemoteValue = (value: unknown): RemoteValue | null => readOrNull(() => remoteValue(value));

export const parseStart = (
  value: unknown,
): { ok: true; events: AgentEvent[] } | { ok: false; error: ErrorValue } | null =>
  readOrNull(() =>
    readOutcome(value, ({ events }) => ({ events: list(events).map((event) => agentEvent(fields(event))) })),
  );

function state(given: Fields): PageState {
  const env = given.env === null ? null : fields(given.env);
  const pipeline = fields(given.pipeline);
  const run = given.run === null ? null : fields(given.run);
  return {
    protocol: count(given.protocol),
    documentId: text(given.documentId),
    url: text(given.url),
    ready: flag(given.ready),
    platform: oneOf(PLATFORMS, given.platform),
    platformDetail: optional(text, given.platformDetail),
    tracing: oneOf(TRACING, given.tracing),
    env: env && {
      appId: orNull(number, env.appId),
      taskId: orNull(number, env.taskId),
      organizationId: orNull(number, env.organizationId),
      mode: orNull(text, env.mode),
    },
    pipeline:
      pipeline.ok === true
        ? { ok: true, steps: count(pipeline.steps), handle: count(pipeline.handle), bytes: count(pipeline.bytes) }
        : { ok: false, error: errorValue(pipeline.error) },
    functions: list(given.functions).map((item) => ({
      name: text(fields(item).name),
      url: orNull(text, fields(item).url),
    })),
    canTraceAfterReload: optional(flag, given.canTraceAfterReload),
    run: run && { id: text(run.id), startedAt: time(run.startedAt) },
    lastSeq: count(given.lastSeq),
    fingerprint: text(given.fingerprint),
  };
}

type BodyOf<K> = Omit<Extract<AgentEventBody, { kind: K }>, 'kind'>;

const EVENT_READERS: { [K in AgentEvent['kind']]: (e: Fields) => BodyOf<K> } = {
  'run-started': (e) => ({
    tracing: oneOf(TRACING, e.tracing),
    payload: remoteValue(e.payload),
    context: remoteValue(e.context),
    startedAt: time(e.startedAt),
  }),
  'step-started': (e) => ({
    step: count(e.step),
    parent: orNull(count, e.parent),
    path: orNull(text, e.path),
    iteration: list(e.iteration).map(number),
    stepKind: oneOf(STEP_KINDS, e.stepKind),
    name: text(e.name),
    settings: remoteValue(e.settings),
    changes: optional(changeList, e.changes),
  }),
  'step-ended': (e) => ({
    step: count(e.step),
    state: oneOf(STEP_STATES, e.state),
    value: optional(remoteValue, e.value),
    error: optional(remoteError, e.error),
    iterations: optional(count, e.iterations),
    branch: e.branch === null || e.branch === 'else' ? e.branch : optional(count, e.branch),
    changes: changeList(e.changes),
    shallow: optional(flag, e.shallow),
  }),
  console: (e) => ({
    step: orNull(count, e.step),
    level: oneOf(LEVELS, e.level),
    args: list(e.args).map(remoteValue),
  }),
  'request-started': (e) => ({
    step: orNull(count, e.step),
    request: count(e.request),
    method: text(e.method),
    url: text(e.url),
  }),
  'request-ended': (e) => ({
    request: count(e.request),
    status: orNull(count, e.status),
    bytes: orNull(count, e.bytes),
    error: optional(text, e.error),
  }),
  'run-ended': (e) => ({
    state: oneOf(RUN_STATES, e.state),
    milliseconds: number(e.milliseconds),
    result: optional(remoteValue, e.result),
    resultBytes: e.resultBytes === null ? null : optional(count, e.resultBytes),
    error: optional(remoteError, e.error),
    resultText: optional(count, e.resultText),
    goesOn: optional(flag, e.goesOn),
  }),
};
const EVENT_KINDS = Object.keys(EVENT_READERS) as AgentEvent['kind'][];

function agentEvent(e: Fields): AgentEvent {
  const kind = oneOf(EVENT_KINDS, e.kind);
  const base = { n: count(e.n), runId: text(e.runId), at: number(e.at), kind };
  return { ...base, ...EVENT_READERS[kind](e) } as AgentEvent;
}

const remoteValue = (value: unknown): RemoteValue => readValue(value, 0, { values: MAX_VALUES });

function readValue(value: unknown, depth: number, left: { values: number }): RemoteValue {
  if (depth > MAX_DEPTH || left.values-- === 0) throw new InvalidData();
  const v = fields(value);
  switch (v.t) {
    case 'undefined':
    case 'null':
      return { t: v.t };
    case 'boolean':
      return { t: v.t, v: flag(v.v) };
    case 'number':
      return { t: v.t, v: typeof v.v === 'string' ? v.v : number(v.v) };
    case 'string':
      return { t: v.t, v: text(v.v), length: count(v.length), handle: optional(count, v.handle) };
    case 'error':
      return { t: v.t, name: text(v.name), message: text(v.message), stack: text(v.stack) };
    case 'array':
      return {
        t: v.t,
        length: count(v.length),
        items: list(v.items).map((item) => readValue(item, depth + 1, left)),
        handle: optional(count, v.handle),
      };
    case 'object':
      return {
        t: v.t,
        name: optional(text, v.name),
        size: count(v.size),
        handle: optional(count, v.handle),
        entries: list(v.entries).map((entry) => [text(list(entry)[0]), readValue(list(entry)[1], depth + 1, left)]),
      };
    case 'cycle':
      return { t: v.t, up: count(v.up) };
    case 'unreadable':
      return { t: v.t, message: text(v.message) };
    default:
      return { t: oneOf(TEXT_TYPES, v.t), v: text(v.v) };
  }
}

function changeList(value: unknown): Change[] {
  return list(value).map((item) => {
    const change = fields(item);
    return {
      path: changePath(change.path),
      before: optional(remoteValue, change.before),
      after: optional(remoteValue, change.after),
    };
  });
}

/** Epoch milliseconds, limited to times that `Date` can represent in every time zone. */
function time(value: unknown): number {
  return Math.min(Math.max(number(value), -MAX_TIME), MAX_TIME);
}

/**
 * A JSON Pointer. Without a depth limit, applying one change after another could nest a value until the stack
 * overflows.
 */
function changePath(value: unknown): string {
  const path = text(value);
  if (path.split('/', MAX_DEPTH + 2).length > MAX_DEPTH + 1) throw new InvalidData();
  return path;
}

function remoteError(value: unknown): RemoteError {
  const e = fields(value);
  return {
    code: orNull(text, e.code),
    errorType: text(e.errorType),
    errorMessage: text(e.errorMessage),
    trace: list(e.trace).map(text),
    path: orNull(text, e.path),
    iteration: list(e.iteration).map(number),
    thrown: optional(remoteValue, e.thrown),
  };
}
