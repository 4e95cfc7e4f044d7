/** Owns moving environments between browsers: without their tokens, or with them under a passphrase of the file's own. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ErrorValue, ImportOutcome } from '../../lib/platform-api/index.ts';
import { Field } from '../ui/field.tsx';
import { Alert, Button } from '../ui/index.ts';
import { NO_PASSPHRASE, NewPassphraseFields, passphraseProblems } from './new-passphrase.tsx';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import { SmallForm } from './small-form.tsx';

const FILE_NAME = 'platform-environments.json';
/** In bytes. The worker refuses such a file as well; this one is not even read. */
const LARGEST_FILE = 4 * 1024 * 1024;
const TOO_LARGE: ErrorValue = {
  code: 'IMPORT_TOO_LARGE',
  message: 'The file is far larger than a list of environments can be.',
  hint: 'Choose a file that was exported on an options page of this extension.',
};

export interface TransferSectionProps {
  isEmpty: boolean;
  port: OptionsPort;
  onChanged: () => void;
}

export function TransferSection({ isEmpty, port, onChanged }: TransferSectionProps): JSX.Element {
  const [status, setStatus] = useState('');
  const [error, setError] = useState<ErrorValue | null>(null);
  const [withTokens, setWithTokens] = useState(false);
  /** The chosen file's text, while its passphrase is asked for. */
  const [sealed, setSealed] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const exporter = useRef<HTMLDivElement>(null);

  const say = (text: string): void => {
    setError(null);
    setStatus(text);
  };
  const close = (): void => {
    setWithTokens(false);
    setSealed(null);
    exporter.current?.querySelector('button')?.focus();
  };
  /** What went wrong; null when the file was handed over. */
  const save = async (passphrase?: string): Promise<ErrorValue | null> => {
    say('');
    const made = await port.exportText(passphrase);
    if (!made.ok) return made.error;
    port.download(FILE_NAME, made.value.text);
    setStatus(
      passphrase === undefined ? '' : 'Exported with the tokens. The file opens with its passphrase alone: keep it.',
    );
    return null;
  };
  const read = async (text: string, passphrase?: string): Promise<ErrorValue | null> => {
    say('Importing…');
    const answer = await port.importText(text, passphrase);
    setStatus(answer.ok ? imported(answer.value) : '');
    onChanged();
    return answer.ok ? null : answer.error;
  };
  const take = async (file: Blob | undefined): Promise<void> => {
    if (!file) return;
    setSealed(null);
    if (file.size > LARGEST_FILE) {
      setStatus('');
      return setError(TOO_LARGE);
    }
    const text = await file.text();
    const refused = await read(text);
    if (refused?.code === 'IMPORT_PASSPHRASE_NEEDED') setSealed(text);
    else setError(refused);
  };

  return (
    <section aria-labelledby="transfer-title">
      <h2 id="transfer-title">Move to another browser</h2>
      <p class="hint">
        The file holds names, addresses and namespaces. Tokens go into it when you give it a passphrase of its own.
      </p>
      {error ? <Alert error={error} onDismiss={() => setError(null)} /> : null}
      <div class="form-actions" ref={exporter}>
        <Button
          unavailable={isEmpty ? 'There is no environment to export.' : null}
          onClick={() => void save().then(setError)}
        >
          Export
        </Button>
        <Button
          unavailable={isEmpty ? 'There is no environment to export.' : null}
          onClick={() => {
            say('');
            setSealed(null);
            setWithTokens(true);
          }}
        >
          Export with tokens
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
        <span class="status" role="status">
          {status}
        </span>
      </div>
      {withTokens ? <SealForm onSubmit={save} onDone={close} /> : null}
      {sealed === null ? null : (
        <OpenForm key={sealed} onSubmit={(passphrase) => read(sealed, passphrase)} onDone={close} />
      )}
    </section>
  );
}

function imported({ added, present, tokens }: ImportOutcome): string {
  const there = present > 0 ? `; ${present} ${present === 1 ? 'was' : 'were'} there already` : '';
  if (tokens > 0) return `Imported ${added}${there}, with ${tokens} ${tokens === 1 ? 'token' : 'tokens'}.`;
  return `Imported ${added}${there}.${added > 0 ? ' No token was in the file: press Edit to enter them.' : ''}`;
}

interface FormProps {
  onSubmit: (passphrase: string) => Promise<ErrorValue | null>;
  onDone: () => void;
}

/** Asks for the passphrase that a file is to have. */
function SealForm({ onSubmit, onDone }: FormProps): JSX.Element {
  const [value, setValue] = useState(NO_PASSPHRASE);
  const problems = passphraseProblems(value);
  return (
    <SmallForm
      label="Export with tokens"
      does="Export the file"
      isValid={Object.keys(problems).length === 0}
      onSubmit={() => onSubmit(value.passphrase)}
      onDone={onDone}
      onCancel={onDone}
    >
      {(tried) => (
        <>
          <p class="hint">Whoever has the file and this passphrase has the tokens. Send the two on different ways.</p>
          <NewPassphraseFields value={value} problems={tried ? problems : {}} onChange={setValue} />
        </>
      )}
    </SmallForm>
  );
}

/** Asks for the passphrase that a chosen file has. */
function OpenForm({ onSubmit, onDone }: FormProps): JSX.Element {
  const [passphrase, setPassphrase] = useState('');
  const missing = passphrase === '' ? 'Enter the passphrase.' : null;
  return (
    <SmallForm
      label="Passphrase of the file"
      does="Import the file"
      isValid={missing === null}
      onSubmit={() => onSubmit(passphrase)}
      onDone={onDone}
      onCancel={onDone}
      refusal={/^IMPORT_PASSPHRASE_/}
    >
      {(tried, refusal) => (
        <Field
          name="file-passphrase"
          label="Passphrase of the file"
          type="password"
          value={passphrase}
          hint="The file holds tokens. This is the passphrase that it was exported with."
          problem={refusal ?? (tried ? missing : null)}
          onInput={setPassphrase}
        />
      )}
    </SmallForm>
  );
}
