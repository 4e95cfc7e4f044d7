// @vitest-environment happy-dom
/**
 * Tests that a user can set, change, and remove a passphrase, lock and unlock tokens, and transfer tokens in a file.
 */
import 'fake-indexeddb/auto';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/preact';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passphraseStrength } from '../../../components/options/new-passphrase.tsx';
import { OptionsPage } from '../../../components/options/options-page.tsx';
import { VAULT_NAME } from '../../../lib/extension/vault/index.ts';
import { createTestPort, type TestPort } from './port.ts';

const TOKEN = 'eu-token-0123456789-abcd';
const PASSPHRASE = 'four words that fit';
const OTHER = 'four others that fit too';
// Deriving keys is slow, especially while other tests run.
configure({ asyncUtilTimeout: 15_000 });
let port: TestPort;
beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  port = createTestPort();
  await port.save({ name: 'EU', preset: 'custom', baseUrl: 'https://api.example.com', token: TOKEN });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const field = (name: string) =>
  waitFor(() => {
    const found = document.querySelector<HTMLInputElement>(`[name=${name}]`);
    expect(found).not.toBeNull();
    return found!;
  });
const fill = async (values: Record<string, string>) => {
  for (const [name, value] of Object.entries(values)) fireEvent.input(await field(name), { target: { value } });
};
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const findText = (text: string | RegExp) =>
  waitFor(() =>
    expect(
      screen
        .getAllByRole('status')
        .map(({ textContent }) => textContent)
        .join(' '),
    ).toMatch(text),
  );
const problemOf = (input: HTMLInputElement) =>
  document.getElementById(input.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '')?.textContent;
const card = () => screen.findByRole('article', { name: 'EU' });
const twice = (passphrase: string, again = passphrase) =>
  fill({ 'new-passphrase': passphrase, 'new-passphrase-again': again });
const open = () => render(<OptionsPage port={port} />);
const kind = () => port.lock.state()?.kind;

async function protect() {
  await press('Set passphrase');
  await twice(PASSPHRASE);
  await press('Set passphrase');
  await findText('Passphrase set.');
}
async function lockNow() {
  await press('Lock now');
  await findText('Tokens locked.');
}
async function unlock(passphrase = PASSPHRASE) {
  await fill({ passphrase });
  await press('Unlock');
}

describe('setting a passphrase', () => {
  it('explains first what it protects against and what it doesn’t', async () => {
    open();
    await press('Set passphrase');
    expect(document.body.textContent).toContain('if someone copies your disk');
    expect(document.body.textContent).toContain('Programs and extensions that run while they’re unlocked');
    expect(document.activeElement).toBe(await field('new-passphrase'));
  });

  it.each([
    ['too short', 'eleven char', 'eleven char', 'new-passphrase', 'at least 12 characters'],
    ['not the same twice', PASSPHRASE, `${PASSPHRASE} `, 'new-passphrase-again', 'The passphrases don’t match.'],
    ['empty', '', '', 'new-passphrase', 'at least 12 characters'],
  ])('refuses one that is %s, with the reason at the field', async (_, passphrase, again, name, problem) => {
    open();
    await press('Set passphrase');
    await twice(passphrase, again);
    await press('Set passphrase');
    await waitFor(() => expect(document.activeElement?.getAttribute('name')).toBe(name));
    expect(problemOf(await field(name))).toContain(problem);
    expect(kind()).toBe('open');
  });

  it('stores it as typed, with the idle time, and stays unlocked', async () => {
    open();
    await press('Set passphrase');
    await twice(`  ${PASSPHRASE}  `);
    fireEvent.change(await field('idle'), { target: { value: '60' } });
    await press('Set passphrase');
    await findText('it can’t be recovered');
    // The form is gone, and the focus has moved elsewhere on the page.
    expect(document.activeElement?.id).toBe('lock-title');
    expect(port.lock.state()).toMatchObject({ kind: 'unlocked', idleMinutes: 60 });
    expect((await card()).textContent).toContain('••••abcd');
    await lockNow();
    await unlock(PASSPHRASE);
    await findText('The passphrase is wrong, or the stored key is damaged.');
    await unlock(`  ${PASSPHRASE}  `);
    await waitFor(() => expect(kind()).toBe('unlocked'));
  });

  it('hides the typed passphrase unless it is revealed, and can be canceled', async () => {
    open();
    await press('Set passphrase');
    expect((await field('new-passphrase')).type).toBe('password');
    fireEvent.click(await field('show-passphrase'));
    expect([(await field('new-passphrase')).type, (await field('new-passphrase-again')).type]).toEqual([
      'text',
      'text',
    ]);
    await press('Cancel');
    expect(document.querySelector('[name=new-passphrase]')).toBeNull();
    expect(document.activeElement?.textContent).toContain('Lock');
  });

  it.each([
    [0, 'At least 12'],
    [1, '11 more characters needed.'],
    [11, '1 more character needed.'],
    [12, 'Fair'],
    [16, 'Good'],
    [24, 'Strong.'],
  ])('rates a passphrase of %i characters', (length, says) => {
    expect(passphraseStrength(length)).toContain(says);
  });
});

describe('locked tokens', () => {
  beforeEach(async () => {
    open();
    await protect();
    await lockNow();
  });

  it('are not shown, not even masked, and don’t count as missing', async () => {
    await waitFor(async () => expect((await card()).textContent).toContain('Tokenlocked'));
    expect(document.body.textContent).not.toContain('abcd');
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Edit');
    expect(document.querySelector('[name=token]')).toBeNull();
    await fill({ name: 'Europe' });
    await press('Save');
    await screen.findByRole('article', { name: 'Europe' });
    await unlock();
    await waitFor(() => expect(document.body.textContent).toContain('••••abcd'));
  });

  it('are unlocked by one focused form, which then disappears and reloads the list', async () => {
    const input = await field('passphrase');
    expect(input.type).toBe('password');
    expect(document.activeElement).toEqual(input);
    await press('Show');
    expect(input.type).toBe('text');
    await unlock();
    await waitFor(() => expect(screen.queryByRole('form', { name: 'Unlock' })).toBeNull());
    await waitFor(async () => expect((await card()).textContent).toContain('••••abcd'));
    expect(document.body.textContent).not.toContain('tokens are locked');
    expect(document.body.innerHTML).not.toContain(PASSPHRASE);
  });

  it('stay locked after a wrong passphrase, with the error at the field, which keeps the focus', async () => {
    for (let tried = 1; tried <= 3; tried++) {
      await unlock(`wrong passphrase ${tried}`);
      await waitFor(async () =>
        expect(problemOf(await field('passphrase'))).toBe('The passphrase is wrong, or the stored key is damaged.'),
      );
      expect(document.activeElement).toBe(await field('passphrase'));
      await waitFor(() => expect(screen.queryByText('Unlocking…')).toBeNull());
    }
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Unlock' }).getAttribute('aria-description')).toBe(
        'Wait before you try again',
      ),
    );
    expect(screen.getByText('Try again in 1 s.').getAttribute('aria-hidden')).toBe('true');
    await findText('The passphrase is wrong, or the stored key is damaged. You can try again in one second.');
    expect(kind()).toBe('locked');
  });

  it('stay locked when another window locks them during the check: the form says so, and accepts the passphrase again', async () => {
    const deriveKey = crypto.subtle.deriveKey.bind(crypto.subtle);
    const [checking, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    vi.spyOn(crypto.subtle, 'deriveKey').mockImplementationOnce(async (...args) => {
      checking.resolve();
      await locked.promise;
      return deriveKey(...args);
    });
    await unlock();
    await checking.promise;
    await port.lockNow();
    locked.resolve();
    const alert = await screen.findByRole('alert');
    expect(alert.getAttribute('data-code')).toBe('VAULT_LOCKED_MEANWHILE');
    expect(kind()).toBe('locked');
    expect(screen.getByRole('form', { name: 'Unlock' }).contains(alert)).toBe(true);
    expect(document.activeElement).toBe(await field('passphrase'));
    await press('Unlock');
    await waitFor(() => expect(kind()).toBe('unlocked'));
  });

  it('can stay locked for now, and be unlocked later', async () => {
    await press('Not now');
    await waitFor(() => expect(screen.queryByRole('form', { name: 'Unlock' })).toBeNull());
    await press('Unlock');
    expect(await screen.findByRole('form', { name: 'Unlock' })).toBeTruthy();
  });

  it('request the passphrase when a token is saved: nothing is saved before, and the form keeps its input', async () => {
    await press('Not now');
    await press('Edit');
    await press('Replace');
    await fill({ token: 'another-token-9876' });
    await press('Save');
    expect((await screen.findByRole('alert')).getAttribute('data-code')).toBe('VAULT_LOCKED');
    await unlock();
    await waitFor(() => expect(kind()).toBe('unlocked'));
    expect((await field('token')).value).toBe('another-token-9876');
    await press('Save');
    expect((await card()).textContent).toContain('••••9876');
  });

  it('are removed with a forgotten passphrase after a confirmation, and environments stay', async () => {
    await press('Forgot passphrase');
    expect(document.body.textContent).toContain('A reset removes the passphrase and every token');
    expect(document.body.textContent).toContain('Environments, runs, payloads, and publish history are kept');
    expect(document.activeElement).toBe(await field('confirm-reset'));
    await press('Remove all tokens');
    await fill({ 'confirm-reset': 'rese' });
    await press('Remove all tokens');
    expect(kind()).toBe('locked');
    await fill({ 'confirm-reset': 'reset' });
    await press('Remove all tokens');
    await findText('No passphrase is set now.');
    expect(kind()).toBe('open');
    await waitFor(async () => expect((await card()).textContent).toContain('none (edit to enter one)'));
  });

  it('can be reset even when the stored lock is damaged', async () => {
    const db = await openDB(VAULT_NAME);
    await db.put('keys', { kdf: 'nonsense' }, 'lock');
    db.close();
    fireEvent.focus(window);
    await waitFor(() =>
      expect(screen.getAllByRole('alert').map((one) => one.getAttribute('data-code'))).toContain('VAULT_LOCK_DAMAGED'),
    );
    await press('I forgot my passphrase');
    await fill({ 'confirm-reset': 'reset' });
    await press('Remove all tokens');
    await findText('No passphrase is set now.');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
});

describe('unlocked tokens', () => {
  beforeEach(async () => {
    open();
    await protect();
  });

  it('show when they lock, which can be changed', async () => {
    expect(document.querySelector('time')?.getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT/);
    fireEvent.change(await field('idle'), { target: { value: '5' } });
    await findText('Tokens lock after 5 minutes of inactivity.');
    expect(port.lock.state()).toMatchObject({ kind: 'unlocked', idleMinutes: 5 });
  });

  it('get a new passphrase after the current one is entered', async () => {
    await press('Change passphrase');
    await fill({ 'current-passphrase': 'wrong passphrase' });
    await twice(OTHER);
    await press('Change passphrase');
    await waitFor(async () =>
      expect(problemOf(await field('current-passphrase'))).toContain(
        'The passphrase is wrong, or the stored key is damaged.',
      ),
    );
    await fill({ 'current-passphrase': PASSPHRASE });
    await press('Change passphrase');
    await findText('Passphrase changed.');
    await lockNow();
    await unlock(OTHER);
    await waitFor(() => expect(kind()).toBe('unlocked'));
  });

  it('get the browser’s key back when the passphrase is removed', async () => {
    await press('Remove passphrase');
    await press('Remove passphrase');
    await waitFor(async () => expect(problemOf(await field('current-passphrase'))).toBe('Enter the passphrase.'));
    await fill({ 'current-passphrase': PASSPHRASE });
    await press('Remove passphrase');
    await findText('The browser stores the key again.');
    expect(kind()).toBe('open');
    expect((await card()).textContent).toContain('••••abcd');
  });

  it('are described as stored', async () => {
    const stored = () => screen.getByRole('region', { name: 'Where data is stored' }).textContent;
    expect(stored()).toContain('Your passphrase unlocks the key and isn’t stored anywhere.');
    await press('Remove passphrase');
    await fill({ 'current-passphrase': PASSPHRASE });
    await press('Remove passphrase');
    await waitFor(() => expect(stored()).toContain('The browser stores the key. Anyone who can use your browser'));
  });
});

describe('a file with tokens', () => {
  const choose = (text: string) =>
    fireEvent.change(screen.getByLabelText('Environments file to import'), {
      target: { files: [new File([text], 'x.json')] },
    });
  async function exported() {
    await press('Export with tokens');
    await twice(PASSPHRASE);
    await press('Export file');
    await findText('Created a file with all stored tokens. Keep its passphrase safe');
    return port.downloads[0]![1];
  }

  it('is sealed with its own passphrase, and transfers the tokens to another browser', async () => {
    const { unmount } = open();
    await card();
    const text = await exported();
    expect(text).not.toContain(TOKEN);
    unmount();
    globalThis.indexedDB = new IDBFactory();
    port = createTestPort();
    open();
    await screen.findByText('Three steps to your first run');
    choose(text);
    await fill({ 'file-passphrase': 'wrong passphrase' });
    await press('Import file');
    await waitFor(async () => expect((await field('file-passphrase')).getAttribute('aria-invalid')).toBe('true'));
    expect(await port.list()).toEqual({ ok: true, value: [] });
    await fill({ 'file-passphrase': PASSPHRASE });
    await press('Import file');
    await findText('Imported 1 environment with 1 token.');
    expect((await card()).textContent).toContain('••••abcd');
    expect(document.querySelector('[name=file-passphrase]')).toBeNull();
  });

  it('isn’t created with a passphrase that is too short, and can be canceled', async () => {
    open();
    await card();
    await press('Export with tokens');
    await twice('short');
    await press('Export file');
    await waitFor(async () => expect(problemOf(await field('new-passphrase'))).toContain('at least 12 characters'));
    await press('Cancel');
    expect(port.downloads).toEqual([]);
    expect(document.querySelector('[name=new-passphrase]')).toBe(null);
  });

  it('can’t be exported until the tokens are unlocked', async () => {
    open();
    await protect();
    await lockNow();
    await press('Export with tokens');
    await twice(OTHER);
    await press('Export file');
    await unlock();
    await waitFor(() => expect(kind()).toBe('unlocked'));
    await waitFor(() => expect(port.downloads.length).toBe(1));
  });

  it('isn’t read when it is far too large', async () => {
    open();
    await card();
    fireEvent.change(screen.getByLabelText('Environments file to import'), {
      target: { files: [{ size: 1e9, text: () => Promise.reject(new Error('read')) }] },
    });
    expect((await screen.findByRole('alert')).getAttribute('data-code')).toBe('IMPORT_TOO_LARGE');
  });
});

describe('erasing', () => {
  it('reports what couldn’t be removed, and removes the passphrase', async () => {
    open();
    await protect();
    const { erase } = port;
    port.erase = () =>
      Promise.resolve({ ok: false, error: { code: 'DATA_LEFT', message: 'Some data is left: alarms.' } });
    await fill({ 'confirm-erase': 'erase' });
    await press('Erase all data');
    expect((await screen.findByRole('alert')).textContent).toContain('Some data is left: alarms.');
    port.erase = erase;
    await fill({ 'confirm-erase': 'erase' });
    await press('Erase all data');
    await findText('Erased all data.');
    await waitFor(() => expect(kind()).toBe('open'));
    expect(
      within(screen.getByRole('region', { name: 'Lock' })).getByRole('button', { name: 'Set passphrase' }),
    ).toBeTruthy();
  });
});
