/** Owns the detail of one session: all that the platform told of it. */
import type { JSX } from 'preact';
import type { SessionRow } from '../../../../lib/extension/panel/apps/types.ts';
import { truncate } from '../../../../lib/shared/format.ts';
import { Button } from '../../../ui/index.ts';
import { Fact } from '../fact.tsx';
import { Unknown, PlatformTime } from '../moment.tsx';
import { addressesOf } from './session-columns.tsx';

/** Characters of a text, and of all as JSON, that are shown; an export has the whole. */
const TEXT = 1_000;
const JSON_SHOWN = 20_000;

export function SessionDetail({
  row,
  now,
  onClose,
}: {
  row: SessionRow;
  now: number;
  onClose: () => void;
}): JSX.Element {
  const { session, version, behind } = row;
  const { identifier, appVersion } = session;
  return (
    <section class="session-detail" aria-label={`Session ${row.id}`} data-session-detail={row.id}>
      <header class="section-head">
        <h3 class="untrusted">{row.email === null ? `Session ${row.id}` : truncate(row.email, 200)}</h3>
        <span class="grow" />
        <Button kind="quiet" label="Close the session" title="Close" onClick={onClose}>
          ✕
        </Button>
      </header>
      <div class="apps-body">
        <dl class="facts">
          <Fact name="Session">{row.id}</Fact>
          <Fact name="Version">
            {version ?? <Unknown />}
            {behind === null ? '' : behind === 0 ? ', the newest' : `, ${behind} behind`}
          </Fact>
          <Fact name="Last access">
            <PlatformTime text={session.lastAccessedAt} now={now} />
          </Fact>
          <Fact name="Updated">
            <PlatformTime text={appVersion?.localUpdatedAt ?? null} now={now} />
          </Fact>
          <Fact name="Checked">
            <PlatformTime text={appVersion?.lastCheckedAt ?? null} now={now} />
            {appVersion?.isManualCheck ? ', by hand' : ''}
          </Fact>
          <Fact name="Knows of">
            {appVersion?.latestVersion == null ? <Unknown /> : `version ${appVersion.latestVersion}`}
          </Fact>
          <Fact name="Downloads">{appVersion?.nrOfDownloads ?? <Unknown />}</Fact>
          <Fact name="To download">{appVersion?.assetsToDownload ?? <Unknown />}</Fact>
          <Fact name="Update type">
            <Text text={appVersion?.lastUpdateType ?? ''} />
          </Fact>
          <Fact name="Device">
            <Text text={row.device} />
          </Fact>
          <Fact name="System">
            <Text text={row.os} />
          </Fact>
          <Fact name="Browser">
            <Text text={row.browser} />
          </Fact>
          <Fact name="Addresses">
            <Text text={addressesOf(identifier?.ipAddress ?? '').join(', ')} />
          </Fact>
        </dl>
        <div>
          <h4>User agent</h4>
          <code class="untrusted">{truncate(identifier?.userAgent ?? '', TEXT) || 'not told'}</code>
        </div>
        <details>
          <summary>As the platform sent it</summary>
          <pre class="untrusted" tabIndex={0}>
            {truncate(JSON.stringify(session, null, 2), JSON_SHOWN)}
          </pre>
        </details>
      </div>
    </section>
  );
}

function Text({ text }: { text: string }): JSX.Element {
  return text === '' ? <Unknown /> : <span class="untrusted">{truncate(text, TEXT)}</span>;
}
