/** Owns the next runs of a schedule in its zone, with what daylight saving does to them. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { frequencyProblem, timezoneProblem } from '../../../lib/platform-api/cron.ts';
import { nextRuns, type ScheduledTime } from '../../../lib/platform-api/cron-times.ts';
import { describeFrequency } from '../../../lib/extension/panel/actions/edit/describe-frequency.ts';
import { relativeTime, timeInZone } from '../../../lib/extension/panel/actions/times.ts';
import { Badge } from '../../ui/index.ts';
import { usePlatformNow } from './use-platform-now.ts';
import './next-runs.css';

const COUNT = 5;
const LOOK_AGAIN = 30_000;

/** What daylight saving does to a run, in short and in full. */
function wordsOf({ at, flag }: ScheduledTime, timezone: string, now: number): { short: string; long: string } | null {
  if (flag === 'repeated')
    return {
      short: 'occurs twice, runs at the first',
      long: 'Daylight saving makes the local time occur twice on that day.',
    };
  if (flag === 'skipped')
    return {
      short: `skipped by DST, runs at ${timeInZone(at.getTime(), timezone, now).slice(-5)}`,
      long: 'Daylight saving skips the local time on that day: it runs at the first moment after the gap.',
    };
  return null;
}

/** @param frequency five cron fields @param timezone full name of a zone */
export function NextRuns({ frequency, timezone }: { frequency: string; timezone: string }): JSX.Element {
  const now = usePlatformNow(LOOK_AGAIN);
  const runs = useMemo(() => nextRuns(frequency, timezone, new Date(now), COUNT), [frequency, timezone, now]);
  const problem = frequencyProblem(frequency) ?? timezoneProblem(timezone);
  if (problem !== null)
    return (
      <p class="next-runs muted" data-next-runs="">
        {problem}
      </p>
    );
  return (
    <div class="next-runs" data-next-runs={runs.length}>
      <p>
        {describeFrequency(frequency)}, {timezone}
      </p>
      <ol aria-label={`Next ${runs.length} runs`}>
        {runs.map((run) => (
          <Run key={run.at.getTime()} run={run} timezone={timezone} now={now} />
        ))}
      </ol>
    </div>
  );
}

function Run({ run, timezone, now }: { run: ScheduledTime; timezone: string; now: number }): JSX.Element {
  const { at, flag } = run;
  const words = wordsOf(run, timezone, now);
  return (
    <li data-flag={flag ?? undefined}>
      <time dateTime={at.toISOString()} title={`${at.toISOString()} in UTC`}>
        {timeInZone(at.getTime(), timezone, now)}
      </time>
      <span class="muted">{relativeTime(at.getTime(), now)}</span>
      {words ? (
        <span title={words.long}>
          <Badge tone="warning">{words.short}</Badge>
          <span class="visually-hidden"> {words.long}</span>
        </span>
      ) : null}
    </li>
  );
}
