/** Finds out which events of a gap neither version has handled. Pure: it only judges what was read. */
import type { LogRecord } from '../../platform-api/log.ts';
import { isRecord } from '../../shared/objects.ts';
import { timesBetween } from './schedule.ts';
import type { Firing, Gap, Handed, Journal } from './types.ts';

/** How long a run can take until it’s logged: the limit of 120 s, and a wait in the queue. In milliseconds. */
export const RUN_WAIT = 150_000;
const MINUTE = 60_000;

/**
 * `handled`: a version ran it. `given`: it was given to a version by hand. `pending`: a version might still be running
 * it. `missed`: neither version ran it. `unsure`: the log doesn’t say.
 */
export type Verdict = 'handled' | 'given' | 'pending' | 'missed' | 'unsure';

export interface GapItem {
  /** `log:<id>` or `due:<ISO time>`. */
  key: string;
  /** A scheduled time has no record. */
  record: LogRecord | null;
  /** Milliseconds since 1970. */
  at: number;
  verdict: Verdict;
}

export interface GapFacts {
  gap: Gap;
  firing: Firing;
  handed: readonly Handed[];
  /** Records that match one of the log triggers, after `gap.afterId`. */
  events: readonly LogRecord[];
  /** Records of runs of both versions, after `gap.afterId`. */
  runs: readonly LogRecord[];
  namesEvents: boolean;
  /** By the platform’s clock. */
  platformNow: number;
  /** By this computer’s clock. */
  now: number;
}

/** What records say about the events that their runs handled. */
interface Evidence {
  logIds: ReadonlySet<number>;
  dueTimes: ReadonlySet<number>;
  /** Whether a run that wasn’t called names no event, so that it could be of any. */
  hasUnnamed: boolean;
}

export function judgeGap(facts: GapFacts): GapItem[] {
  const { gap, events, firing, platformNow } = facts;
  const evidence = evidenceOf(facts.runs);
  const inGap = events.filter(({ id }) => id > gap.afterId && (gap.toId === null || id <= gap.toId));
  const ofLog = inGap.map((record): GapItem => {
    const isHandled = evidence.logIds.has(record.id);
    return item(facts, `log:${record.id}`, record, Date.parse(record.createdAt), isHandled, evidence);
  });
  // A run that was due right before the version was taken off might not have been queued anymore.
  const dues = timesBetween(firing, gap.from - MINUTE, gap.to ?? platformNow);
  const ofSchedule = dues.map((at): GapItem => {
    const isHandled = evidence.dueTimes.has(at);
    return item(facts, `due:${new Date(at).toISOString()}`, null, at, isHandled, evidence);
  });
  return [...ofSchedule, ...ofLog].sort((a, b) => a.at - b.at);
}

function item(
  facts: GapFacts,
  key: string,
  record: LogRecord | null,
  at: number,
  isHandled: boolean,
  evidence: Evidence,
): GapItem {
  return { key, record, at, verdict: isHandled ? 'handled' : verdictOn(facts, key, evidence) };
}

function verdictOn({ gap, handed, namesEvents, now }: GapFacts, key: string, { hasUnnamed }: Evidence): Verdict {
  const given = handed.find((each) => each.key === key);
  if (given?.state === 'sent') return 'given';
  if (given) return now - given.at < RUN_WAIT ? 'pending' : namesEvents && key.startsWith('log:') ? 'missed' : 'unsure';
  // Runs that were queued before can still start, one after the other, so each of them starts the wait again.
  if (gap.offAt === null || now - Math.max(gap.offAt, gap.lastRunAt ?? 0) < RUN_WAIT) return 'pending';
  return namesEvents && !hasUnnamed ? 'missed' : 'unsure';
}

function evidenceOf(runs: readonly LogRecord[]): Evidence {
  const logIds = new Set<number>();
  const dueTimes = new Set<number>();
  let hasUnnamed = false;
  for (const run of runs) {
    const logId = eventOf(run);
    const { dueAt, mode } = run.data;
    if (logId !== null) logIds.add(logId);
    else if (typeof dueAt === 'string') dueTimes.add(Date.parse(dueAt));
    else if (mode === 'scheduled') hasUnnamed = true;
  }
  return { logIds, dueTimes, hasUnnamed };
}

/** The ID of the log record that a run handled: as the platform says, or in its logged payload. */
function eventOf({ data }: LogRecord): number | null {
  if (typeof data['logId'] === 'number') return data['logId'];
  const { payload } = data;
  if (!isRecord(payload) || payload['trigger'] !== 'log' || !isRecord(payload['log'])) return null;
  const { id } = payload['log'];
  return typeof id === 'number' ? id : null;
}

/** The payload with which a version handles an event by hand, as its trigger would have given it. */
export const payloadOf = ({ record }: GapItem, to: 'v2' | 'v3'): Record<string, unknown> =>
  record ? { trigger: 'log', log: record } : to === 'v2' ? { trigger: 'schedule' } : {};

/** Which of the versions events are given to: the one that’s live. Null if neither is. */
export const receiverOf = ({ v2Live, v3Live }: Pick<Journal, 'v2Live' | 'v3Live'>): 'v2' | 'v3' | null =>
  v3Live === 'full' ? 'v3' : v2Live === 'on' ? 'v2' : null;
