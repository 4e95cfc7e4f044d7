/** Owns following one version to its users: how many have it, the curve since it is followed, and when is looked next. */
import type { JSX } from 'preact';
import type { Adoption, AdoptionPoint, AppPage } from '../../../lib/extension/panel/apps/types.ts';
import { formatTime } from '../../../lib/shared/format.ts';
import { Alert, Badge, Button } from '../../ui/index.ts';
import { useNow } from '../shared/use-now.ts';
import { styleOf } from './charts/series-style.ts';
import { TimeChart } from './charts/time-chart.tsx';
import { percentText } from './charts/summaries.ts';

/** @param latest the version that is offered to be followed; null where none is known */
export function AdoptionView({
  page: { adoption, isOnline },
  latest,
}: {
  page: AppPage;
  latest: number | null;
}): JSX.Element {
  const version = adoption.version.value;
  return (
    <section class="part adoption" aria-label="Adoption" data-adoption={adoption.state.value}>
      <h3>Adoption{version === null ? '' : ` of version ${version}`}</h3>
      {version === null ? (
        <>
          <p class="muted">
            Follow a version to its users: who has it is looked up again and again, as long as this is in sight.
          </p>
          <Button
            unavailable={latest === null ? 'No version of the app is known yet.' : null}
            onClick={() => latest !== null && adoption.watch(latest)}
          >
            {latest === null ? 'Watch' : `Watch version ${latest}`}
          </Button>
        </>
      ) : (
        <Watched adoption={adoption} isOnline={isOnline.value} version={version} latest={latest} />
      )}
    </section>
  );
}

function Watched({
  adoption,
  isOnline,
  version,
  latest,
}: {
  adoption: Adoption;
  isOnline: boolean;
  version: number;
  latest: number | null;
}): JSX.Element {
  const points = adoption.points.value;
  const point = points.at(-1);
  const error = adoption.error.value;
  const state = adoption.state.value;
  return (
    <>
      <p class="adopted" role="status" data-adopted={point?.on}>
        {point ? adoptedSays(point, version) : 'Looking for the first time…'}
      </p>
      {point ? (
        <progress value={point.on} max={Math.max(1, point.users)} aria-label={`Users with version ${version}`} />
      ) : null}
      {error ? <Alert error={error} /> : null}
      <div class="buttons">
        <State adoption={adoption} isOnline={isOnline} />
        <Button
          kind="quiet"
          unavailable={adoption.checking.value ? 'It is being looked up.' : null}
          onClick={() => void adoption.check()}
        >
          Look now
        </Button>
        {state === 'watching' ? (
          <Button kind="quiet" onClick={adoption.pause}>
            Pause
          </Button>
        ) : null}
        {state === 'paused' ? (
          <Button kind="quiet" onClick={adoption.resume}>
            Go on
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
      {points.length > 1 ? (
        <TimeChart
          id="live-adoption"
          title="Since it is watched"
          says={curveSays(points, version)}
          kind="lines"
          unit="time"
          times={points.map(({ at }) => at / 1000)}
          timeText={(seconds) => formatTime(seconds * 1000)}
          series={[
            {
              label: `Version ${version}`,
              values: points.map(({ on, users }) => (users === 0 ? 0 : (100 * on) / users)),
              look: styleOf(0),
            },
          ]}
          valueText={(value) => `${Math.round(value)} %`}
          most={100}
          height={110}
        />
      ) : null}
    </>
  );
}

const WORDS = { idle: 'Stopped', watching: 'Watching', paused: 'Paused', done: 'Done' } as const;

function State({ adoption, isOnline }: { adoption: Adoption; isOnline: boolean }): JSX.Element {
  const now = useNow(1_000);
  const state = adoption.state.value;
  const next = adoption.nextCheckAt.value;
  return (
    <span class="muted watch-state">
      <Badge tone={state === 'done' ? 'success' : adoption.error.value ? 'warning' : 'plain'}>{WORDS[state]}</Badge>
      {isOnline ? null : <Badge tone="warning">offline</Badge>}
      {state !== 'watching'
        ? ''
        : adoption.checking.value
          ? 'looking…'
          : next === null
            ? ''
            : `next look in ${Math.max(0, Math.ceil((next - now) / 1000))} s`}
    </span>
  );
}

/** `31 of 214 users (14 %) have version 13 or newer.` */
export function adoptedSays({ on, users }: AdoptionPoint, version: number): string {
  if (users === 0) return 'The app has no users yet.';
  return `${on.toLocaleString('en')} of ${users.toLocaleString('en')} ${users === 1 ? 'user' : 'users'} (${percentText(on, users)}) ${on === 1 ? 'has' : 'have'} version ${version} or newer.`;
}

function curveSays(points: readonly AdoptionPoint[], version: number): string {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return '';
  const more = last.on - first.on;
  return `Since ${formatTime(first.at)} ${more === 0 ? 'no user more came' : more > 0 ? `${more.toLocaleString('en')} ${more === 1 ? 'user' : 'users'} more came` : `${(-more).toLocaleString('en')} fewer users have come`} to version ${version}.`;
}
