/** Owns the check of all that a page says: what comes out has the contract's shape, whatever went in. */
import type { ErrorValue } from '../../../platform-api/index.ts';
import {
  checked,
  count,
  errorValue,
  type Fields,
  fields,
  flag,
  list,
  MOST_NONSENSE,
  Nonsense,
  number,
  one,
  optional,
  orNull,
  text,
} from '../bounded-reader.ts';
import type { AgentEvent, AgentReading, Change, PageState, RemoteError, RemoteValue } from '../contract.ts';

/** Levels of a description, and of a place in the context, that are believed; the agent's own are below. */
const DEEPEST = 60;
/** Values of one description that are believed; the agent's own have a tenth. */
const MOST_VALUES = 20_000;
const STEP_STATES = ['completed', 'skipped', 'failed', 'stopped'] as const;
const STEP_KINDS = ['function', 'loop', 'if'] as const;
const TRACINGS = ['observed', 'wrapped', 'bare'] as const;
const PLATFORMS = ['absent', 'not-an-object', 'throws', 'no-pipeline', 'ready'] as const;
const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;
const RUN_STATES = ['completed', 'failed', 'stopped'] as const;

/** The answer as a `PageState`, or null when it makes no sense. So do the others. */
export const parseState = (value: unknown): PageState | null => checked(() => state(fields(value)));
export const parseReading = (
  value: unknown,
): ((Omit<AgentReading, 'events'> & { nonsense: number }) & { events: AgentEvent[] }) | null =>
  checked(() => reading(fields(value)));
export const parseRemoteValue = (value: unknown): RemoteValue | null => checked(() => topLevel(value));
export const parseStart = (
  value: unknown,
): { ok: true; events: AgentEvent[] } | { ok: false; error: ErrorValue } | null =>
  checked(() =>
    fields(value).ok === true
      ? { ok: true, events: list(fields(value).events).map((event) => agentEvent(fields(event))) }
      : { ok: false, error: errorValue(fields(value).error) },
  );

function reading(given: Fields): (Omit<AgentReading, 'events'> & { nonsense: number }) & { events: AgentEvent[] } {
  const events: AgentEvent[] = [];
  let nonsense = 0;
  for (const item of list(given.events)) {
    const event = checked(() => agentEvent(fields(item)));
    if (event) events.push(event);
    else if (++nonsense > MOST_NONSENSE) throw new Nonsense();
  }
  return {
    documentId: text(given.documentId),
    events,
    nonsense,
    last: count(given.last),
    dropped: count(given.dropped),
    look: text(given.look),
  };
}

function state(given: Fields): PageState {
  const env = given.env === null ? null : fields(given.env);
  const pipeline = fields(given.pipeline);
  const run = given.run === null ? null : fields(given.run);
  return {
    protocol: count(given.protocol),
    documentId: text(given.documentId),
    url: text(given.url),
    ready: flag(given.ready),
    platform: one(PLATFORMS, given.platform),
    platformDetail: optional(text, given.platformDetail),
    tracing: one(TRACINGS, given.tracing),
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
    run: run && { id: text(run.id), startedAt: number(run.startedAt) },
    last: count(given.last),
    look: optional(text, given.look),
  };
}

function agentEvent(e: Fields): AgentEvent {
  const base = { n: count(e.n), runId: text(e.runId), at: number(e.at) };
  switch (e.kind) {
    case 'run-started':
      return {
        ...base,
        kind: e.kind,
        tracing: one(TRACINGS, e.tracing),
        payload: topLevel(e.payload),
        context: topLevel(e.context),
        startedAt: number(e.startedAt),
      };
    case 'step-started':
      return {
        ...base,
        kind: e.kind,
        step: count(e.step),
        parent: orNull(count, e.parent),
        path: orNull(text, e.path),
        iteration: list(e.iteration).map(number),
        stepKind: one(STEP_KINDS, e.stepKind),
        name: text(e.name),
        settings: topLevel(e.settings),
        changes: optional(changeList, e.changes),
      };
    case 'step-ended':
      return {
        ...base,
        kind: e.kind,
        step: count(e.step),
        state: one(STEP_STATES, e.state),
        value: optional(topLevel, e.value),
        error: optional(remoteError, e.error),
        iterations: optional(count, e.iterations),
        branch: e.branch === null || e.branch === 'else' ? e.branch : optional(count, e.branch),
        changes: changeList(e.changes),
        shallow: optional(flag, e.shallow),
      };
    case 'console':
      return {
        ...base,
        kind: e.kind,
        step: orNull(count, e.step),
        level: one(LEVELS, e.level),
        args: list(e.args).map(topLevel),
      };
    case 'request-started':
      return {
        ...base,
        kind: e.kind,
        step: orNull(count, e.step),
        request: count(e.request),
        method: text(e.method),
        url: text(e.url),
      };
    case 'request-ended':
      return {
        ...base,
        kind: e.kind,
        request: count(e.request),
        status: orNull(count, e.status),
        bytes: orNull(count, e.bytes),
        error: optional(text, e.error),
      };
    case 'run-ended':
      return {
        ...base,
        kind: e.kind,
        state: one(RUN_STATES, e.state),
        milliseconds: number(e.milliseconds),
        result: optional(topLevel, e.result),
        resultBytes: e.resultBytes === null ? null : optional(count, e.resultBytes),
        error: optional(remoteError, e.error),
        resultText: optional(count, e.resultText),
        goesOn: optional(flag, e.goesOn),
      };
    default:
      throw new Nonsense();
  }
}

const topLevel = (value: unknown): RemoteValue => remote(value, 0, { values: MOST_VALUES });

function remote(value: unknown, depth: number, left: { values: number }): RemoteValue {
  if (depth > DEEPEST || left.values-- === 0) throw new Nonsense();
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
    case 'bigint':
    case 'symbol':
    case 'function':
    case 'node':
    case 'date':
    case 'regexp':
      return { t: v.t, v: text(v.v) };
    case 'error':
      return { t: v.t, name: text(v.name), message: text(v.message), stack: text(v.stack) };
    case 'array':
      return {
        t: v.t,
        length: count(v.length),
        items: list(v.items).map((item) => remote(item, depth + 1, left)),
        handle: optional(count, v.handle),
      };
    case 'object':
      return {
        t: v.t,
        name: optional(text, v.name),
        size: count(v.size),
        handle: optional(count, v.handle),
        entries: list(v.entries).map((entry) => [text(list(entry)[0]), remote(list(entry)[1], depth + 1, left)]),
      };
    case 'cycle':
      return { t: v.t, up: count(v.up) };
    case 'unreadable':
      return { t: v.t, message: text(v.message) };
    default:
      throw new Nonsense();
  }
}

function changeList(value: unknown): Change[] {
  return list(value).map((item) => {
    const change = fields(item);
    return {
      path: place(change.path),
      before: optional(topLevel, change.before),
      after: optional(topLevel, change.after),
    };
  });
}

/** A JSON Pointer; one after the other, deeper ones would build what no stack can go through. */
function place(value: unknown): string {
  const path = text(value);
  if (path.split('/', DEEPEST + 2).length > DEEPEST + 1) throw new Nonsense();
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
    thrown: optional(topLevel, e.thrown),
  };
}
