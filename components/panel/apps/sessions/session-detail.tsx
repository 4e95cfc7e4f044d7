/** Everything the platform reports about a session. */
import type { ComponentChildren, JSX } from 'preact';
import type { SessionRow } from '../../../../lib/extension/panel/apps/types.ts';
import { truncate } from '../../../../lib/shared/format.ts';
import { Button } from '../../../ui/index.ts';
import { Fact } from '../fact.tsx';
import { Unknown, PlatformTime } from '../platform-time.tsx';
import { ipAddressesOf } from './session-columns.tsx';

/** How many characters of each field and of the JSON are shown. An export includes everything. */
const TEXT_LENGTH = 1_000;
const JSON_LENGTH = 20_000;

export interface SessionDetailProps {
  row: SessionRow;
  now: number;
  onClose: () => void;
}

export function SessionDetail({ row, now, onClose }: SessionDetailProps): JSX.Element {
  const { session } = row;
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
        <SessionFacts row={row} now={now} />
        <div>
          <h4>User agent</h4>
          <code class="untrusted">{truncate(session.identifier?.userAgent ?? '', TEXT_LENGTH) || 'unknown'}</code>
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

function SessionFacts({ row, now }: { row: SessionRow; now: number }): JSX.Element {
  const { session, version, behind } = row;
  const appVersion: Partial<NonNullable<typeof session.appVersion>> = session.appVersion ?? {};
  const { latestVersion } = appVersion;
  const time = (text: string | null | undefined): JSX.Element => <PlatformTime text={text ?? null} now={now} />;
  const facts: Record<string, ComponentChildren> = {
    Session: row.id,
    Version: [version ?? <Unknown />, behind === null ? '' : behind === 0 ? ' (newest)' : ` (${behind} behind)`],
    'Last access': time(session.lastAccessedAt),
    Updated: time(appVersion.localUpdatedAt),
    'Last check': [time(appVersion.lastCheckedAt), appVersion.isManualCheck ? ' (manual)' : ''],
    'Newest known version': latestVersion == null ? <Unknown /> : `version ${latestVersion}`,
    Downloads: appVersion.nrOfDownloads ?? <Unknown />,
    'Pending downloads': appVersion.assetsToDownload ?? <Unknown />,
    'Update type': <Text text={appVersion.lastUpdateType ?? ''} />,
    Device: <Text text={row.device} />,
    System: <Text text={row.os} />,
    Browser: <Text text={row.browser} />,
    'IP addresses': <Text text={ipAddressesOf(session.identifier?.ipAddress ?? '').join(', ')} />,
  };
  return (
    <dl class="facts">
      {Object.entries(facts).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

function Text({ text }: { text: string }): JSX.Element {
  return text === '' ? <Unknown /> : <span class="untrusted">{truncate(text, TEXT_LENGTH)}</span>;
}
