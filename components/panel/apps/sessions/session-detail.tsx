/** Everything that the platform reports about a session. */
import type { JSX } from 'preact';
import type { SessionRow } from '../../../../lib/extension/panel/apps/types.ts';
import { truncate } from '../../../../lib/shared/format.ts';
import { Button } from '../../../ui/index.ts';
import { Fact } from '../fact.tsx';
import { Unknown, PlatformTime } from '../platform-time.tsx';
import { ipAddressesOf } from './session-columns.tsx';

/** Characters of a field, and of the JSON, that are shown. An export has everything. */
const TEXT_LENGTH = 1_000;
const JSON_LENGTH = 20_000;

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
        <Button kind="quiet" label="Close session" title="Close" onClick={onClose}>
          ✕
        </Button>
      </header>
      <div class="apps-body">
        <dl class="facts">
          <Fact name="Session">{row.id}</Fact>
          <Fact name="Version">
            {version ?? <Unknown />}
            {behind === null ? '' : behind === 0 ? ' (newest)' : ` (${behind} behind)`}
          </Fact>
          <Fact name="Last access">
            <PlatformTime text={session.lastAccessedAt} now={now} />
          </Fact>
          <Fact name="Updated">
            <PlatformTime text={appVersion?.localUpdatedAt ?? null} now={now} />
          </Fact>
          <Fact name="Last check">
            <PlatformTime text={appVersion?.lastCheckedAt ?? null} now={now} />
            {appVersion?.isManualCheck ? ' (manual)' : ''}
          </Fact>
          <Fact name="Newest known version">
            {appVersion?.latestVersion == null ? <Unknown /> : `version ${appVersion.latestVersion}`}
          </Fact>
          <Fact name="Downloads">{appVersion?.nrOfDownloads ?? <Unknown />}</Fact>
          <Fact name="Pending downloads">{appVersion?.assetsToDownload ?? <Unknown />}</Fact>
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
          <Fact name="IP addresses">
            <Text text={ipAddressesOf(identifier?.ipAddress ?? '').join(', ')} />
          </Fact>
        </dl>
        <div>
          <h4>User agent</h4>
          <code class="untrusted">{truncate(identifier?.userAgent ?? '', TEXT_LENGTH) || 'unknown'}</code>
        </div>
        <details>
          <summary>Session as JSON</summary>
          <pre class="untrusted" tabIndex={0}>
            {truncate(JSON.stringify(session, null, 2), JSON_LENGTH)}
          </pre>
        </details>
      </div>
    </section>
  );
}

function Text({ text }: { text: string }): JSX.Element {
  return text === '' ? <Unknown /> : <span class="untrusted">{truncate(text, TEXT_LENGTH)}</span>;
}
