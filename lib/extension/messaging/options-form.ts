/** Asks the options page to open a form. Stored, because the page might not be open yet. */
import { readStored, writeStored, type StringStorage } from '../../shared/stored-value.ts';

/** A new environment: an empty form, or one for the local platform. */
export type OptionsForm = 'new' | 'local';

const KEY = 'platform-devtools.options-form';

export const requestForm = (storage: StringStorage, form: OptionsForm): boolean => writeStored(storage, KEY, form);

/** The form that another page asked for, once. */
export function takeForm(storage: StringStorage): OptionsForm | null {
  const form = readStored(storage, KEY);
  if (form) writeStored(storage, KEY, '');
  return form === 'new' || form === 'local' ? form : null;
}
