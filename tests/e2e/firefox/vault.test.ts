/** Owns the proof that in Firefox, too, tokens under a passphrase are locked and unlocked on the options page and in the popup, and work afterwards. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { LockState } from '../../../lib/extension/messaging/model/lock.ts';
import { ensureBrowser } from '../../../lib/browser-driver/find-browser.ts';
import { until } from '../../../lib/browser-driver/until.ts';
import { startPlatform } from '../../../lib/local-platform/index.ts';
import { FirefoxPopup } from '../../../lib/browser-driver/firefox/popup-page.ts';
import { type Firefox, startFirefox } from '../../../lib/browser-driver/firefox/marionette.ts';

const ADDON = 'devtools@platform.example';
const HOST = '5c1f4a52-8f2b-4a38-9a51-2f8d3c6e9b07';
const page = (path: string): string => `moz-extension://${HOST}/${path}`;
const PASSPHRASE = 'one passphrase of these tests';

let platform: Awaited<ReturnType<typeof startPlatform>>;
let firefox: Firefox;
beforeAll(async () => {
  platform = await startPlatform({ port: 0, data: 'memory' });
  firefox = await startFirefox(ensureBrowser('firefox'), { [ADDON]: HOST });
  await firefox.install(inject('firefoxExtension'));
  await firefox.navigate(page('options.html'));
  await press('Add environment');
  await until('the form', () => inPage<boolean>("return document.querySelector('input[name=name]') !== null;"));
  await firefox.click('select[name=preset] option[value=local]');
  await firefox.type('input[name=name]', 'Local');
  await firefox.type('input[name=baseUrl]', platform.baseUrl);
  await firefox.type('[name=token]', platform.authToken);
  await press('Save');
  await says(`••••${platform.authToken.slice(-4)}`);
});
afterAll(async () => {
  await firefox?.close();
  await platform?.close();
});

const inPage = <T>(script: string, ...args: unknown[]): Promise<T> => firefox.content<T>(script, ...args);
const says = (text: string): Promise<unknown> =>
  until(`"${text}"`, () => inPage<boolean>('return document.body.innerText.includes(arguments[0]);', text));
/** Clicks the button of this name as a person does, as soon as it is there and available: access to a host is asked for in a click alone. */
async function press(name: string): Promise<void> {
  await until(`${name} to press`, () =>
    inPage<boolean>(
      `for (const each of document.querySelectorAll('button')) each.toggleAttribute('data-press', (each.getAttribute('aria-label') ?? each.textContent) === arguments[0] && each.getAttribute('aria-disabled') !== 'true');
    return document.querySelector('[data-press]') !== null;`,
      name,
    ),
  );
  await firefox.click('[data-press]');
}
const there = (selector: string): Promise<unknown> =>
  until(selector, () => inPage<boolean>('return document.querySelector(arguments[0]) !== null;', selector));
const kind = (): Promise<LockState['kind']> =>
  inPage(
    "return browser.runtime.sendMessage({ to: 'background', name: 'vault.state' }).then(({ value }) => value.lock.kind);",
  );
const hasKey = (): Promise<boolean> =>
  inPage("return browser.storage.session.get('vault').then(({ vault }) => vault !== undefined);");
const tokenWorks = async (): Promise<void> => {
  await press('Test connection');
  await says('the token sees 3 apps');
};

test('a passphrase is set, and the token works under it', async () => {
  await press('Set a passphrase');
  await there('[name=new-passphrase]');
  await firefox.type('[name=new-passphrase]', PASSPHRASE);
  await firefox.type('[name=new-passphrase-again]', PASSPHRASE);
  await press('Lock with this passphrase');
  await says('The tokens are under the passphrase now.');
  expect([await kind(), await hasKey()]).toEqual(['unlocked', true]);
  await tokenWorks();
});

test('locked, the options page takes no wrong passphrase, and the right one opens it again', async () => {
  await press('Lock now');
  await there('form.unlock');
  expect([await kind(), await hasKey()]).toEqual(['locked', false]);
  // The list of environments is read again once the lock is known.
  await until(
    'no part of the token',
    async () => !(await inPage<string>('return document.body.innerText;')).includes(platform.authToken.slice(-4)),
  );
  await firefox.type('form.unlock [name=passphrase]', 'a wrong one');
  await press('Unlock');
  await says('The passphrase is wrong.');
  expect(await kind()).toBe('locked');
  await firefox.type('form.unlock [name=passphrase]', PASSPHRASE);
  await press('Unlock');
  await says(`••••${platform.authToken.slice(-4)}`);
  expect([await kind(), await hasKey()]).toEqual(['unlocked', true]);
  await tokenWorks();
});

test('the popup asks for the passphrase in its place, and shows the apps once it has it; the options page hears of it', async () => {
  await press('Lock now');
  await there('form.unlock');
  const asking = await FirefoxPopup.open(firefox, ADDON, page('unlock.html'), 'form.unlock');
  await asking.enter('[name=passphrase]', 'a wrong one');
  await asking.click('button[type=submit]');
  await until('the refusal', () =>
    asking.evaluate<boolean>("return document.querySelector('[name=passphrase][aria-invalid=true]') !== null;"),
  );
  await asking.enter('[name=passphrase]', PASSPHRASE);
  await asking.click('button[type=submit]');
  const popup = new FirefoxPopup(firefox, page('popup.html'));
  await until('the apps', async () => /3 apps, read/.test(await popup.text().catch(() => '')));
  await popup.close();
  await until('no form on the options page', () =>
    inPage<boolean>("return document.querySelector('form.unlock') === null;"),
  );
  await tokenWorks();
});
