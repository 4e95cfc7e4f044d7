/** Shows and moves the platform's virtual clock. Renders nothing if the platform has none. */
import type { JSX } from 'preact';
import type { Action } from '../../../lib/platform-api/action.ts';
import type { PlatformClock } from '../../../lib/extension/panel/actions/platform-clock.ts';
import { isoTime } from '../../../lib/shared/format.ts';
import { Button, DateTime } from '../../ui/index.ts';

const HOUR = 3_600_000;
const STEPS: [label: string, milliseconds: number][] = [
  ['+1 hour', HOUR],
  ['+1 day', 24 * HOUR],
  ['+1 week', 7 * 24 * HOUR],
];

/** @param actions actions whose next runs are offered as targets */
export function ClockBar({ clock, actions }: { clock: PlatformClock; actions: readonly Action[] }): JSX.Element | null {
  const now = clock.virtual.value;
  if (now === null) return null;
  const next = Math.min(
    ...actions.flatMap(({ nextRunAt }) => (nextRunAt ? [Date.parse(nextRunAt)] : [])).filter((at) => at > now),
  );
  const busy = clock.moving.value ? 'Wait for the clock to finish moving' : null;
  return (
    <div class="clock-bar" role="group" aria-label="Virtual clock" data-clock={isoTime(now)}>
      <span class="muted">Virtual clock</span>
      <span>
        <DateTime at={now} timeZone="UTC" /> UTC
      </span>
      {STEPS.map(([label, by]) => (
        <Button
          key={label}
          kind="quiet"
          title="Move the clock and queue the runs that become due"
          unavailable={busy}
          onClick={() => void clock.moveTo(now + by)}
        >
          {label}
        </Button>
      ))}
      <Button
        kind="quiet"
        title="Move the clock to the next run of this app"
        unavailable={busy ?? (Number.isFinite(next) ? null : 'Publish an action with a schedule')}
        onClick={() => void clock.moveTo(next)}
      >
        Next run
      </Button>
      {busy ? (
        <Button kind="quiet" title="Stop moving the clock" onClick={clock.stop}>
          Stop
        </Button>
      ) : null}
      <span class="muted" role="status">
        {busy ? 'Moving…' : clock.summary.value}
      </span>
    </div>
  );
}
