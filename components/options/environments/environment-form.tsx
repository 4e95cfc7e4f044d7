/** A form that adds or edits an environment. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorValue } from '../../../lib/platform-api/index.ts';
import { Alert, Button } from '../../ui/index.ts';
import { connectedText } from './environment-card.tsx';
import { Fields } from './environment-fields.tsx';
import { type Finding, LocalFinder } from './local-finder.tsx';
import { useTask, type Work } from './use-task.ts';
import type { Draft } from '../../../lib/extension/options/draft.ts';
import { readDraft } from '../../../lib/extension/options/draft.ts';
import type { OptionsPort } from '../../../lib/extension/options/port.ts';
import type { Environment, EnvironmentInput } from '../../../lib/extension/messaging/model/environment.ts';

export interface EnvironmentFormProps {
  start: Draft;
  /** A search for the local platform that has started with the form. */
  finding?: Finding | null;
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

export function EnvironmentForm(props: EnvironmentFormProps): JSX.Element {
  const { start, finding, stored, port, onCancel } = props;
  const [draft, setDraft] = useState(start);
  const [wasSubmitted, setSubmitted] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const focus = (selector: string): void => form.current?.querySelector<HTMLElement>(selector)?.focus();
  useEffect(() => focus(finding ? '[name=token]' : '[name=preset]'), []);

  const read = readDraft(draft);
  const { running, outcome, setOutcome, begin, save, test, hold, cancel } = useSaveAndTest(props);
  const submit = (work: (input: EnvironmentInput) => void): void => {
    if (running) return;
    setSubmitted(true);
    setOutcome({});
    if (read.ok) work(read.input);
    // The fields aren't marked as invalid until the next render.
    else setTimeout(() => focus('[aria-invalid=true]'));
  };
  const set = (change: Partial<Draft>): void => {
    setDraft({ ...draft, ...change });
    setOutcome({ error: outcome.error });
  };
  const takeLocal = (baseUrl: string): void => {
    setDraft((draft) => ({ ...draft, baseUrl }));
    focus('[name=token]');
  };

  return (
    <form
      ref={form}
      class="environment-form"
      aria-label={stored ? `Edit ${stored.name}` : 'New environment'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit((input) => begin('saving', input, save));
      }}
    >
      <Fields draft={draft} stored={stored} problems={wasSubmitted && !read.ok ? read.problems : {}} set={set}>
        {draft.preset === 'local' ? (
          <LocalFinder port={port} baseUrl={draft.baseUrl} started={finding} hold={hold} onFound={takeLocal} />
        ) : null}
      </Fields>
      {outcome.error ? <Alert error={outcome.error} onDismiss={() => setOutcome({})} /> : null}
      <FormActions
        isBusy={running !== null}
        status={running === 'saving' ? 'Saving…' : (outcome.status ?? '')}
        onTest={() => submit((input) => begin('testing', input, test))}
        onCancel={running === 'testing' ? cancel : onCancel}
      />
    </form>
  );
}

function useSaveAndTest({ port, onSaved }: EnvironmentFormProps) {
  const { running, start: begin, hold, cancel: cancelTask } = useTask(port);
  const [outcome, setOutcome] = useState<Outcome>({});
  const save: Work = async (input, isAllowed, isCurrent) => {
    const saved = await port.save(input);
    if (!isCurrent()) return;
    if (saved.ok) await onSaved(saved.value, isAllowed);
    else setOutcome({ error: saved.error });
  };
  const test: Work = async (draft, _isAllowed, isCurrent) => {
    setOutcome({ status: `Testing ${new URL(draft.baseUrl).host}…` });
    const answer = await port.test({ draft });
    if (isCurrent()) setOutcome(answer.ok ? { status: connectedText(answer.value) } : { error: answer.error });
  };
  const cancel = (): void => {
    cancelTask();
    setOutcome({});
  };
  return { running, outcome, setOutcome, begin, save, test, hold, cancel };
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
