/** Explains which data is stored where, and lets the user erase all of it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { HISTORY_LIMITS, PUBLISH_LIMIT } from '../../lib/extension/messaging/model/stored-data.ts';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import type { ErrorValue } from '../../lib/platform-api/index.ts';
import { formatCount } from '../../lib/shared/format.ts';
import { Alert } from '../ui/index.ts';
import { TypedWord } from './typed-word.tsx';
import type { LockState } from '../../lib/extension/messaging/model/lock.ts';

export function StoredSection({ kind }: { kind: LockState['kind'] | null }): JSX.Element {
  const hasPassphrase = kind === null ? null : kind !== 'open';
  return (
    <section aria-labelledby="stored-title">
      <h2 id="stored-title">Where data is stored</h2>
      <dl class="stored">
        <dt>Environments</dt>
        <dd>In the extension’s database in this browser. Not synced.</dd>
        <dt>Tokens</dt>
        <dd>
          In the same database, encrypted.{' '}
          {hasPassphrase === null
            ? ''
            : hasPassphrase
              ? 'Your passphrase unlocks the key and isn’t stored anywhere. While unlocked, the key is in memory, never on disk. '
              : 'The browser stores the key. Anyone who can use your browser can use the tokens. '}
          Only the background worker reads tokens. In Chrome, the hidden page that sends a change gets its token. Each
          token is sent only to the base URL you entered it for.
        </dd>
        <dt>Runs and payloads</dt>
        <dd>
          In the panel’s database in this browser. Both contain data from your actions. The newest{' '}
          {HISTORY_LIMITS.runsOfAction} runs of each action are kept, up to {HISTORY_LIMITS.sizeOfAction / 1_000_000} MB
          per action and {HISTORY_LIMITS.size / 1_000_000} MB in total. Pinned runs stay until you remove them. The
          newest {formatCount(HISTORY_LIMITS.payloads)} payloads and drafts are kept. In Firefox, private windows store
          none. In other browsers, they have a database of their own, which the browser deletes when you close all of
          them.
        </dd>
        <dt>Publishes</dt>
        <dd>
          In the background worker’s database: app, release type, release notes, and outcome. The newest {PUBLISH_LIMIT}{' '}
          are kept, plus those with an unknown outcome.
        </dd>
        <dt>Drafts and recent selections</dt>
        <dd>
          In the extension’s local storage: unpublished release notes, names and versions of apps, and your last
          environment, app, and tab.
        </dd>
        <dt>Elsewhere</dt>
        <dd>
          Nothing. The extension connects only to your base URLs and, when you look for a platform there, to this
          computer.
        </dd>
      </dl>
    </section>
  );
}

/** No page can look into another window’s databases. */
const erasedText = (canBePrivate: boolean): string =>
  canBePrivate
    ? 'Erased all data outside private windows. Runs in private windows are erased when you close all of them.'
    : 'Erased all data.';

export function EraseSection({ port, onChanged }: { port: OptionsPort; onChanged: () => void }): JSX.Element {
  const [status, setStatus] = useState('');
  const [error, setError] = useState<ErrorValue | null>(null);

  const erase = async (): Promise<void> => {
    setError(null);
    const erased = await port.erase();
    setStatus(erased.ok ? erasedText(await port.canBePrivate()) : '');
    if (!erased.ok) setError(erased.error);
    onChanged();
  };
  return (
    <section aria-labelledby="erase-title">
      <h2 id="erase-title">Erase all data</h2>
      <p class="hint">
        Removes every environment, token, run, payload, and draft, plus the passphrase and publish history, from this
        browser. Also revokes access to your base URLs. You can’t undo this.
      </p>
      {error ? <Alert error={error} onDismiss={() => setError(null)} /> : null}
      <TypedWord word="erase" action="Erase all data" onConfirm={erase} />
      <p class="status" role="status">
        {status}
      </p>
    </section>
  );
}
