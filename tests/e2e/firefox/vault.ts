/** Locking and unlocking in Firefox, on the options page and in the popup. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FirefoxOptionsPage } from '../../../lib/browser-driver/firefox/options-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { LockState } from '../../../lib/extension/messaging/model/lock.ts';
import { type FirefoxBed, startFirefoxBed } from '../../support/firefox-bed.ts';

const PASSPHRASE = 'one passphrase of these tests';

export function vaultTests(): void {
  let bed: FirefoxBed;
  let options: FirefoxOptionsPage;
  beforeAll(async () => {
    bed = await startFirefoxBed();
    options = await bed.openOptions();
    await options.addEnvironment('Local', bed.platform.baseUrl, bed.platform.authToken);
  });
  afterAll(() => bed?.close());

  const lockState = (): Promise<LockState['kind']> =>
    options.evaluate(
      "return browser.runtime.sendMessage({ to: 'background', name: 'vault.state' }).then(({ value }) => value.lock.kind);",
    );
  const hasKey = (): Promise<boolean> =>
    options.evaluate("return browser.storage.session.get('vault').then(({ vault }) => vault !== undefined);");
  const expectTokenToWork = async (): Promise<void> => {
    await options.press('Test connection');
    await options.waitForText('Connected: 3 apps');
  };

  test('in Firefox, a token works after a passphrase is set', async () => {
    await options.press('Set passphrase');
    await options.waitFor('[name=new-passphrase]');
    await options.type('[name=new-passphrase]', PASSPHRASE);
    await options.type('[name=new-passphrase-again]', PASSPHRASE);
    await options.press('Set passphrase');
    await options.waitForText('Passphrase set.');
    expect(await lockState()).toBe('unlocked');
    expect(await hasKey()).toBe(true);
    await expectTokenToWork();
  });

  test('in Firefox, the locked options page rejects a wrong passphrase and unlocks with the right one', async () => {
    await options.press('Lock now');
    await options.waitFor('form.unlock');
    expect(await lockState()).toBe('locked');
    expect(await hasKey()).toBe(false);
    // The list of environments is read again once the lock is known.
    await waitFor(
      'no part of the token',
      async () => !(await options.text()).includes(bed.platform.authToken.slice(-4)),
    );
    await options.type('form.unlock [name=passphrase]', 'a wrong one');
    await options.press('Unlock');
    await options.waitForText('The passphrase is wrong, or the stored key is damaged.');
    expect(await lockState()).toBe('locked');
    await options.type('form.unlock [name=passphrase]', PASSPHRASE);
    await options.press('Unlock');
    await options.waitForText(`••••${bed.platform.authToken.slice(-4)}`);
    expect(await lockState()).toBe('unlocked');
    expect(await hasKey()).toBe(true);
    await expectTokenToWork();
  });

  test('in Firefox, the popup asks for the passphrase, then shows the apps, and unlocks the options page too', async () => {
    await options.press('Lock now');
    await options.waitFor('form.unlock');
    const popup = await bed.openPopup('popup.html', 'form.unlock');
    await popup.enter('[name=passphrase]', 'a wrong one');
    await popup.click('button[type=submit]');
    await waitFor('the refusal', () =>
      popup.evaluate<boolean>("return document.querySelector('[name=passphrase][aria-invalid=true]') !== null;"),
    );
    await popup.enter('[name=passphrase]', PASSPHRASE);
    await popup.click('button[type=submit]');
    await waitFor('the apps', async () => /3 apps · Updated/.test(await popup.text().catch(() => '')));
    await popup.close();
    await waitFor('no form on the options page', () =>
      options.evaluate<boolean>("return document.querySelector('form.unlock') === null;"),
    );
    await expectTokenToWork();
  });
}
