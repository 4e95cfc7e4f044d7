/** Fields for a new passphrase, typed twice. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import * as v from 'valibot';
import { plural } from '../../lib/shared/format.ts';
import { Checkbox, Field } from '../ui/field.tsx';
import { NewPassphrase, PASSPHRASE_LENGTH } from '../../lib/extension/messaging/model/lock.ts';

export interface TwicePassphrase {
  passphrase: string;
  again: string;
}
export const NO_PASSPHRASE: TwicePassphrase = { passphrase: '', again: '' };

/** Error text for each of the two fields. */
export function passphraseProblems({ passphrase, again }: TwicePassphrase): Partial<TwicePassphrase> {
  const parsed = v.safeParse(NewPassphrase, passphrase);
  if (!parsed.success) return { passphrase: parsed.issues[0].message };
  return passphrase === again ? {} : { again: 'The passphrases don’t match.' };
}

export interface NewPassphraseFieldsProps {
  value: TwicePassphrase;
  problems: Partial<TwicePassphrase>;
  onChange: (value: TwicePassphrase) => void;
}

export function NewPassphraseFields({ value, problems, onChange }: NewPassphraseFieldsProps): JSX.Element {
  const [isShown, setShown] = useState(false);
  const type = isShown ? 'text' : 'password';
  return (
    <>
      <div class="pair">
        <Field
          name="new-passphrase"
          label="New passphrase"
          type={type}
          autocomplete="new-password"
          value={value.passphrase}
          hint={passphraseStrength(value.passphrase.length)}
          problem={problems.passphrase ?? null}
          onInput={(passphrase) => onChange({ ...value, passphrase })}
        />
        <Field
          name="new-passphrase-again"
          label="Repeat new passphrase"
          type={type}
          autocomplete="new-password"
          value={value.again}
          problem={problems.again ?? null}
          onInput={(again) => onChange({ ...value, again })}
        />
      </div>
      <Checkbox name="show-passphrase" label="Show passphrase" checked={isShown} onChange={setShown} />
    </>
  );
}

/** Rates the passphrase by its length only. */
export function passphraseStrength(length: number): string {
  const { least } = PASSPHRASE_LENGTH;
  if (length === 0) return `At least ${least} characters. Several words are easier to remember than symbols.`;
  if (length < least) return `${plural(least - length, 'more character')} needed.`;
  if (length < 16) return 'Fair. A longer one is safer if someone copies your disk.';
  return length < 24 ? 'Good, unless its words are easy to guess.' : 'Strong. Keep it in a safe place.';
}
