/** Opens the options page. The form to show there is stored, because the page might not be open yet. */
import { readStored, writeStored, type StringStorage } from '../../shared/stored-value.ts';

/** A new environment: an empty form, or one for the local platform. */
export type OptionsForm = 'new' | 'local';

const KEY = 'platform-devtools.options-form';

const requestForm = (storage: StringStorage, form: OptionsForm): boolean => writeStored(storage, KEY, form);

/** The form that another page asked for, once. */
export function takeForm(storage: StringStorage): OptionsForm | null {
  const form = readStored(storage, KEY);
  if (form) writeStored(storage, KEY, '');
  return form === 'new' || form === 'local' ? form : null;
}

/** Opens the options page, or its tab if it’s open. */
export function openOptionsPage(
  runtime: { openOptionsPage(): Promise<void> },
  storage: StringStorage,
  form?: OptionsForm,
): Promise<void> {
  if (form) requestForm(storage, form);
  return runtime.openOptionsPage();
}

interface InstalledRuntime {
  onInstalled: { addListener(listener: (details: { reason: string }) => void): void };
  openOptionsPage(): Promise<void>;
}

/** Opens the options page once, after the extension was installed, not after an update of it or of the browser. */
export function openOptionsOnInstall(runtime: InstalledRuntime): void {
  runtime.onInstalled.addListener(({ reason }) => {
    // A browser without windows can’t show it.
    if (reason === 'install') runtime.openOptionsPage().catch(() => {});
  });
}
