/** Reads run events, in their full or compact form. */
import type { StepPlace } from '../../../debugging/stepper/types.ts';
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
  text,
} from '../bounded-reader.ts';
import type { AgentEvent, AgentEventBody, RecordedBody, RecordedHeaders, RemoteValue } from '../contract.ts';
import { ENDED, STARTED, STARTED_AND_ENDED, STEP_KINDS, STEP_STATES, type StepKind } from './event-format.ts';
import { changeList, remoteError, remoteValue } from './read-value.ts';

/**
 * Maximum length of a definition as JSON. The agent's are shorter. An exported file has the settings of every step, so
 * that a page could make it grow without bounds.
 */
const MAX_DEFINITION = 100_000;
const MAX_TIME = 8.64e15 - 24 * 60 * 60 * 1000;
const LEVELS = ['log', 'info', 'warn', 'error', 'debug', 'logpoint'] as const;
const PAUSE_REASONS = ['breakpoint', 'step', 'failure', 'request', 'run-to', 'page-left'] as const;
const RUN_STATES = ['completed', 'failed', 'stopped'] as const;
const ENGINES = ['platform', 'ours'] as const;
export const TRACING = ['observed', 'wrapped', 'bare'] as const;

type BodyOf<K> = Omit<Extract<AgentEventBody, { kind: K }>, 'kind'>;

const EVENT_READERS: { [K in AgentEvent['kind']]: (e: Fields) => BodyOf<K> } = {
  'run-started': (e) => ({
    tracing: oneOf(TRACING, e.tracing),
    engine: optional((value) => oneOf(ENGINES, value), e.engine),
    payload: remoteValue(e.payload),
    context: remoteValue(e.context),
    startedAt: time(e.startedAt),
    mocks: optional(count, e.mocks),
    from: optional(place, e.from),
    debuggerError: optional(errorValue, e.debuggerError),
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
    changes: changeList(e.changes),
    ...readRest(e),
  }),
  paused: (e) => ({
    pause: count(e.pause),
    step: count(e.step),
    reason: oneOf(PAUSE_REASONS, e.reason),
    error: optional(remoteError, e.error),
    canRetry: optional(flag, e.canRetry),
  }),
  resumed: (e) => ({ pause: count(e.pause), by: oneOf(['panel', 'absence', 'page-left'] as const, e.by) }),
  'context-edited': contextChange,
  'context-changed': contextChange,
  'step-retried': (e) => ({ step: count(e.step), attempt: count(e.attempt), error: remoteError(e.error) }),
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
    headers: optional(headers, e.headers),
    body: optional(body, e.body),
  }),
  'request-ended': (e) => ({
    request: count(e.request),
    status: orNull(count, e.status),
    bytes: orNull(count, e.bytes),
    error: optional(text, e.error),
    headers: optional(headers, e.headers),
    body: optional(body, e.body),
  }),
  'run-ended': (e) => ({
    state: oneOf(RUN_STATES, e.state),
    milliseconds: number(e.milliseconds),
    tracingMilliseconds: optional(number, e.tracingMilliseconds),
    result: optional(remoteValue, e.result),
    resultBytes: e.resultBytes === null ? null : optional(count, e.resultBytes),
    error: optional(remoteError, e.error),
    resultText: optional(count, e.resultText),
    goesOn: optional(flag, e.goesOn),
    stoppedBy: optional((value) => oneOf(['page-left'] as const, value), e.stoppedBy),
  }),
};

function contextChange(e: Fields): BodyOf<'context-edited'> {
  return { step: count(e.step), attempt: optional(count, e.attempt), changes: changeList(e.changes) };
}

function place(given: unknown): StepPlace {
  const { path, iteration } = fields(given);
  return { path: text(path), ...(iteration !== undefined && { iteration: list(iteration).map(number) }) };
}

/** The agent sends fewer. */
const MAX_HEADERS = 100;
const BODY_CUTS = ['length', 'total', 'time', 'stream', 'binary'] as const;

const headers = (given: unknown): RecordedHeaders =>
  list(given)
    .slice(0, MAX_HEADERS)
    .map((pair) => [text(list(pair)[0]), text(list(pair)[1])]);

function body(given: unknown): RecordedBody {
  const { text: content, cut } = fields(given);
  return cut === undefined ? { text: text(content) } : { text: text(content), cut: oneOf(BODY_CUTS, cut) };
}

const EVENT_KINDS = Object.keys(EVENT_READERS) as AgentEvent['kind'][];

/** An event as an object. Steps have this form in runs that earlier versions stored, and in exported files. */
export function agentEvent(e: Fields): AgentEvent {
  const kind = oneOf(EVENT_KINDS, e.kind);
  const base = { n: count(e.n), runId: text(e.runId), at: number(e.at), kind };
  return { ...base, ...EVENT_READERS[kind](e) } as AgentEvent;
}

interface Definition {
  path: string | null;
  stepKind: StepKind;
  name: string;
  settings: RemoteValue;
}
type Started = Extract<AgentEvent, { kind: 'step-started' }>;
type Ended = Extract<AgentEvent, { kind: 'step-ended' }>;

/**
 * Returns a function that adds the events that an item of a list reports. Steps can refer to definitions in earlier
 * items.
 * @param runId the run of steps before the first event that is an object
 */
export function createEventReader(runId: string): (item: unknown, events: AgentEvent[]) => void {
  const definitions = new Map<number, Definition>();
  let run = runId;

  function definitionOf(given: unknown): Definition {
    if (!Array.isArray(given)) return definitions.get(count(given)) ?? invalid();
    const [id, path, kind, name, settings] = given as unknown[];
    if (JSON.stringify(given).length > MAX_DEFINITION) throw new InvalidData();
    const stepKind = STEP_KINDS[count(kind)] ?? invalid();
    const definition = {
      path: orNull(text, path),
      stepKind,
      name: text(name),
      settings: remoteValue(settings),
    };
    if (count(id) > 0) definitions.set(id as number, definition);
    return definition;
  }

  function started(item: readonly unknown[]): Started {
    const { path, stepKind, name, settings } = definitionOf(item[5]);
    return {
      n: count(item[1]),
      runId: run,
      at: milliseconds(item[3]),
      kind: 'step-started',
      step: count(item[2]),
      parent: count(item[4]) || null,
      path,
      iteration: list(item[6]).map(number),
      stepKind,
      name,
      settings,
      changes: changeList(item[7]),
    };
  }

  /** @param from the index of the state */
  function ended(item: readonly unknown[], n: number, at: unknown, from: number): Ended {
    const rest = item[from + 2] === undefined ? undefined : fields(item[from + 2]);
    return {
      n,
      runId: run,
      at: milliseconds(at),
      kind: 'step-ended',
      step: count(item[2]),
      state: STEP_STATES[count(item[from])] ?? invalid(),
      changes: changeList(item[from + 1]),
      ...(rest && readRest(rest)),
    };
  }

  return (item, events) => {
    if (!Array.isArray(item)) {
      const event = agentEvent(fields(item));
      run = event.runId;
      events.push(event);
    } else if (item[0] === STARTED) events.push(started(item));
    else if (item[0] === ENDED) events.push(ended(item, count(item[1]), item[3], 4));
    else if (item[0] === STARTED_AND_ENDED) events.push(started(item), ended(item, count(item[1]) + 1, item[8], 9));
    else throw new InvalidData();
  };
}

function readRest(e: Fields): Partial<Ended> {
  return {
    value: optional(remoteValue, e.value),
    error: optional(remoteError, e.error),
    iterations: optional(count, e.iterations),
    branch: e.branch === null || e.branch === 'else' ? e.branch : optional(count, e.branch),
    replaced: optional(text, e.replaced),
    shallow: optional(flag, e.shallow),
  };
}

/** From microseconds. */
const milliseconds = (value: unknown): number => number(value) / 1_000;

function invalid(): never {
  throw new InvalidData();
}

/** Epoch milliseconds, limited to times that `Date` can represent in every time zone. */
export function time(value: unknown): number {
  return Math.min(Math.max(number(value), -MAX_TIME), MAX_TIME);
}
