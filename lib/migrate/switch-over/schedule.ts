/** Says when a switch-over can start without a scheduled run in it, and which scheduled times were in a gap. */
import { nextRuns } from '../../platform-api/cron/times.ts';
import type { Firing } from './types.ts';

const MINUTE = 60_000;
/** More scheduled times than this aren’t listed. */
const MAX_TIMES = 1_000;

/** The cron expression that fires the action; null without one. */
const scheduleOf = ({ triggers, frequency }: Firing): string | null =>
  triggers.some(({ trigger }) => trigger === 'schedule') ? frequency : null;

/** Scheduled times after `from`, up to and including `to`. */
export function timesBetween(firing: Firing, from: number, to: number): number[] {
  const frequency = scheduleOf(firing);
  if (frequency === null) return [];
  return nextRuns(frequency, firing.timezone ?? 'UTC', new Date(from), MAX_TIMES)
    .map(({ at }) => at.getTime())
    .filter((at) => at <= to);
}

/**
 * The first time from `now` on that isn’t within a minute of a scheduled run, or within a quarter of the interval of
 * schedules that run more often. `now` itself without a schedule.
 */
export function safeTime(firing: Firing, now: number): number {
  const frequency = scheduleOf(firing);
  if (frequency === null) return now;
  const near = nextRuns(frequency, firing.timezone ?? 'UTC', new Date(now - MINUTE), 4).map(({ at }) => at.getTime());
  const shortest = Math.min(...near.slice(1).map((at, index) => at - near[index]!));
  const margin = Math.min(MINUTE, shortest / 4);
  let safe = now;
  for (const at of near) if (Math.abs(at - safe) < margin) safe = at + margin;
  return safe;
}
