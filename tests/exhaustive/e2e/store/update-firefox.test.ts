/** Updates an extension in Firefox that has stored what version 0.1.0 stored, to the package for the store. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { FirefoxOptionsPage } from '../../../../lib/browser-driver/firefox/options-page.ts';
import { filesIn } from '../../../../lib/browser-driver/store/files.ts';
import { zip } from '../../../../lib/browser-driver/store/zip.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { writeEarlierExtension } from '../../../support/earlier-extension.ts';
import { ADDON, type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';
import { readRecordedData } from '../../../support/recorded-data.ts';

let temporary: string;
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'platform-devtools-update-'));
});
afterEach(() => rm(temporary, { recursive: true, force: true }));

/** Installs the earlier version with the recorded data, and updates it. */
async function updated(file: string): Promise<FirefoxBed> {
  const earlier = join(temporary, 'earlier');
  await writeEarlierExtension(earlier, {
    version: '0.1.0',
    data: readRecordedData(file),
    manifest: {
      background: { scripts: ['background.js'] },
      browser_specific_settings: { gecko: { id: ADDON, strict_min_version: '142.0' } },
    },
  });
  const bed = await startFirefoxBed({ extension: earlier });
  const options = await bed.openOptions();
  await waitFor('the stored data', () => options.evaluate<boolean>("return document.title === 'Stored';"));
  await bed.firefox.navigate('about:blank');
  const archive = join(temporary, 'firefox.zip');
  await writeFile(archive, zip(await filesIn(inject('firefoxExtension'))));
  expect(await bed.firefox.install(archive)).toBe(ADDON);
  return bed;
}
const environments = async (options: FirefoxOptionsPage): Promise<string[]> => {
  await options.waitFor('[data-environment]');
  return options.evaluate<string[]>(
    "return [...document.querySelectorAll('[data-environment]')].map((card) => card.innerText);",
  );
};

test('in Firefox, after the update from 0.1.0, environments with their tokens and the last publish are there', async () => {
  const bed = await updated('extension.json');
  const [local, proxy, without] = await environments(await bed.openOptions());
  expect(local).toMatch(/^Local[\s\S]*localhost:40395[\s\S]*••••Gb9h/);
  expect(proxy).toMatch(/^Proxy\s+Production[\s\S]*••••Gb9h[\s\S]*acme/);
  expect(without).toMatch(/^Without token[\s\S]*none \(edit to enter one\)/);
  const popup = await bed.openPopup();
  expect(await popup.outcome()).toBe('unknown');
  await popup.close();
});

test('in Firefox, after the update from 0.1.0, locked tokens open with their passphrase', async () => {
  const bed = await updated('extension-locked.json');
  const options = await bed.openOptions();
  await options.waitFor('form.unlock [name=passphrase]');
  expect((await environments(options))[0]).not.toContain('Gb9h');
  await options.type('[name=passphrase]', readRecordedData('extension-locked.json').passphrase!);
  await options.press('Unlock');
  await waitFor('the unlocked tokens', async () => (await environments(options))[0]?.includes('••••Gb9h'));
});
