/** An app's releases that were published from this browser. */
import type { JSX } from 'preact';
import { isTwice, type PublishRecord } from '../../../lib/extension/messaging/model/publishing.ts';
import type { AppPage } from '../../../lib/extension/panel/apps/app-page.ts';
import { Loading } from '../shared/loading.tsx';
import { plural, truncate } from '../../../lib/shared/format.ts';
import { Alert, Badge, Button, DateTime } from '../../ui/index.ts';

/** Longer lists are truncated. */
const SHOWN = 20;
/** How many characters of the release notes are shown. Notes can have 100,000 characters. */
const NOTES_LENGTH = 2_000;

export function ReleasesList({ page, baseUrl }: { page: AppPage; baseUrl: string }): JSX.Element {
  const releases = page.releases.value;
  const error = page.releasesError.value;
  return (
    <section class="part" aria-label="Releases from this browser">
      <h3>Releases from this browser</h3>
      {error ? (
        <Alert error={error} actions={<Button onClick={() => void page.loadReleases()}>Try again</Button>} />
      ) : null}
      {releases === null && !error ? <Loading>Loading releases…</Loading> : null}
      {releases?.length === 0 && !error ? (
        <p class="muted">
          No releases published from this browser to <span class="untrusted">{baseUrl}</span>.
        </p>
      ) : null}
      {releases && releases.length > 0 ? (
        <ol class="releases">
          {releases.slice(0, SHOWN).map((record) => (
            <Release key={record.id} record={record} onWatch={(version) => page.adoption.watch(version)} />
          ))}
          {releases.length > SHOWN ? (
            <li class="muted">and {plural(releases.length - SHOWN, 'older release')}</li>
          ) : null}
        </ol>
      ) : null}
    </section>
  );
}

interface ReleaseProps {
  record: PublishRecord;
  onWatch: (version: number) => void;
}

function Release({ record: { id, outcome, release, sentAt, startedAt }, onWatch }: ReleaseProps): JSX.Element {
  const version = outcome?.state === 'published' ? outcome.app.version : null;
  const at = sentAt ?? startedAt;
  return (
    <li data-release={id}>
      <div class="release-head">
        <strong>{version === null ? 'Unknown version' : `Version ${version}`}</strong>
        <Badge>{release.type}</Badge>
        {outcome === null ? (
          <Badge>publishing</Badge>
        ) : outcome.state === 'failed' ? (
          <Badge tone="danger">failed</Badge>
        ) : isTwice(outcome) ? (
          <Badge tone="danger">possibly twice</Badge>
        ) : outcome.state === 'unknown' ? (
          <Badge tone="warning">unconfirmed</Badge>
        ) : null}
        <DateTime class="muted" at={at} />
        <span class="grow" />
        {version === null ? null : (
          <Button
            kind="quiet"
            label={`Watch version ${version}`}
            title="Watch how many users have this version"
            onClick={() => onWatch(version)}
          >
            Watch
          </Button>
        )}
      </div>
      <p class="changelog untrusted">{truncate(release.changelog, NOTES_LENGTH)}</p>
      {outcome?.state === 'failed' || outcome?.state === 'unknown' ? (
        <p class="muted untrusted">{truncate(outcome.error.message, 500)}</p>
      ) : null}
    </li>
  );
}
