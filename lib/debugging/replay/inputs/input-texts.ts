/** Says what a call would get, and what it got when it was recorded, for all surfaces. Values are short, and masked. */
import { MASK } from '../../../shared/secrets/known-secrets.ts';
import { maskCredentials } from '../../../shared/secrets/credentials.ts';
import { canBeSecret, isSecretName } from '../../../shared/secrets/secret-names.ts';
import { parsePointer } from '../../../shared/json-pointer.ts';
import { previewValue } from '../../why/preview.ts';
import type { InputDifference } from './recorded-inputs.ts';

/** A difference as texts. */
export interface InputTexts {
  of: InputDifference['of'];
  /** JSON Pointer. */
  pointer: string;
  /** Null if there’s no such value. */
  recorded: string | null;
  replayed: string | null;
}

/** Maximum characters of a value. */
const LENGTH = 100;

export function inputTexts(difference: InputDifference): InputTexts {
  const { of, pointer } = difference;
  const secret = parsePointer(pointer).find(isSecretName);
  const side = (name: 'recorded' | 'replayed'): string | null => {
    if (!(name in difference)) return null;
    const { [name]: value } = difference;
    return secret !== undefined && canBeSecret(value, secret) ? MASK : maskCredentials(previewValue(value, LENGTH));
  };
  return { of, pointer, recorded: side('recorded'), replayed: side('replayed') };
}

/** Such as `Its setting “address” would be "b", and was "a" when it was recorded.` */
export function inputSentence({ of, pointer, recorded, replayed }: InputTexts): string {
  const name = parsePointer(pointer).join('.');
  const subject = of === 'settings' ? `Its setting${name && ` “${name}”`}` : name ? `“${name}”` : 'The context';
  const where = of === 'context' && name ? ' in the context' : '';
  const would = replayed === null ? 'wouldn’t be there' : `would be ${replayed}`;
  const was = recorded === null ? 'wasn’t there' : `was ${recorded}`;
  return `${subject}${where} ${would}, and ${was} when it was recorded.`;
}
