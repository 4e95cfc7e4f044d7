/** A form that adds or edits an environment. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorValue } from '../../lib/platform-api/index.ts';
import { Checkbox, Field, Select } from '../ui/field.tsx';
import { Alert, Button } from '../ui/index.ts';
import { connectedText } from './environment-card.tsx';
import type { Draft, Problems } from '../../lib/extension/options/draft.ts';
import { readDraft, tokenLeftBehind, withPreset } from '../../lib/extension/options/draft.ts';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import {
  type Environment,
  type EnvironmentInput,
  type Preset,
  PRESET_NAMES,
} from '../../lib/extension/messaging/model/environment.ts';

export interface EnvironmentFormProps {
  start: Draft;
  /** The environment being edited; undefined for a new one. */
  stored?: Environment;
  port: OptionsPort;
  onSaved(environment: Environment, isAllowed: boolean): Promise<void>;
  onCancel(): void;
}

/** The latest task's result. Editing a field clears `status`, but not `error`. */
interface Outcome {
  error?: ErrorValue | undefined;
  status?: string;
}

type Task = 'saving' | 'testing' | null;
const PRESETS = (Object.keys(PRESET_NAMES) as Preset[]).map((value) => ({ value, label: PRESET_NAMES[value] }));

export function EnvironmentForm({ start, stored, port, onSaved, onCancel }: EnvironmentFormProps): JSX.Element {
  const [draft, setDraft] = useState(start);
  const [wasSubmitted, setSubmitted] = useState(false);
  const { running, start: startTask, cancel } = useTask(port);
  const [{ error, status }, setOutcome] = useState<Outcome>({});
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => form.current?.querySelector<HTMLElement>('select')?.focus(), []);
  const read = readDraft(draft);
  const problems: Problems = wasSubmitted && !read.ok ? read.problems : {};
  const set = (change: Partial<Draft>): void => {
    setDraft({ ...draft, ...change });
    setOutcome({ error });
  };
  const stopTest = (): void => {
    cancel();
    setOutcome({});
  };

  function begin(kind: Exclude<Task, null>, work: Work): void {
    if (running) return;
    setSubmitted(true);
    setOutcome({});
    // The fields aren't marked as invalid until the next render.
    if (!read.ok) setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    else startTask(kind, read.input, work);
  }

  const save = (event: Event): void => {
    event.preventDefault();
    begin('saving', async (input, isAllowed, isCurrent) => {
      const saved = await port.save(input);
      if (!isCurrent()) return;
      if (saved.ok) await onSaved(saved.value, isAllowed);
      else setOutcome({ error: saved.error });
    });
  };
  const test = (): void =>
    begin('testing', async (draft, _isAllowed, isCurrent) => {
      setOutcome({ status: `Testing ${new URL(draft.baseUrl).host}…` });
      const answer = await port.test({ draft });
      if (isCurrent()) setOutcome(answer.ok ? { status: connectedText(answer.value) } : { error: answer.error });
    });

  return (
    <form
      ref={form}
      class="environment-form"
      aria-label={stored ? `Edit ${stored.name}` : 'New environment'}
      noValidate
      onSubmit={save}
    >
      <Fields draft={draft} stored={stored} problems={problems} set={set} />
      {error ? <Alert error={error} onDismiss={() => setOutcome({})} /> : null}
      <FormActions
        isBusy={running !== null}
        status={running === 'saving' ? 'Saving…' : (status ?? '')}
        onTest={test}
        onCancel={running === 'testing' ? stopTest : onCancel}
      />
    </form>
  );
}

interface FormActionsProps {
  isBusy: boolean;
  status: string;
  onTest: () => void;
  onCancel: () => void;
}

function FormActions({ isBusy, status, onTest, onCancel }: FormActionsProps): JSX.Element {
  const unavailable = isBusy ? 'Wait for this to finish' : null;
  return (
    <div class="form-actions">
      <Button kind="primary" type="submit" unavailable={unavailable}>
        Save
      </Button>
      <Button unavailable={unavailable} onClick={onTest}>
        Test connection
      </Button>
      <Button kind="quiet" onClick={onCancel}>
        Cancel
      </Button>
      <span class="status" role="status">
        {status}
      </span>
    </div>
  );
}

const LOCAL_URL_HINT = (
  <>
    The URL that <code>npm run platform</code> prints.
  </>
);

interface FieldsProps {
  draft: Draft;
  stored: Environment | undefined;
  problems: Problems;
  set: (change: Partial<Draft>) => void;
}

function Fields(props: FieldsProps): JSX.Element {
  const { draft, problems, set } = props;
  return (
    <>
      <div class="pair">
        <Select
          name="preset"
          label="Preset"
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
        hint={draft.preset === 'local' ? LOCAL_URL_HINT : 'The part of the URL before /v1.'}
        problem={problems.baseUrl ?? null}
        required
        onInput={(baseUrl) => set({ baseUrl })}
      />
      <TokenField {...props} />
      <div class="pair">
        <Field
          name="namespace"
          label="Namespace"
          value={draft.namespace}
          hint="The platform’s global object in a page."
          problem={problems.namespace ?? null}
          onInput={(namespace) => set({ namespace })}
        />
        <div class="mark-production">
          <Checkbox
            name="production"
            label="Production"
            checked={draft.production}
            onChange={(production) => set({ production })}
          />
          <span class="hint">Shows a warning wherever this environment is selected.</span>
        </div>
      </div>
    </>
  );
}

function TokenField({ draft, stored, problems, set }: FieldsProps): JSX.Element {
  const isLocked = stored?.problem?.code === 'VAULT_LOCKED';
  const [isReplacing, setReplacing] = useState(stored?.maskedToken == null && !isLocked);
  const previousUrl = tokenLeftBehind(draft, stored);
  if (!isReplacing && previousUrl === null)
    return (
      <div class="field">
        <span class="label">Auth token</span>
        <span class="stored-token">
          {isLocked ? <span class="missing">locked</span> : <code>{stored?.maskedToken}</code>}
          <Button kind="quiet" onClick={() => setReplacing(true)}>
            Replace
          </Button>
        </span>
      </div>
    );
  return (
    <Field
      name="token"
      label="Auth token"
      type="password"
      autocomplete="new-password"
      value={draft.token}
      hint={
        previousUrl
          ? `The stored token belongs to ${previousUrl}. Enter the token for this base URL.`
          : 'Stored encrypted. Sent only to the base URL, in the Auth-token header.'
      }
      problem={problems.token ?? null}
      onInput={(token) => set({ token })}
    />
  );
}

type Work = (input: EnvironmentInput, isAllowed: boolean, isCurrent: () => boolean) => Promise<void>;

/** Runs one task at a time, after requesting access to the base URL. Ignores results of canceled tasks. */
function useTask(port: OptionsPort): {
  running: Task;
  start: (kind: Exclude<Task, null>, input: EnvironmentInput, work: Work) => void;
  cancel: () => void;
} {
  const [running, setRunning] = useState<Task>(null);
  /** Identifies the latest task. */
  const latest = useRef(0);
  /** Base URLs for which access was requested, and the last task that needed it. */
  const requested = useRef(new Set<string>());
  const lastTask = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    const release = (): void => requested.current.forEach((baseUrl) => void port.releaseAccess(baseUrl));
    window.addEventListener('pagehide', release);
    return () => {
      window.removeEventListener('pagehide', release);
      latest.current++;
      // A pending save might still need its access, so wait for the last task to end.
      void lastTask.current.finally(release);
    };
  }, []);

  // Browsers allow permission requests only synchronously, inside a click handler.
  const start = (kind: Exclude<Task, null>, input: EnvironmentInput, work: Work): void => {
    const permission = port.requestAccess(input.baseUrl);
    requested.current.add(input.baseUrl);
    const task = ++latest.current;
    const isCurrent = (): boolean => latest.current === task;
    setRunning(kind);
    lastTask.current = permission
      .then((isAllowed) => (isCurrent() ? work(input, isAllowed, isCurrent) : undefined))
      .finally(() => isCurrent() && setRunning(null));
  };
  const cancel = (): void => {
    latest.current++;
    setRunning(null);
  };
  return { running, start, cancel };
}
