/** Exports and imports environments as a file, optionally with tokens encrypted by a passphrase. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ErrorValue } from '../../lib/platform-api/index.ts';
import { formatCount, plural } from '../../lib/shared/format.ts';
import { Field } from '../ui/field.tsx';
import { Alert, Badge, Button } from '../ui/index.ts';
import { NO_PASSPHRASE, NewPassphraseFields, passphraseProblems } from './new-passphrase.tsx';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import { type Environment, hostOf, isLike } from '../../lib/extension/messaging/model/environment.ts';
import { SmallForm } from './small-form.tsx';
import type { ImportOutcome, ImportPreview } from '../../lib/extension/messaging/model/lock.ts';

const FILE_NAME = 'platform-environments.json';
/** In bytes. Larger files are rejected without being read. */
const MAX_FILE_SIZE = 4 * 1024 * 1024;
const TOO_LARGE: ErrorValue = {
  code: 'IMPORT_TOO_LARGE',
  message: 'Couldn’t import the file: it’s too large for an environments file.',
  hint: 'Choose a file exported from this extension’s options page.',
};

export interface TransferSectionProps {
  environments: readonly Environment[];
  port: OptionsPort;
  onChanged: () => void;
}

export function TransferSection({ environments, port, onChanged }: TransferSectionProps): JSX.Element {
  const isEmpty = environments.length === 0;
  const { status, error, setError, showStatus, chosen, setChosen, save, read, importFile } = useTransfer(
    port,
    onChanged,
  );
  const [withTokens, setWithTokens] = useState(false);
  const exporter = useRef<HTMLDivElement>(null);

  const close = (): void => {
    setWithTokens(false);
    setChosen(null);
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
            setChosen(null);
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
      {chosen ? (
        <ImportForm
          key={chosen.text}
          {...chosen.preview}
          stored={environments}
          onSubmit={(passphrase) => read(chosen.text, passphrase)}
          onDone={close}
        />
      ) : null}
    </section>
  );
}

function useTransfer(port: OptionsPort, onChanged: () => void) {
  const [status, setStatus] = useState('');
  const [error, setError] = useState<ErrorValue | null>(null);
  /** The file that the user is asked about. */
  const [chosen, setChosen] = useState<{ text: string; preview: ImportPreview } | null>(null);

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
    setChosen(null);
    if (file.size > MAX_FILE_SIZE) {
      setStatus('');
      return setError(TOO_LARGE);
    }
    showStatus('');
    const text = await file.text();
    const preview = await port.readFile(text);
    if (preview.ok) setChosen({ text, preview: preview.value });
    else setError(preview.error);
  };
  return { status, error, setError, showStatus, chosen, setChosen, save, read, importFile };
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

interface ImportFormProps extends ImportPreview {
  stored: readonly Environment[];
  onSubmit: (passphrase: string | undefined) => Promise<ErrorValue | null>;
  onDone: () => void;
}

/** Shows what the chosen file has, and asks for its passphrase if it has tokens. */
function ImportForm({ environments, hasTokens, stored, onSubmit, onDone }: ImportFormProps): JSX.Element {
  const [passphrase, setPassphrase] = useState('');
  const missing = hasTokens && passphrase === '' ? 'Enter the passphrase.' : null;
  return (
    <SmallForm
      label="Import environments"
      action="Import file"
      isValid={missing === null}
      onSubmit={() => onSubmit(hasTokens ? passphrase : undefined)}
      onDone={onDone}
      onCancel={onDone}
      refusal={/^IMPORT_PASSPHRASE_/}
    >
      {(wasSubmitted, refusal) => (
        <>
          <p class="hint">
            The file has {plural(environments.length, 'environment')}. Import them only if you trust their base URLs
            with your tokens.
          </p>
          <ul class="file-environments" tabIndex={0} aria-label="Environments in the file">
            {environments.map((one, index) => (
              <FileEnvironment key={index} one={one} like={one.isPresent ? undefined : likeOf(one, stored)} />
            ))}
          </ul>
          {hasTokens ? (
            <Field
              name="file-passphrase"
              label="File passphrase"
              type="password"
              value={passphrase}
              hint="The passphrase set when this file was exported."
              problem={refusal ?? (wasSubmitted ? missing : null)}
              onInput={setPassphrase}
            />
          ) : null}
        </>
      )}
    </SmallForm>
  );
}

type FromFile = ImportPreview['environments'][number];

const likeOf = ({ name }: FromFile, stored: readonly Environment[]): Environment | undefined =>
  stored.find((other) => isLike(other.name, name));

function FileEnvironment({ one, like }: { one: FromFile; like: Environment | undefined }): JSX.Element {
  const { name, baseUrl, production, pageUrls, hasToken, isPresent } = one;
  return (
    <li>
      <div class="form-actions">
        <strong class="untrusted">{name}</strong>
        {production ? <Badge tone="danger">Production</Badge> : null}
        {hasToken ? <Badge>With token</Badge> : null}
        {isPresent ? <Badge>Already exists</Badge> : null}
      </div>
      <code class="untrusted" title={baseUrl}>
        {baseUrl}
      </code>
      {pageUrls.length > 0 ? (
        <div class="hint untrusted" title={pageUrls.join('\n')}>
          Pages at {pageUrls.map((url) => hostOf({ baseUrl: url })).join(', ')}
        </div>
      ) : null}
      {like ? (
        <div class="missing">
          Not your <bdi class="untrusted">{like.name}</bdi>, which is at <code class="untrusted">{hostOf(like)}</code>
        </div>
      ) : null}
    </li>
  );
}
