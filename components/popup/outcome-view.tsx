/** Owns what became of a publish: under way, published, failed, or not known. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { appLink } from '../../lib/extension/messaging/model/app-link.ts';
import type { PublishRecord } from '../../lib/extension/messaging/model/publishing.ts';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { TellMe } from './tell-me.tsx';

export function OutcomeView({ popup, record }: { popup: Popup; record: PublishRecord }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  const state = record.outcome?.state ?? 'under-way';
  useEffect(() => heading.current?.focus(), [state]);
  return (
    <section class="outcome" data-outcome={state} aria-live="polite">
      <h2 ref={heading} tabIndex={-1}>
        {titleOf(record)}
      </h2>
      <p class="of">
        <bdi class="untrusted">{record.appName}</bdi> · {record.release.type}
      </p>
      <OutcomeDetail popup={popup} record={record} />
    </section>
  );
}

function titleOf({ outcome }: PublishRecord): string {
  if (!outcome) return 'Publishing…';
  if (outcome.state === 'published')
    return outcome.app.version === null ? 'Published' : `Version ${outcome.app.version} is published`;
  return outcome.state === 'failed' ? 'Not published' : 'Not known whether it was published';
}

function OutcomeDetail({
  popup,
  record: { outcome, environmentId, appId, sentAt, release },
}: {
  popup: Popup;
  record: PublishRecord;
}): JSX.Element {
  if (!outcome) {
    return (
      <>
        <progress aria-label="Publishing" />
        <p>
          {sentAt === null
            ? 'Looking at the app once more before it is sent.'
            : 'Sent; waiting for the platform’s answer.'}{' '}
          You can close this window: the mark on the button tells how it ended.
        </p>
        <TellMe popup={popup} />
      </>
    );
  }
  if (outcome.state === 'published') {
    const at = new Date(outcome.app.updatedAt);
    return (
      <>
        <dl>
          <dt>Version</dt>
          <dd>{outcome.app.version ?? 'not told'}</dd>
          <dt>App id</dt>
          <dd>{appId}</dd>
          <dt>Time</dt>
          <dd>
            <time dateTime={outcome.app.updatedAt}>
              {Number.isNaN(at.getTime()) ? outcome.app.updatedAt : at.toLocaleString()}
            </time>
          </dd>
        </dl>
        {outcome.settled ? <p class="why">No answer came; this is what the app says when it is read again.</p> : null}
        <blockquote class="untrusted">{release.changelog}</blockquote>
        <div class="actions">
          <Button kind="primary" onClick={() => void popup.another()}>
            Publish another
          </Button>
          <a href={appLink({ environmentId, appId, version: outcome.app.version })} target="_blank">
            See who has it
          </a>
        </div>
      </>
    );
  }
  if (outcome.state === 'failed') {
    return (
      <>
        <Alert error={outcome.error} />
        <p class="why">Your notes are kept.</p>
        <div class="actions">
          <Button kind="primary" onClick={() => void popup.another()}>
            Back to the release
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <Alert error={outcome.error} />
      <p class="why">
        It was sent once, and is not sent again by itself. Another update of this app has to wait until this one is
        settled or let go.
      </p>
      <div class="actions">
        <Button
          kind="primary"
          unavailable={popup.settling.value ? 'The app is being read.' : null}
          onClick={() => void popup.lookAgain()}
        >
          Look again
        </Button>
        <Button onClick={() => void popup.letGo()}>Let it go</Button>
      </div>
    </>
  );
}
