/** Owns the releases of an app that are known here: those that were published from this browser. */
import type { JSX } from 'preact';
import type { PublishRecord } from '../../../lib/extension/messaging/model/publishing.ts';
import type { AppPage } from '../../../lib/extension/panel/apps/types.ts';
import { formatTime, plural, truncate } from '../../../lib/shared/format.ts';
import { Alert, Badge, Button } from '../../ui/index.ts';

/** As many as a person reads at once. */
const SHOWN = 20;
/** Characters of a changelog that stand here; it can have 100,000. */
const CHANGELOG = 2_000;

export function ReleasesList({
  page: { releases, releasesError, adoption, loadReleases },
}: {
  page: AppPage;
}): JSX.Element {
  const value = releases.value;
  const error = releasesError.value;
  return (
    <section class="part" aria-label="Releases">
      <h3>Releases</h3>
      {error ? <Alert error={error} actions={<Button onClick={() => void loadReleases()}>Try again</Button>} /> : null}
      {value.length === 0 && !error ? (
        <p class="muted">
          Nothing was published from here yet. Publish from the extension’s popup: its button stands in the browser’s
          toolbar. The platform tells no releases of others.
        </p>
      ) : null}
      {value.length > 0 ? (
        <ol class="releases">
          {value.slice(0, SHOWN).map((record) => (
            <Release key={record.id} record={record} onWatch={adoption.watch} />
          ))}
          {value.length > SHOWN ? <li class="muted">and {plural(value.length - SHOWN, 'older one')}</li> : null}
        </ol>
      ) : null}
    </section>
  );
}

function Release({
  record: { id, outcome, release, sentAt, startedAt },
  onWatch,
}: {
  record: PublishRecord;
  onWatch: (version: number) => void;
}): JSX.Element {
  const version = outcome?.state === 'published' ? outcome.app.version : null;
  return (
    <li data-release={id}>
      <div class="release-head">
        <strong>{version === null ? 'Version not known' : `Version ${version}`}</strong>
        <Badge>{release.type}</Badge>
        {outcome === null ? (
          <Badge>under way</Badge>
        ) : outcome.state === 'failed' ? (
          <Badge tone="danger">not published</Badge>
        ) : outcome.state === 'unknown' ? (
          <Badge tone="warning">outcome not known</Badge>
        ) : null}
        <time class="muted" dateTime={new Date(sentAt ?? startedAt).toISOString()}>
          {formatTime(sentAt ?? startedAt)}
        </time>
        <span class="grow" />
        {version === null ? null : (
          <Button
            kind="quiet"
            label={`Watch version ${version}`}
            title="Follow this version to its users"
            onClick={() => onWatch(version)}
          >
            Watch
          </Button>
        )}
      </div>
      <p class="changelog untrusted">{truncate(release.changelog, CHANGELOG)}</p>
      {outcome?.state === 'failed' || outcome?.state === 'unknown' ? (
        <p class="muted untrusted">{truncate(outcome.error.message, 500)}</p>
      ) : null}
    </li>
  );
}
