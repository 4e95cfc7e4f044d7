/** Shows the outcome of a publish: running, published, failed, or unknown. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { appLink } from '../../lib/extension/messaging/model/app-link.ts';
import { isTwice, type PublishOutcome, type PublishRecord } from '../../lib/extension/messaging/model/publishing.ts';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { DateTime } from '../ui/small.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { NotifyCheckbox } from './notify-checkbox.tsx';

export function OutcomeView({ popup, record }: { popup: Popup; record: PublishRecord }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  const state = record.outcome?.state ?? 'running';
  useEffect(() => heading.current?.focus(), [state]);
  return (
    <section class="outcome" data-outcome={state} aria-live="polite">
      <h2 ref={heading} tabIndex={-1}>
        {title(record.outcome)}
      </h2>
      <p class="of">
        <bdi class="untrusted">{record.appName}</bdi> · {record.release.type}
      </p>
      <Details popup={popup} record={record} />
    </section>
  );
}

function title(outcome: PublishOutcome | null): string {
  if (!outcome) return 'Publishing…';
  if (outcome.state === 'unknown') return isTwice(outcome) ? 'Possibly published twice' : 'Outcome unknown';
  if (outcome.state === 'failed') return 'Not published';
  return outcome.app.version === null ? 'Published' : `Published version ${outcome.app.version}`;
}

function Details({ popup, record }: { popup: Popup; record: PublishRecord }): JSX.Element {
  const { outcome } = record;
  if (!outcome) return <Running popup={popup} record={record} />;
  if (outcome.state === 'published') return <Published popup={popup} record={record} outcome={outcome} />;
  if (outcome.state === 'unknown') return <Unknown popup={popup} outcome={outcome} />;
  return (
    <>
      <Alert error={outcome.error} />
      <p class="why">Your release notes are saved.</p>
      <div class="actions">
        {popup.cannotTryAgain.value ? null : (
          <Button kind="primary" onClick={() => void popup.tryAgain()}>
            Try again
          </Button>
        )}
        <Button kind={popup.cannotTryAgain.value ? 'primary' : 'plain'} onClick={() => void popup.backToForm()}>
          Back to release
        </Button>
      </div>
    </>
  );
}

function Running({ popup, record: { sentAt } }: { popup: Popup; record: PublishRecord }): JSX.Element {
  return (
    <>
      <progress aria-label="Publishing" />
      <p>
        {sentAt === null ? 'Checking the app before sending…' : 'Waiting for the platform’s response…'} You can close
        this popup. The toolbar badge shows the outcome.
      </p>
      {sentAt === null ? (
        <div class="actions">
          <Button unavailable={popup.isSettling.value ? 'Canceling…' : null} onClick={() => void popup.cancelPublish()}>
            Cancel
          </Button>
        </div>
      ) : null}
      <NotifyCheckbox setting={popup.notifications} />
    </>
  );
}

type Published = Extract<PublishOutcome, { state: 'published' }>;

interface PublishedProps {
  popup: Popup;
  record: PublishRecord;
  outcome: Published;
}

function Published({
  popup,
  record: { environmentId, appId, release },
  outcome: { app, settled },
}: PublishedProps): JSX.Element {
  const at = Date.parse(app.updatedAt);
  return (
    <>
      <dl>
        <dt>Version</dt>
        <dd>{app.version ?? 'unknown'}</dd>
        <dt>App ID</dt>
        <dd>{appId}</dd>
        <dt>Time</dt>
        <dd>{Number.isNaN(at) ? app.updatedAt || 'unknown' : <DateTime at={at} />}</dd>
      </dl>
      {settled ? (
        <p class="why">
          The response didn’t confirm the release. A later check found one with this type and these notes.
        </p>
      ) : null}
      <blockquote class="untrusted">{release.changelog}</blockquote>
      <div class="actions">
        <Button kind="primary" onClick={() => void popup.backToForm()}>
          Publish another update
        </Button>
        <a href={appLink({ environmentId, appId, version: app.version })} target="_blank">
          Show who has it
        </a>
      </div>
    </>
  );
}

interface UnknownProps {
  popup: Popup;
  outcome: Extract<PublishOutcome, { state: 'unknown' }>;
}

function Unknown({ popup, outcome }: UnknownProps): JSX.Element {
  return (
    <>
      <Alert error={outcome.error} />
      <p class="why">
        {isTwice(outcome)
          ? 'Dismiss this before you publish another update to this app.'
          : 'The extension won’t send this update again automatically. Check again or dismiss this before you publish another update to this app.'}
      </p>
      <div class="actions">
        {isTwice(outcome) ? null : (
          <Button
            kind="primary"
            unavailable={popup.isSettling.value ? 'Checking the app…' : null}
            onClick={() => void popup.checkAgain()}
          >
            Check again
          </Button>
        )}
        <Button onClick={() => void popup.dismissOutcome()}>Dismiss</Button>
      </div>
    </>
  );
}
