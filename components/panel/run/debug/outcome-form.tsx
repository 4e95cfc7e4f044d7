/** Chooses what happens instead of the paused step: a value, an error, a skip, or the branch of an `if`. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import {
  outcomeButton,
  type OutcomeForm as OutcomeState,
  type OutcomeKind,
} from '../../../../lib/extension/panel/run/debug/outcome-form.ts';
import type { RunDebug } from '../../../../lib/extension/panel/run/debug/run-debug.ts';
import { Field } from '../../../ui/field.tsx';
import { Alert, Button } from '../../../ui/index.ts';
import { takeEscape } from '../../shared/take-escape.ts';
import { JsonText } from '../mocks/json-text.tsx';
import { Radio } from './radio.tsx';
import './outcome-form.css';

const LABELS: Record<OutcomeKind, string> = { value: 'Value', error: 'Error', skip: 'Skip', branch: 'Branch' };
const HINTS: Record<OutcomeKind, string> = {
  value: 'The step isn’t executed, and has this value. Its nested steps still run.',
  error: 'The step isn’t executed, and fails with this error.',
  skip: 'The step and its nested steps don’t run.',
  branch: 'No condition is evaluated. The run takes this branch, and the step is marked as forced.',
};
const AFTER_FAILURE: Partial<Record<OutcomeKind, string>> = {
  value: 'The step counts as completed with this value, and the run continues.',
  error: 'The step fails with this error instead.',
  skip: 'The step counts as skipped, and the run continues.',
};

export function OutcomeForm({ debug }: { debug: RunDebug }): JSX.Element {
  const { outcome, pause } = debug;
  const form = useRef<HTMLFormElement>(null);
  const kind = outcome.kind.value;
  const current = pause.current.value;
  const isFailure = current?.reason === 'failure';
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input:checked')?.focus();
  }, []);
  return (
    <form
      ref={form}
      class="outcome-form"
      aria-label="Outcome of the step"
      data-outcome={kind}
      onSubmit={(event) => {
        event.preventDefault();
        void outcome.submit();
      }}
      onKeyDown={(event) => {
        if (takeEscape(event)) outcome.close();
      }}
    >
      <div class="kinds" role="radiogroup" aria-label="Outcome">
        {outcome.kinds.value.map((one) => (
          <Radio
            key={one}
            name="outcome-kind"
            value={one}
            label={LABELS[one]}
            checked={kind === one}
            onChoose={() => outcome.choose(one)}
          />
        ))}
      </div>
      <p class="muted">{(isFailure && AFTER_FAILURE[kind]) || HINTS[kind]}</p>
      <Fields outcome={outcome} kind={kind} />
      {outcome.error.value ? <Alert error={outcome.error.value} /> : null}
      <div class="buttons">
        <Button kind="primary" type="submit" unavailable={outcome.problem.value ?? pause.cannotResume.value}>
          {outcomeButton(kind, current)}
        </Button>
        <Button onClick={outcome.close}>Cancel</Button>
      </div>
    </form>
  );
}

function Fields({ outcome, kind }: { outcome: OutcomeState; kind: OutcomeKind }): JSX.Element | null {
  if (kind === 'skip') return null;
  if (kind === 'branch') return <Branches outcome={outcome} />;
  if (kind === 'value')
    return (
      <JsonText
        name="outcome-value"
        label="Value as JSON, or empty for none"
        text={outcome.value.value}
        problem={outcome.problem.value ?? undefined}
        onText={(text) => {
          outcome.value.value = text;
        }}
      />
    );
  return (
    <div class="error-fields">
      <Field
        name="outcome-error-name"
        label="Error name"
        placeholder="Error"
        value={outcome.errorName.value}
        onInput={(text) => {
          outcome.errorName.value = text;
        }}
      />
      <Field
        name="outcome-error-message"
        label="Error message"
        value={outcome.errorMessage.value}
        onInput={(text) => {
          outcome.errorMessage.value = text;
        }}
      />
    </div>
  );
}

const Branches = ({ outcome }: { outcome: OutcomeState }): JSX.Element => (
  <div class="branches" role="radiogroup" aria-label="Branch">
    {outcome.branches.value.map(({ id, label, condition }) => (
      <Radio
        key={id}
        name="outcome-branch"
        value={id}
        label={
          <>
            {label} {condition === undefined ? null : <code class="untrusted">{condition}</code>}
          </>
        }
        checked={outcome.branchId.value === id}
        onChoose={() => {
          outcome.branchId.value = id;
        }}
      />
    ))}
  </div>
);
