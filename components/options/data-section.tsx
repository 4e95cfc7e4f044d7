/** Owns saying what is stored where, and erasing all of it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ErrorValue, LockState } from '../../lib/platform-api/index.ts';
import { PUBLISHES_KEPT } from '../../lib/extension/messaging/model/publishing.ts';
import { HISTORY_LIMITS } from '../../lib/extension/panel/run/history/run-store.ts';
import { Alert } from '../ui/index.ts';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import { TypedWord } from './typed-word.tsx';

export function StoredSection({ kind }: { kind: LockState['kind'] | null }): JSX.Element {
  return (
    <section aria-labelledby="stored-title">
      <h2 id="stored-title">What is stored where</h2>
      <dl class="stored">
        <dt>Environments</dt>
        <dd>In this browser’s database for the extension. Not synchronised.</dd>
        <dt>Tokens</dt>
        <dd>
          In the same database, encrypted.{' '}
          {kind === null || kind === 'open'
            ? 'The browser keeps the key and does not hand it out, but uses it for whoever can use your browser.'
            : 'Your passphrase opens the key, and is itself stored nowhere. While the tokens are unlocked the browser keeps the key in memory, never on disk, and drops it when they lock.'}{' '}
          Only the background worker reads them, and sends each to the base URL that it was entered for. This keeps them
          out of pages, files and logs.
        </dd>
        <dt>Runs and payloads</dt>
        <dd>
          In the panel’s own database in this browser. They hold what your actions worked with. The newest{' '}
          {HISTORY_LIMITS.runs} runs are kept, up to {HISTORY_LIMITS.size / 1_000_000} MB, and the newest{' '}
          {HISTORY_LIMITS.payloads.toLocaleString('en')} payloads and drafts; the oldest go first.
        </dd>
        <dt>Publishes</dt>
        <dd>
          In the background worker’s own database: app, release type, notes and outcome of the newest {PUBLISHES_KEPT}{' '}
          that were published from here, and of all whose outcome is not known yet.
        </dd>
        <dt>Drafts and last choices</dt>
        <dd>
          In the extension’s local storage: notes that were not published yet, the last choice of environment, app and
          tab, and the names and versions of apps, so that the popup is there at once.
        </dd>
        <dt>Anywhere else</dt>
        <dd>Nothing. The extension talks to your base URLs and to nobody else.</dd>
      </dl>
    </section>
  );
}

export function EraseSection({ port, onChanged }: { port: OptionsPort; onChanged: () => void }): JSX.Element {
  const [status, setStatus] = useState('');
  const [error, setError] = useState<ErrorValue | null>(null);

  const erase = async (): Promise<void> => {
    setError(null);
    const erased = await port.erase();
    setStatus(erased.ok ? 'Everything is erased.' : '');
    if (!erased.ok) setError(erased.error);
    onChanged();
  };
  return (
    <section aria-labelledby="erase-title">
      <h2 id="erase-title">Erase all data</h2>
      <p class="hint">
        Removes every environment, token, passphrase, run, saved payload, draft and record of a publish from this
        browser, and gives up the access to their addresses. It cannot be undone.
      </p>
      {error ? <Alert error={error} onDismiss={() => setError(null)} /> : null}
      <TypedWord word="erase" does="Erase all data" onConfirm={erase} />
      <p class="status" role="status">
        {status}
      </p>
    </section>
  );
}
