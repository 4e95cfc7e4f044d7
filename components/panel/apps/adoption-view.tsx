/** Tracks a version's adoption: how many users have it, the curve, and the next check. */
import type { JSX } from 'preact';
import type { Adoption } from '../../../lib/extension/panel/apps/adoption.ts';
import type { AppPage } from '../../../lib/extension/panel/apps/app-page.ts';
import type { AdoptionPoint } from '../../../lib/extension/panel/apps/types.ts';
import { formatCount, formatTime, plural } from '../../../lib/shared/format.ts';
import { Alert, Badge, Button } from '../../ui/index.ts';
import { useNow } from '../shared/use-now.ts';
import { styleOf } from './charts/series-style.ts';
import { TimeChart } from './charts/time-chart.tsx';
import { percentText } from './charts/summaries.ts';

export interface AdoptionViewProps {
  page: AppPage;
  latest: number | null;
}

/** @param latest the version to track; null if unknown */
export function AdoptionView({ page: { adoption, isOnline, sessions }, latest }: AdoptionViewProps): JSX.Element {
  const version = adoption.version.value;
  return (
    <section class="part adoption" aria-label="Adoption" data-adoption={adoption.state.value}>
      <h3>Adoption{version === null ? '' : ` of version ${version}`}</h3>
      {version === null ? (
        <>
          <p class="muted">Watch how many users have a version. The chart updates while this page is visible.</p>
          <Button
            unavailable={latest === null ? 'Publish the app first' : null}
            onClick={() => latest !== null && adoption.watch(latest)}
          >
            {latest === null ? 'Watch' : `Watch version ${latest}`}
          </Button>
        </>
      ) : (
        <Watched
          adoption={adoption}
          isOnline={isOnline.value}
          version={version}
          latest={latest}
          unread={sessions.unreadable.value.length}
        />
      )}
    </section>
  );
}

interface WatchedProps {
  adoption: Adoption;
  isOnline: boolean;
  version: number;
  latest: number | null;
  /** How many sessions couldn't be read, whose users aren't counted. */
  unread: number;
}

function Watched({ adoption, isOnline, version, latest, unread }: WatchedProps): JSX.Element {
  const points = adoption.points.value;
  const point = points.at(-1);
  const error = adoption.error.value;
  const state = adoption.state.value;
  return (
    <>
      <p class="adopted" role="status" data-adopted={point?.on}>
        {point ? adoptionText(point, version) : 'Loading users…'}
        {unread > 0
          ? ` ${plural(unread, 'session')} that couldn’t be read ${unread === 1 ? 'isn’t' : 'aren’t'} counted.`
          : ''}
      </p>
      {point ? (
        <progress value={point.on} max={Math.max(1, point.users)} aria-label={`Users with version ${version}`} />
      ) : null}
      {error ? <Alert error={error} /> : null}
      <div class="buttons">
        <State adoption={adoption} isOnline={isOnline} />
        <Button
          kind="quiet"
          unavailable={adoption.checking.value ? 'Wait for the check to finish' : null}
          onClick={() => void adoption.check()}
        >
          Check now
        </Button>
        {state === 'watching' ? (
          <Button kind="quiet" onClick={adoption.pause}>
            Pause
          </Button>
        ) : null}
        {state === 'paused' ? (
          <Button kind="quiet" onClick={adoption.resume}>
            Resume
          </Button>
        ) : null}
        {latest !== null && latest > version ? (
          <Button kind="quiet" onClick={() => adoption.watch(latest)}>
            Watch version {latest} instead
          </Button>
        ) : null}
        <Button kind="quiet" onClick={adoption.stop}>
          Stop
        </Button>
      </div>
      {points.length > 1 ? <Curve points={points} version={version} /> : null}
    </>
  );
}

function Curve({ points, version }: { points: readonly AdoptionPoint[]; version: number }): JSX.Element {
  return (
    <TimeChart
      id="live-adoption"
      title="Since you started watching"
      summary={curveText(points, version)}
      kind="lines"
      unit="time"
      times={points.map(({ at }) => at / 1000)}
      timeText={(seconds) => formatTime(seconds * 1000)}
      series={[
        {
          label: `Version ${version}`,
          values: points.map(({ on, users }) => (users === 0 ? 0 : (100 * on) / users)),
          style: styleOf(0),
        },
      ]}
      valueText={(value) => `${Math.round(value)}%`}
      most={100}
      height={110}
    />
  );
}

const STATE_LABELS = {
  idle: 'Stopped',
  watching: 'Watching',
  paused: 'Paused',
  all: 'All users',
  over: 'Ended after 24 hours',
} as const;

function State({ adoption, isOnline }: { adoption: Adoption; isOnline: boolean }): JSX.Element {
  const now = useNow(1_000);
  const state = adoption.state.value;
  const next = adoption.nextCheckAt.value;
  return (
    <span class="muted watch-state">
      <Badge tone={state === 'all' ? 'success' : adoption.error.value ? 'warning' : 'plain'}>
        {STATE_LABELS[state]}
      </Badge>
      {isOnline ? null : <Badge tone="warning">browser offline</Badge>}
      {state !== 'watching'
        ? ''
        : adoption.checking.value
          ? 'checking…'
          : next === null
            ? ''
            : `next check in ${Math.max(0, Math.ceil((next - now) / 1000))} s`}
    </span>
  );
}

/** For example, `31 of 214 users (14%) have version 13 or newer.` */
export function adoptionText({ on, users }: AdoptionPoint, version: number): string {
  if (users === 0) return 'No users in the loaded sessions.';
  const share = `${formatCount(on)} of ${plural(users, 'user')} (${percentText(on, users)})`;
  return `${share} ${on === 1 ? 'has' : 'have'} version ${version} or newer.`;
}

function curveText(points: readonly AdoptionPoint[], version: number): string {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return '';
  const gained = last.on - first.on;
  const count = gained === 0 ? 'no' : formatCount(Math.abs(gained));
  const change = `${count} ${gained < 0 ? 'fewer' : 'more'} ${Math.abs(gained) === 1 ? 'user' : 'users'}`;
  return `Since ${formatTime(first.at)}: ${change} on version ${version}.`;
}
