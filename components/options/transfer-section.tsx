/** Exports and imports environments as a file, optionally with tokens encrypted by a passphrase. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ErrorValue } from '../../lib/platform-api/index.ts';
import { formatCount, plural } from '../../lib/shared/format.ts';
import { Field } from '../ui/field.tsx';
import { Alert, Button } from '../ui/index.ts';
import { NO_PASSPHRASE, NewPassphraseFields, passphraseProblems } from './new-passphrase.tsx';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import { SmallForm } from './small-form.tsx';
import type { ImportOutcome } from '../../lib/extension/messaging/model/lock.ts';

const FILE_NAME = 'platform-environments.json';
/** In bytes. Larger files are rejected without being read. */
const MAX_FILE_SIZE = 4 * 1024 * 1024;
const TOO_LARGE: ErrorValue = {
  code: 'IMPORT_TOO_LARGE',
  message: 'Couldn’t import the file: it’s too large for an environments file.',
  hint: 'Choose a file exported from this extension’s options page.',
};

export interface TransferSectionProps {
  isEmpty: boolean;
  port: OptionsPort;
  onChanged: () => void;
}

export function TransferSection({ isEmpty, port, onChanged }: TransferSectionProps): JSX.Element {
  const { status, error, setError, showStatus, encrypted, setEncrypted, save, read, importFile } = useTransfer(
    port,
    onChanged,
  );
  const [withTokens, setWithTokens] = useState(false);
  const exporter = useRef<HTMLDivElement>(null);

  const close = (): void => {
    setWithTokens(false);
    setEncrypted(null);
    exporter.current?.querySelector('button')?.focus();
  };

  return (
    <section aria-labelledby="transfer-title">
      <h2 id="transfer-title">Move to another browser</h2>
      <p class="hint">
        The file contains names, base URLs, and namespaces. Tokens are included only if you set a passphrase for the
        file.
      </p>
      {error ? <Alert error={error} onDismiss={() => setError(null)} /> : null}
      <div class="form-actions" ref={exporter}>
        <Button unavailable={isEmpty ? 'Add an environment first' : null} onClick={() => void save().then(setError)}>
          Export
        </Button>
        <Button
          unavailable={isEmpty ? 'Add an environment first' : null}
          onClick={() => {
            showStatus('');
            setEncrypted(null);
            setWithTokens(true);
          }}
        >
          Export with tokens
        </Button>
        <FilePicker onPick={importFile} />
        <span class="status" role="status">
          {status}
        </span>
      </div>
      {withTokens ? <ExportForm onSubmit={save} onDone={close} /> : null}
      {encrypted === null ? null : (
        <ImportForm key={encrypted} onSubmit={(passphrase) => read(encrypted, passphrase)} onDone={close} />
      )}
    </section>
  );
}

function useTransfer(port: OptionsPort, onChanged: () => void) {
  const [status, setStatus] = useState('');
  const [error, setError] = useState<ErrorValue | null>(null);
  /** The text of an encrypted file whose passphrase hasn’t been entered yet. */
  const [encrypted, setEncrypted] = useState<string | null>(null);

  const showStatus = (text: string): void => {
    setError(null);
    setStatus(text);
  };
  /** Resolves to an error, or null on success. */
  const save = async (passphrase?: string): Promise<ErrorValue | null> => {
    showStatus('');
    const made = await port.exportText(passphrase);
    if (!made.ok) return made.error;
    port.saveFile(FILE_NAME, made.value.text);
    setStatus(passphrase === undefined ? '' : 'Created a file with all stored tokens. Keep its passphrase safe.');
    return null;
  };
  const read = async (text: string, passphrase?: string): Promise<ErrorValue | null> => {
    showStatus('Importing…');
    const answer = await port.importText(text, passphrase);
    setStatus(answer.ok ? imported(answer.value, passphrase !== undefined) : '');
    onChanged();
    return answer.ok ? null : answer.error;
  };
  const importFile = async (file: Blob | undefined): Promise<void> => {
    if (!file) return;
    setEncrypted(null);
    if (file.size > MAX_FILE_SIZE) {
      setStatus('');
      return setError(TOO_LARGE);
    }
    const text = await file.text();
    const problem = await read(text);
    if (problem?.code === 'IMPORT_PASSPHRASE_NEEDED') setEncrypted(text);
    else setError(problem);
  };
  return { status, error, setError, showStatus, encrypted, setEncrypted, save, read, importFile };
}

function FilePicker({ onPick }: { onPick: (file: Blob | undefined) => Promise<void> }): JSX.Element {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => picker.current?.click()}>Import</Button>
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Environments file to import"
        onChange={(event) => {
          void onPick(event.currentTarget.files?.[0]);
          // Without this, choosing the same file again fires no change event.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

function imported({ added, present, tokens }: ImportOutcome, hasTokens: boolean): string {
  const skipped =
    present > 0
      ? ` Skipped ${formatCount(present)} that already ${present === 1 ? 'exists' : 'exist'}${hasTokens ? ', with any token' : ''}.`
      : '';
  if (tokens > 0) return `Imported ${plural(added, 'environment')} with ${plural(tokens, 'token')}.${skipped}`;
  const missing = added > 0 ? ' Edit them to enter their tokens.' : '';
  return `Imported ${plural(added, 'environment')}.${skipped}${missing}`;
}

interface FormProps {
  onSubmit: (passphrase: string) => Promise<ErrorValue | null>;
  onDone: () => void;
}

/** Asks for a passphrase to encrypt the export with. */
function ExportForm({ onSubmit, onDone }: FormProps): JSX.Element {
  const [value, setValue] = useState(NO_PASSPHRASE);
  const problems = passphraseProblems(value);
  return (
    <SmallForm
      label="Export with tokens"
      action="Export file"
      isValid={Object.keys(problems).length === 0}
      onSubmit={() => onSubmit(value.passphrase)}
      onDone={onDone}
      onCancel={onDone}
    >
      {(wasSubmitted) => (
        <>
          <p class="hint">
            Anyone with the file and this passphrase can use the tokens. Send the file and the passphrase separately.
          </p>
          <NewPassphraseFields value={value} problems={wasSubmitted ? problems : {}} onChange={setValue} />
        </>
      )}
    </SmallForm>
  );
}

/** Asks for the passphrase of the chosen file. */
function ImportForm({ onSubmit, onDone }: FormProps): JSX.Element {
  const [passphrase, setPassphrase] = useState('');
  const missing = passphrase === '' ? 'Enter the passphrase.' : null;
  return (
    <SmallForm
      label="File passphrase"
      action="Import file"
      isValid={missing === null}
      onSubmit={() => onSubmit(passphrase)}
      onDone={onDone}
      onCancel={onDone}
      refusal={/^IMPORT_PASSPHRASE_/}
    >
      {(wasSubmitted, refusal) => (
        <Field
          name="file-passphrase"
          label="File passphrase"
          type="password"
          value={passphrase}
          hint="The passphrase set when this file was exported."
          problem={refusal ?? (wasSubmitted ? missing : null)}
          onInput={setPassphrase}
        />
      )}
    </SmallForm>
  );
}
