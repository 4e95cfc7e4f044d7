/** Owns moving environments between browsers, saying what is stored where, and erasing all of it. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Environment, ErrorValue } from '../../lib/contract/index.ts';
import { toErrorValue } from '../../lib/contract/index.ts';
import { Field } from '../ui/field.tsx';
import { Alert, Button } from '../ui/index.ts';
import type { OptionsPort } from './port.ts';
import { exportEnvironments, newOnes, readImport } from './transfer.ts';

export interface DataSectionProps {
  environments: readonly Environment[];
  port: OptionsPort;
  onChanged(): void;
}

export function TransferSection({ environments, port, onChanged }: DataSectionProps): JSX.Element {
  const [status, setStatus] = useState('');
  const [error, setError] = useState<ErrorValue | null>(null);
  const picker = useRef<HTMLInputElement>(null);

  const take = async (file: Blob | undefined): Promise<void> => {
    if (!file) return;
    setError(null);
    setStatus('Importing…');
    try {
      const entries = readImport(await file.text());
      const added = newOnes(entries, environments);
      let done = 0;
      for (const entry of added) {
        const saved = await port.save(entry);
        if (!saved.ok) {
          setError(saved.error);
          break;
        }
        done++;
      }
      const there = entries.length - added.length;
      setStatus(`Imported ${done}${done < added.length ? ` of ${added.length}` : ''}${there > 0 ? `; ${there} were there already` : ''}. Tokens are not in the file: press Edit to enter them.`);
    } catch (failure) {
      setStatus('');
      setError(toErrorValue(failure));
    }
    onChanged();
  };
  return (
    <section aria-labelledby="transfer-title">
      <h2 id="transfer-title">Move to another browser</h2>
      <p class="hint">The file holds names, addresses and namespaces, and no token.</p>
      {error ? <Alert error={error} onDismiss={() => setError(null)} /> : null}
      <div class="form-actions">
        <Button
          unavailable={environments.length === 0 ? 'There is no environment to export.' : null}
          onClick={() => port.download('platform-environments.json', exportEnvironments(environments))}
        >
          Export
        </Button>
        <Button onClick={() => picker.current?.click()}>Import</Button>
        <input
          ref={picker}
          type="file"
          accept=".json,application/json"
          hidden
          aria-label="File with environments"
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            // The same file can be chosen again.
            event.currentTarget.value = '';
          }}
        />
        <span class="status" role="status">{status}</span>
      </div>
    </section>
  );
}

export function StoredSection(): JSX.Element {
  return (
    <section aria-labelledby="stored-title">
      <h2 id="stored-title">What is stored where</h2>
      <dl class="stored">
        <dt>Environments</dt>
        <dd>In this browser’s database for the extension. Not synchronised.</dd>
        <dt>Tokens</dt>
        <dd>
          In the same database, encrypted with a key that the browser does not hand out. Only the background worker reads them, and sends each to the
          base URL that it was entered for. This keeps them out of pages, files and logs; it does not protect them from somebody who can use your browser.
        </dd>
        <dt>Runs and payloads</dt>
        <dd>In the panel’s own database in this browser. They hold what your actions worked with.</dd>
        <dt>Anywhere else</dt>
        <dd>Nothing. The extension talks to your base URLs and to nobody else.</dd>
      </dl>
    </section>
  );
}

const WORD = 'erase';

export function EraseSection({ port, onChanged }: Omit<DataSectionProps, 'environments'>): JSX.Element {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [status, setStatus] = useState('');
  const [error, setError] = useState<ErrorValue | null>(null);
  const ready = typed.trim().toLowerCase() === WORD;

  const erase = async (): Promise<void> => {
    if (!ready || busy) return;
    setBusy(true);
    setError(null);
    const erased = await port.erase();
    setBusy(false);
    setTyped('');
    setStatus(erased.ok ? 'Everything is erased.' : '');
    if (!erased.ok) setError(erased.error);
    onChanged();
  };
  return (
    <section aria-labelledby="erase-title">
      <h2 id="erase-title">Erase all data</h2>
      <p class="hint">Removes every environment, token, run and saved payload from this browser, and gives up the access to their addresses. It cannot be undone.</p>
      {error ? <Alert error={error} onDismiss={() => setError(null)} /> : null}
      <div class="erase">
        <Field name="confirm" label={`Type “${WORD}” to confirm`} value={typed} onInput={setTyped} onEnter={() => void erase()} />
        <Button kind="danger" unavailable={busy ? 'One moment.' : ready ? null : `Type “${WORD}” first.`} onClick={() => void erase()}>Erase all data</Button>
        <span class="status" role="status">{status}</span>
      </div>
    </section>
  );
}
