/** Owns the form that adds or changes one environment. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Environment, EnvironmentInput, ErrorValue, Preset } from '../../lib/platform-api/index.ts';
import { PRESET_NAMES } from '../../lib/platform-api/index.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Alert, Button } from '../ui/index.ts';
import type { Draft, Problems } from '../../lib/extension/options/draft.ts';
import { readDraft, tokenLeftBehind, withPreset } from '../../lib/extension/options/draft.ts';
import type { OptionsPort } from '../../lib/extension/options/port.ts';

export interface EnvironmentFormProps {
  start: Draft;
  /** What is stored, when an environment is changed. */
  stored?: Environment;
  port: OptionsPort;
  onSaved(environment: Environment, allowed: boolean): Promise<void>;
  onCancel(): void;
}

type Work = 'saving' | 'testing' | null;
const PRESETS = (Object.keys(PRESET_NAMES) as Preset[]).map((value) => ({ value, label: PRESET_NAMES[value] }));

export function EnvironmentForm({ start, stored, port, onSaved, onCancel }: EnvironmentFormProps): JSX.Element {
  const isLocked = stored?.problem?.code === 'VAULT_LOCKED';
  const [draft, setDraft] = useState(start);
  const [tried, setTried] = useState(false);
  const [replacing, setReplacing] = useState(stored?.maskedToken == null && !isLocked);
  const [work, setWork] = useState<Work>(null);
  const [error, setError] = useState<ErrorValue | null>(null);
  const [status, setStatus] = useState('');
  const form = useRef<HTMLFormElement>(null);
  /** Counts up with every wait that is begun or given up: an answer to an older one is not wanted any more. */
  const wait = useRef(0);

  useEffect(() => form.current?.querySelector<HTMLElement>('select')?.focus(), []);
  /** The addresses that access was asked for, and the last thing that was done with it. */
  const asked = useRef(new Set<string>());
  const last = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    const release = (): void => asked.current.forEach((baseUrl) => void port.releaseAccess(baseUrl));
    window.addEventListener('pagehide', release);
    return () => {
      window.removeEventListener('pagehide', release);
      wait.current++;
      // What is being asked for or saved now is given up, or needed, only then.
      void last.current.finally(release);
    };
  }, []);

  const read = readDraft(draft);
  const problems: Problems = tried && !read.ok ? read.problems : {};
  const leftBehind = tokenLeftBehind(draft, stored);
  const set = (change: Partial<Draft>): void => {
    setDraft({ ...draft, ...change });
    setStatus('');
  };

  /** Asks for access in this very turn, as browsers demand, then does `job` unless it was given up meanwhile. */
  function begin(
    kind: Exclude<Work, null>,
    job: (input: EnvironmentInput, allowed: boolean, current: () => boolean) => Promise<void>,
  ): void {
    if (work) return;
    setTried(true);
    setError(null);
    setStatus('');
    if (!read.ok) {
      // Once the marks are there.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    const { input } = read;
    const answered = port.requestAccess(input.baseUrl);
    asked.current.add(input.baseUrl);
    const mine = ++wait.current;
    const current = (): boolean => wait.current === mine;
    setWork(kind);
    last.current = answered
      .then((allowed) => (current() ? job(input, allowed, current) : undefined))
      .finally(() => current() && setWork(null));
  }

  const save = (): void =>
    begin('saving', async (input, allowed, current) => {
      const saved = await port.save(input);
      if (!current()) return;
      if (saved.ok) await onSaved(saved.value, allowed);
      else setError(saved.error);
    });
  const test = (): void =>
    begin('testing', async (draft, _allowed, current) => {
      setStatus(`Asking ${new URL(draft.baseUrl).host}…`);
      const answer = await port.test({ draft });
      if (!current()) return;
      setStatus(
        answer.ok
          ? `Connected: the token sees ${answer.value.apps} ${answer.value.apps === 1 ? 'app' : 'apps'} (${answer.value.milliseconds} ms).`
          : '',
      );
      if (!answer.ok) setError(answer.error);
    });
  const giveUp = (): void => {
    wait.current++;
    setWork(null);
    setStatus('');
  };

  const showToken = replacing || leftBehind !== null;
  return (
    <form
      ref={form}
      class="environment-form"
      aria-label={stored ? `Change ${stored.name}` : 'New environment'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div class="pair">
        <Select
          name="preset"
          label="Kind"
          value={draft.preset}
          options={PRESETS}
          onChange={(preset) => set(withPreset(draft, preset as Preset))}
        />
        <Field
          name="name"
          label="Name"
          value={draft.name}
          problem={problems.name ?? null}
          required
          onInput={(name) => set({ name })}
        />
      </div>
      <Field
        name="baseUrl"
        label="Base URL"
        type="url"
        value={draft.baseUrl}
        placeholder="https://api.example.com"
        hint={
          draft.preset === 'local' ? (
            <>
              Where <code>npm run platform</code> listens.
            </>
          ) : (
            'The region’s address: what stands before /v1.'
          )
        }
        problem={problems.baseUrl ?? null}
        required
        onInput={(baseUrl) => set({ baseUrl })}
      />
      {showToken ? (
        <Field
          name="token"
          label="Auth token"
          type="password"
          autocomplete="new-password"
          value={draft.token}
          hint={
            leftBehind
              ? `The stored token was entered for ${leftBehind} and goes nowhere else: enter the one of this address.`
              : 'Stored encrypted; sent to the base URL alone, in the Auth-token header.'
          }
          problem={problems.token ?? null}
          onInput={(token) => set({ token })}
        />
      ) : (
        <div class="field">
          <span class="label">Auth token</span>
          <span class="stored-token">
            {isLocked ? <span class="missing">locked</span> : <code>{stored?.maskedToken}</code>}
            <Button kind="quiet" onClick={() => setReplacing(true)}>
              Replace
            </Button>
          </span>
        </div>
      )}
      <div class="pair">
        <Field
          name="namespace"
          label="Namespace"
          value={draft.namespace}
          hint="The global object of the platform in a page."
          problem={problems.namespace ?? null}
          onInput={(namespace) => set({ namespace })}
        />
        <div class="mark-production">
          <Checkbox
            name="production"
            label="Production: real people use it"
            checked={draft.production}
            onChange={(production) => set({ production })}
          />
          <span class="hint">Marked wherever it is chosen, so that you notice before you run anything.</span>
        </div>
      </div>
      {error ? <Alert error={error} onDismiss={() => setError(null)} /> : null}
      <div class="form-actions">
        <Button kind="primary" type="submit" unavailable={work ? 'One moment.' : null}>
          Save
        </Button>
        <Button unavailable={work ? 'One moment.' : null} onClick={test}>
          Test connection
        </Button>
        {work === 'testing' ? (
          <Button kind="quiet" onClick={giveUp}>
            Stop waiting
          </Button>
        ) : (
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <span class="status" role="status">
          {work === 'saving' ? 'Saving…' : status}
        </span>
      </div>
    </form>
  );
}
