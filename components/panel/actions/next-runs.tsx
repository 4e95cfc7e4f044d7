/** A schedule's next runs in its time zone, and how daylight saving time affects them. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { frequencyProblem, timezoneProblem } from '../../../lib/platform-api/cron/expression.ts';
import { nextRuns, type ScheduledTime } from '../../../lib/platform-api/cron/times.ts';
import { describeFrequency } from '../../../lib/extension/panel/actions/edit/describe-frequency.ts';
import { formatClock, formatRelativeTime } from '../../../lib/shared/format.ts';
import { Badge, DateTime } from '../../ui/index.ts';
import { usePlatformNow } from '../shared/use-now.ts';
import './next-runs.css';

const COUNT = 5;
const UPDATE_INTERVAL = 30_000;

/** How daylight saving time affects a run. */
function daylightSavingNote({ at, flag }: ScheduledTime, timezone: string): { short: string; long: string } | null {
  if (flag === 'repeated')
    return {
      short: 'occurs twice, runs the first time',
      long: 'Because of daylight saving time, this local time occurs twice that day. The action runs only the first time.',
    };
  if (flag === 'both')
    return {
      short: 'occurs twice, runs each time',
      long: 'Because of daylight saving time, this local time occurs twice that day. The action runs each time.',
    };
  if (flag === 'skipped')
    return {
      short: `skipped by DST, runs at ${formatClock(at.getTime(), { timeZone: timezone })}`,
      long: 'Because of daylight saving time, this local time doesn’t occur that day. The action runs right after the clocks change.',
    };
  return null;
}

/** @param frequency five cron fields @param timezone IANA name */
export function NextRuns({ frequency, timezone }: { frequency: string; timezone: string }): JSX.Element {
  const now = usePlatformNow(UPDATE_INTERVAL);
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
  const note = daylightSavingNote(run, timezone);
  return (
    <li data-flag={flag ?? undefined}>
      <DateTime at={at.getTime()} timeZone={timezone} now={now} />
      <span class="muted">{formatRelativeTime(at.getTime(), now)}</span>
      {note ? (
        <span title={note.long}>
          <Badge tone="warning">{note.short}</Badge>
          <span class="visually-hidden"> {note.long}</span>
        </span>
      ) : null}
    </li>
  );
}
