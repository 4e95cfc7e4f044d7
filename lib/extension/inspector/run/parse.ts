/** Parses data from the agent's run part. The result always matches the contract, no matter what the page sent. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { EventBatch, PageStatus } from '../agent-protocol.ts';
import {
  count,
  errorValue,
  type Fields,
  fields,
  flag,
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
import type { AgentEvent, Evaluated, PageState, RemoteValue } from '../contract.ts';
import { agentEvent, createEventReader, time, TRACING } from './read-events.ts';
import { describedValue } from './read-value.ts';

const PLATFORMS = ['absent', 'not-an-object', 'throws', 'no-pipeline', 'ready'] as const;

/** Null if the data is invalid, as for all functions in this file. */
export const parseState = (value: unknown): PageState | null => readOrNull(() => state(fields(value)));

export const parseBatch = (value: unknown): (EventBatch<AgentEvent> & { invalid: number }) | null =>
  readOrNull(() => {
    const given = fields(value);
    const batch = readBatch(given, createEventReader(optional(text, given.runId) ?? ''));
    return { ...batch, ahead: optional((event) => agentEvent(fields(event)), given.ahead) };
  });

/** Null if the page's status is invalid. */
export const parseStatus = (value: unknown): PageStatus | null =>
  readOrNull(() => {
    const { now, isHeld, pausedStack } = fields(value);
    return { now: time(now), isHeld: flag(isHeld), pausedStack: text(pausedStack) };
  });

/** Parses a run's stored or exported events. */
export const parseEvents = (value: unknown, runId: string): { events: AgentEvent[]; invalid: number } | null =>
  readOrNull(() => readEvents(value, createEventReader(runId)));

export const parseRemoteValue = (value: unknown): RemoteValue | null => readOrNull(() => describedValue(value));

export const parseStart = (
  value: unknown,
): { ok: true; events: AgentEvent[] } | { ok: false; error: ErrorValue } | null =>
  readOrNull(() =>
    readOutcome(value, ({ events }) => ({ events: list(events).map((event) => agentEvent(fields(event))) })),
  );

export const parseFlag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

export const parseFlagResult = (value: unknown): Result<boolean> | null =>
  readOrNull(() => readOutcome(value, (given) => ({ value: flag(given.value) })));

export const parseDone = (value: unknown): Result<null> | null =>
  readOrNull(() => readOutcome(value, () => ({ value: null })));

/** The handle of a long text; null if the page has none. */
export const parseHandle = (value: unknown): { handle: number | null } | null =>
  readOrNull(() => ({ handle: value === null ? null : count(fields(value).handle) }));

/** The values of expressions; null if the pause has ended. */
export const parseEvaluated = (value: unknown): { values: Evaluated[] | null } | null =>
  readOrNull(() => ({ values: orNull(list, value)?.map(evaluated) ?? null }));

function evaluated(given: unknown): Evaluated {
  const { value, error } = fields(given);
  return error === undefined ? { value: describedValue(value) } : { error: text(error) };
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
    navigation: optional((value) => {
      const { status, isFromServiceWorker } = fields(value);
      return { status: count(status), isFromServiceWorker: flag(isFromServiceWorker) };
    }, given.navigation),
    loadedUrl: optional(text, given.loadedUrl),
    isSandboxed: optional(flag, given.isSandboxed),
    frames: optional((value) => {
      const { withNamespace, unchecked } = fields(value);
      return { withNamespace: orNull(text, withNamespace), unchecked: count(unchecked) };
    }, given.frames),
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
    hasActions: optional(flag, given.hasActions),
    canTraceAfterReload: optional(flag, given.canTraceAfterReload),
    run: run && { id: text(run.id), startedAt: time(run.startedAt) },
    lastSeq: count(given.lastSeq),
    fingerprint: text(given.fingerprint),
  };
}
