/** A form for the passphrase. Shows fields for the current and new passphrase as needed. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Result } from '../../lib/platform-api/index.ts';
import { Field } from '../ui/field.tsx';
import { NO_PASSPHRASE, NewPassphraseFields, passphraseProblems } from './new-passphrase.tsx';
import { SmallForm } from './small-form.tsx';
import type { VaultState } from '../../lib/extension/messaging/model/lock.ts';

export interface LockFormProps {
  /** Used as the form’s label and on its submit button. */
  action: string;
  asksCurrent?: boolean;
  asksNew?: boolean;
  children?: ComponentChildren;
  /** Fields that aren’t shown are passed as empty strings. */
  onSubmit: (current: string, next: string) => Promise<Result<VaultState>>;
  onDone: () => void;
  onCancel: () => void;
}

export function LockForm({
  action,
  asksCurrent = false,
  asksNew = false,
  children,
  onSubmit,
  onDone,
  onCancel,
}: LockFormProps): JSX.Element {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState(NO_PASSPHRASE);
  const missing = asksCurrent && current === '' ? 'Enter the passphrase.' : null;
  const problems = asksNew ? passphraseProblems(next) : {};
  const submit = async () => {
    const answer = await onSubmit(current, next.passphrase);
    return answer.ok ? null : answer.error;
  };
  return (
    <SmallForm
      label={action}
      action={action}
      isValid={missing === null && Object.keys(problems).length === 0}
      onSubmit={submit}
      onDone={onDone}
      onCancel={onCancel}
      {...(asksCurrent && { refusal: /^PASSPHRASE_/ })}
    >
      {(wasSubmitted, refusal) => (
        <>
          {asksCurrent ? (
            <Field
              name="current-passphrase"
              label="Current passphrase"
              type="password"
              value={current}
              problem={refusal ?? (wasSubmitted ? missing : null)}
              onInput={setCurrent}
            />
          ) : null}
          {asksNew ? (
            <NewPassphraseFields value={next} problems={wasSubmitted ? problems : {}} onChange={setNext} />
          ) : null}
          {children}
        </>
      )}
    </SmallForm>
  );
}
