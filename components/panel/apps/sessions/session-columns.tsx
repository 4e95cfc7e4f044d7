/** Columns of the session table. */
import type { JSX } from 'preact';
import type { SessionColumn, SessionRow } from '../../../../lib/extension/panel/apps/types.ts';
import { truncate } from '../../../../lib/shared/format.ts';
import type { GridColumn } from '../../../ui/grid.tsx';
import { PastTime, Unknown } from '../platform-time.tsx';

/** When space is limited, the last columns are hidden first. */
export function sessionColumns(now: number): GridColumn<SessionColumn, SessionRow>[] {
  return [
    {
      id: 'user',
      label: 'Email',
      width: 120,
      grow: 3,
      cell: ({ email, id }) => (email === null ? <span class="muted">session {id}</span> : <Text text={email} />),
    },
    { id: 'version', label: 'Version', width: 62, align: 'end', cell: ({ version }) => version ?? <Unknown /> },
    {
      id: 'lastAccess',
      label: 'Last access',
      width: 90,
      cell: ({ lastAccess }) => <PastTime at={lastAccess} now={now} />,
    },
    {
      id: 'behind',
      label: 'Behind',
      width: 60,
      align: 'end',
      cell: ({ behind }) =>
        behind === null ? <Unknown /> : behind === 0 ? <span class="muted">0</span> : <strong>{behind}</strong>,
    },
    { id: 'device', label: 'Device', width: 80, grow: 1, cell: ({ device }) => <Text text={device} /> },
    { id: 'browser', label: 'Browser', width: 90, grow: 1, cell: ({ browser }) => <Text text={browser} /> },
    { id: 'os', label: 'System', width: 76, grow: 1, cell: ({ os }) => <Text text={os} /> },
    { id: 'updated', label: 'Updated', width: 84, cell: ({ updated }) => <PastTime at={updated} now={now} /> },
    {
      id: 'ipAddress',
      label: 'IP address',
      width: 100,
      grow: 1,
      cell: ({ session }) => <IpAddresses text={session.identifier?.ipAddress ?? ''} />,
    },
  ];
}

/** Untrusted text, truncated to fit a cell. */
function Text({ text }: { text: string }): JSX.Element {
  if (text === '') return <Unknown />;
  const shown = truncate(text, 200);
  return (
    <span class="untrusted" title={shown}>
      {shown}
    </span>
  );
}

function IpAddresses({ text }: { text: string }): JSX.Element {
  const [first = '', ...more] = ipAddressesOf(text);
  return (
    <>
      <Text text={first} />
      {more.length > 0 ? <span class="muted"> +{more.length}</span> : null}
    </>
  );
}

/** Splits a comma-separated list of IP addresses. The device's own comes first. */
export function ipAddressesOf(text: string): string[] {
  return text
    .slice(0, 5_000)
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
}
