/** The options page opens once after the installation, and with the form that another page asks for. */
import { expect, it } from 'vitest';
import {
  listenForForms,
  openOptionsOnInstall,
  openOptionsPage,
} from '../../../../lib/extension/messaging/options-page.ts';
import { fakeSharedStorage } from '../../../support/fake-storage.ts';

function opened(reason: string): number {
  let count = 0;
  openOptionsOnInstall({
    onInstalled: { addListener: (listener) => listener({ reason }) },
    openOptionsPage: () => {
      count++;
      return Promise.reject(new Error('There is no window.'));
    },
  });
  return count;
}

it('opens after the installation, also where no window can show it', () => expect(opened('install')).toBe(1));

it.each(['update', 'chrome_update', 'browser_update', 'shared_module_update'])('doesn’t open after %s', (reason) =>
  expect(opened(reason)).toBe(0),
);

it('shows each form that another page asks for once, now or while it’s open', async () => {
  const storage = fakeSharedStorage();
  const runtime = { openOptionsPage: () => Promise.resolve() };
  const forms: string[] = [];
  await openOptionsPage(runtime, storage, 'local');
  const stop = listenForForms(storage, (form) => forms.push(form));
  await expect.poll(() => forms).toEqual(['local']);
  await openOptionsPage(runtime, storage, 'new');
  await openOptionsPage(runtime, storage);
  await expect.poll(() => forms).toEqual(['local', 'new']);
  stop();
  listenForForms(storage, (form) => forms.push(form));
  await openOptionsPage(runtime, storage, 'local');
  await expect.poll(() => forms).toEqual(['local', 'new', 'local']);
});

it('opens without a form where the browser stores nothing', async () => {
  const storage = fakeSharedStorage();
  storage.session.set = () => Promise.reject(new Error('no'));
  let isOpen = false;
  const openPage = (): Promise<void> => Promise.resolve(void (isOpen = true));
  await openOptionsPage({ openOptionsPage: openPage }, storage, 'new');
  expect(isOpen).toBe(true);
});
