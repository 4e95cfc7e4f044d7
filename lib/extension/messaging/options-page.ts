/** Opens the options page. The form to show there is stored, because the page might not be open yet. */
import type { SharedStorage } from './announcements.ts';

/** A new environment: an empty form, or one for the local platform. */
export type OptionsForm = 'new' | 'local';

const KEY = 'platform-devtools.options-form';

/** Calls `listener` with each form that another page asks for, once: now, or while the options page is open. */
export function listenForForms(
  { session, onChanged }: SharedStorage,
  listener: (form: OptionsForm) => void,
): () => void {
  const take = async (): Promise<void> => {
    const { [KEY]: form } = await session.get(KEY).catch((): Record<string, unknown> => ({}));
    if (form === undefined) return;
    await session.remove(KEY).catch(() => {});
    if (form === 'new' || form === 'local') listener(form);
  };
  const onChange: Parameters<typeof onChanged.addListener>[0] = (changes, area) => {
    if (area === 'session' && changes[KEY]?.newValue !== undefined) void take();
  };
  onChanged.addListener(onChange);
  void take();
  return () => onChanged.removeListener(onChange);
}

/** Opens the options page, or its tab if it’s open. */
export async function openOptionsPage(
  runtime: { openOptionsPage(): Promise<void> },
  { session }: Pick<SharedStorage, 'session'>,
  form?: OptionsForm,
): Promise<void> {
  if (form) await session.set({ [KEY]: form }).catch(() => {});
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
