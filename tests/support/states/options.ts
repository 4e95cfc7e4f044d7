/** The states of the options page, and of the lock on all surfaces. Begins without any data, and erases its own at the end. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import { LockPage } from '../../../lib/browser-driver/pages/lock-page.ts';
import { OptionsPage } from '../../../lib/browser-driver/pages/options-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { pageSurface } from '../surface.ts';
import { openPopupPage, POPUP_WIDTHS } from './popup.ts';
import { PanelTour, type Place } from './tour.ts';

const PASSPHRASE = 'one passphrase of these states';
const WIDTHS = [320, 420, 700, 1200];

export async function visitOptions(place: Place): Promise<void> {
  const tour = new PanelTour(place);
  await tour.shows('main');
  await tour.look('panel-first');
  const options = await OptionsPage.open(place.bed.extension);
  const look = (name: string, repeats = false) => place.look(pageSurface(options.page, WIDTHS), name, { repeats });
  const { baseUrl, authToken: token } = place.bed.platform;
  await options.page.waitForSelector('[data-code=NO_ENVIRONMENT]');
  await look('options-empty');
  await options.fillIn({ name: 'Local', preset: 'local', baseUrl: 'http://example.com', token });
  await options.press('Save');
  await options.page.waitForSelector('[role=alert], [aria-invalid=true]');
  await look('options-invalid');
  await options.add({ name: 'Local', preset: 'local', baseUrl, token });
  await look('options-saved', true);

  const lock = new LockPage(() => options.page);
  await lock.press('Set passphrase');
  await lock.fill({ 'new-passphrase': PASSPHRASE, 'new-passphrase-again': 'something else' });
  await lock.press('Set passphrase');
  await lock.says('The passphrases don’t match.');
  await look('lock-options-set');
  await lock.fill({ 'new-passphrase-again': PASSPHRASE });
  await lock.press('Set passphrase');
  await lock.says('Passphrase set.');
  await look('lock-options-unlocked', true);
  if (!tour.isBrief) await visitImport(options, lock, look);
  await options.page.bringToFront();
  await lock.press('Lock now');
  await lock.asks();
  await lock.press('Forgot passphrase');
  await lock.says('A reset removes the passphrase and every token');
  await look('lock-options-locked');
  await visitLocked(place, tour);
  await options.page.bringToFront();
  await lock.fill({ 'confirm-erase': 'erase' });
  await lock.press('Erase all data');
  await lock.says('Erased all data.');
  await options.page.close();
}

async function visitImport(options: OptionsPage, lock: LockPage, look: (name: string) => Promise<void>): Promise<void> {
  const { page } = options;
  await page.evaluate(() => {
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob: Blob) => {
      void blob.text().then((text) => ((globalThis as unknown as { file: string }).file = text));
      return create(blob);
    };
  });
  await lock.press('Export with tokens');
  await lock.fill({ 'new-passphrase': PASSPHRASE, 'new-passphrase-again': PASSPHRASE });
  await lock.press('Export file');
  const file = await waitFor('the exported file', () =>
    page.evaluate(() => (globalThis as unknown as { file?: string }).file),
  );
  const folder = await mkdtemp(join(tmpdir(), 'options-'));
  const path = join(folder, 'environments.json');
  await writeFile(path, file);
  const input = await page.$('input[type=file]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(path);
  await lock.fill({ 'file-passphrase': 'another passphrase' });
  await lock.press('Import file');
  await page.waitForSelector('[name=file-passphrase][aria-invalid=true]');
  await look('lock-options-import');
  await rm(folder, { recursive: true });
}

/** The popup after a wrong passphrase, and the panel. */
async function visitLocked(place: Place, tour: PanelTour): Promise<void> {
  const popup = await openPopupPage(place.bed.extension);
  const lock = new LockPage(() => popup.page);
  await lock.unlock('a wrong one');
  await lock.says('The passphrase is wrong, or the stored key is damaged.');
  await place.look(pageSurface(popup.page, POPUP_WIDTHS), 'lock-popup');
  await popup.close();
  await tour.panel.reload();
  await new LockPage(tour.panel.frame).asks();
  await tour.look('lock-panel');
}
