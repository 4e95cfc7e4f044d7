/** Owns choosing a passphrase: typed twice, hidden or shown, and what its length is worth. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import * as v from 'valibot';
import { NewPassphrase, PASSPHRASE_LENGTH } from '../../lib/platform-api/index.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';

export interface TwicePassphrase {
  passphrase: string;
  again: string;
}
export const NO_PASSPHRASE: TwicePassphrase = { passphrase: '', again: '' };

/** What is wrong with each of the two; an empty object when nothing is. */
export function passphraseProblems({ passphrase, again }: TwicePassphrase): Partial<TwicePassphrase> {
  const parsed = v.safeParse(NewPassphrase, passphrase);
  if (!parsed.success) return { passphrase: parsed.issues[0].message };
  return passphrase === again ? {} : { again: 'The two are not the same.' };
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
          hint={worth(value.passphrase.length)}
          problem={problems.passphrase ?? null}
          onInput={(passphrase) => onChange({ ...value, passphrase })}
        />
        <Field
          name="new-passphrase-again"
          label="The same again"
          type={type}
          autocomplete="new-password"
          value={value.again}
          problem={problems.again ?? null}
          onInput={(again) => onChange({ ...value, again })}
        />
      </div>
      <Checkbox name="show-passphrase" label="Show what I type" checked={isShown} onChange={setShown} />
    </>
  );
}

/** By its length alone: nothing else about it can be known here. */
export function worth(length: number): string {
  const { least } = PASSPHRASE_LENGTH;
  if (length === 0) return `At least ${least} characters. Several words are easier to keep than signs.`;
  if (length < least) return `${least - length} more ${least - length === 1 ? 'character' : 'characters'}.`;
  if (length < 16) return 'Enough against tries at this machine; longer is better against a copied disk.';
  return length < 24 ? 'Good, unless its words can be guessed.' : 'Long. Keep it where you find it again.';
}
