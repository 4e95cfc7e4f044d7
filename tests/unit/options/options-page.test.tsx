// @vitest-environment happy-dom
/** Tests that environments can be entered, tested, changed, transferred, and erased, and that errors are reported. */
import 'fake-indexeddb/auto';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/preact';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OptionsPage } from '../../../components/options/options-page.tsx';
import { VAULT_NAME } from '../../../lib/extension/vault/index.ts';
import type { TestPort } from './port.ts';
import { createTestPort } from './port.ts';

const TOKEN = 'eu-token-0123456789-abcd';
// A whole page with its worker and database is slow while other tests run.
configure({ asyncUtilTimeout: 15_000 });
let port: TestPort;
beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  port = createTestPort();
});
afterEach(cleanup);

const field = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`);
const type = (name: string, value: string) => fireEvent.input(field(name) ?? document.body, { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const pressSoon = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const findText = (text: string | RegExp) =>
  waitFor(() =>
    expect(
      screen
        .getAllByRole('status')
        .map(({ textContent }) => textContent)
        .join(' '),
    ).toMatch(text),
  );
const alert = async () => (await screen.findByRole('alert')).getAttribute('data-code');

async function add(values: Record<string, string> = {}) {
  await pressSoon('Add environment');
  for (const [name, value] of Object.entries({
    name: 'EU',
    baseUrl: 'https://api.example.com',
    token: TOKEN,
    ...values,
  }))
    type(name, value);
  press('Save');
  return screen.findByRole('article', { name: values['name'] ?? 'EU' });
}

describe('the first visit', () => {
  it('explains what an environment is, and finds the local platform, so that only its token is left to enter', async () => {
    render(<OptionsPage port={port} />);
    await pressSoon('Use the local platform');
    await findText('Found at http://localhost:4400. Enter its token.');
    expect([field('name')?.value, field('baseUrl')?.value]).toEqual(['Local', 'http://localhost:4400']);
    expect(document.activeElement).toBe(field('token'));
    type('token', TOKEN);
    press('Save');
    await findText('Saved Local. Next, open DevTools (F12)');
    // Access to the other name of this computer was given up.
    await waitFor(() => expect([...port.granted]).toEqual(['http://localhost/*']));
  });

  it('says how to start the local platform when it isn’t running, and finds it on the port of the base URL', async () => {
    port.localPort = null;
    render(<OptionsPage port={port} />);
    await pressSoon('Use the local platform');
    expect(await alert()).toBe('LOCAL_PLATFORM_NOT_FOUND');
    port.localPort = 5000;
    press('Try again');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy());
    type('baseUrl', '127.0.0.1:5000');
    press('Try again');
    await findText('Found at http://localhost:5000');
    expect(field('baseUrl')?.value).toBe('http://localhost:5000');
  });

  it('looks for the local platform only after a click on this page, unless it has access', async () => {
    port.wanted = 'local';
    render(<OptionsPage port={port} />);
    await waitFor(() => expect(field('baseUrl')?.value).toBe('http://localhost:4400'));
    expect(port.granted.size).toBe(0);
    press('Find the local platform');
    await findText('Found at');
    expect(port.granted.size).toBe(2);
  });

  it('opens the form that another page asks for, also while a form is open', async () => {
    render(<OptionsPage port={port} />);
    await pressSoon('Use the local platform');
    act(() => port.request('new'));
    await waitFor(() => expect(field('preset')?.value).toBe('eu'));
    expect(screen.getByRole('link', { name: 'Where a token comes from' }).getAttribute('href')).toBe(
      '/docs/start.html#where-a-token-comes-from',
    );
  });
});

describe('adding an environment', () => {
  it('requests access in the same click, saves, and shows only the masked token', async () => {
    render(<OptionsPage port={port} />);
    const card = await add();
    expect(card.textContent).toContain('••••abcd');
    expect(document.body.innerHTML).not.toContain(TOKEN);
    expect([...port.granted]).toEqual(['https://api.example.com/*']);
    await findText(/Saved EU\./);
    expect(document.activeElement?.textContent).toBe('Edit');
  });

  it('saves it without access when the user declines, and says how to allow access later', async () => {
    render(<OptionsPage port={port} />);
    port.response = false;
    const card = await add();
    expect(card.textContent).toContain('No access');
    await findText(/Allow access to its base URL/);
    port.response = true;
    press('Allow access');
    await waitFor(() => expect(screen.queryByText('No access')).toBeNull());
  });

  it('doesn’t show what an earlier prompt for access led to while the browser asks again', async () => {
    render(<OptionsPage port={port} />);
    port.response = false;
    await add();
    press('Allow access');
    await findText('Access wasn’t allowed.');
    port.requestAccess = () => new Promise(() => {});
    press('Allow access');
    await waitFor(() => expect(screen.queryByText('Access wasn’t allowed.')).toBeNull());
  });

  it('shows that access was revoked elsewhere, when the user returns', async () => {
    render(<OptionsPage port={port} />);
    await add();
    port.granted.clear();
    fireEvent.focus(window);
    expect(await screen.findByText('No access')).toBeTruthy();
  });

  it.each([
    ['name', '  ', 'Enter a name.'],
    ['baseUrl', 'api.example.com', 'Enter a full URL'],
    ['baseUrl', 'http://api.example.com', 'Use https'],
    ['baseUrl', 'https://me:pw@api.example.com', 'Enter only the scheme'],
    ['baseUrl', 'https://api.example.com/?x=1', 'Enter only the scheme'],
    ['namespace', 'my platform', 'JavaScript identifier'],
    ['token', 'two words', 'must not contain spaces'],
  ])('refuses %s “%s” at the field, requests no access, and saves nothing', async (name, value, problem) => {
    render(<OptionsPage port={port} />);
    await pressSoon('Add environment');
    for (const [field, good] of Object.entries({ name: 'EU', baseUrl: 'https://api.example.com', [name]: value }))
      type(field, good);
    press('Save');
    await waitFor(() => expect(document.activeElement).toBe(field(name)));
    expect(
      document.getElementById(field(name)?.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '')?.textContent,
    ).toContain(problem);
    expect(await port.list()).toEqual({ ok: true, value: [] });
    expect(port.granted.size).toBe(0);
  });

  it('can be canceled', async () => {
    render(<OptionsPage port={port} />);
    await pressSoon('Add environment');
    press('Cancel');
    expect(await screen.findByText('Three steps to your first run')).toBeTruthy();
  });
});

describe('testing the connection', () => {
  it('works before anything is saved', async () => {
    render(<OptionsPage port={port} />);
    await pressSoon('Use the local platform');
    type('token', TOKEN);
    press('Test connection');
    await findText('Connected: 3 apps (12 ms)');
    expect(port.tested).toMatchObject([{ draft: { baseUrl: 'http://localhost:4400', token: TOKEN } }]);
    expect(await port.list()).toEqual({ ok: true, value: [] });
  });

  it('gives up the access that it requested when nothing is saved', async () => {
    render(<OptionsPage port={port} />);
    await add();
    press('Add environment');
    type('name', 'Other');
    for (const baseUrl of ['https://api.example.com/us', 'https://one.example.com', 'https://two.example.com']) {
      type('baseUrl', baseUrl);
      type('token', TOKEN);
      fireEvent.click(
        within(screen.getByRole('form', { name: 'New environment' })).getByRole('button', { name: 'Test connection' }),
      );
      await findText('Connected: 3 apps');
    }
    expect(port.granted.size).toBe(3);
    press('Cancel');
    await waitFor(() => expect([...port.granted]).toEqual(['https://api.example.com/*']));
  });

  it('gives up access to base URLs that were tested before another was saved', async () => {
    render(<OptionsPage port={port} />);
    await pressSoon('Add environment');
    for (const [name, value] of Object.entries({ name: 'EU', baseUrl: 'https://one.example.com', token: TOKEN }))
      type(name, value);
    press('Test connection');
    await findText('Connected: 3 apps');
    type('baseUrl', 'https://two.example.com');
    press('Save');
    await screen.findByRole('article', { name: 'EU' });
    await waitFor(() => expect([...port.granted]).toEqual(['https://two.example.com/*']));
  });

  it('gives up access that the browser grants only after Cancel', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { requestAccess } = port;
    port.requestAccess = (baseUrl) => promise.then(() => requestAccess(baseUrl));
    const released: string[] = [];
    const { releaseAccess } = port;
    port.releaseAccess = (baseUrl) => releaseAccess(baseUrl).then(() => void released.push(baseUrl));
    render(<OptionsPage port={port} />);
    await pressSoon('Use the local platform');
    type('token', TOKEN);
    press('Save');
    press('Cancel');
    resolve();
    await waitFor(() => expect(released).toEqual(['http://localhost:4400', 'http://127.0.0.1:4400']));
    expect(port.granted.size).toBe(0);
    expect(await port.list()).toEqual({ ok: true, value: [] });
  });

  it('shows a refusal with its code and hint', async () => {
    render(<OptionsPage port={port} />);
    const card = await add();
    port.testResponse = () =>
      Promise.resolve({
        ok: false,
        error: { code: 'TOKEN_REFUSED', message: 'No.', hint: 'Enter another.', status: 401 },
      });
    fireEvent.click(within(card).getByRole('button', { name: 'Test connection' }));
    expect(await alert()).toBe('TOKEN_REFUSED');
    expect(screen.getByRole('alert').textContent).toContain('Enter another.');
  });

  it('can be canceled, and ignores a late response', async () => {
    render(<OptionsPage port={port} />);
    const card = await add();
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<TestPort['test']>>>();
    port.testResponse = () => promise;
    fireEvent.click(within(card).getByRole('button', { name: 'Test connection' }));
    await findText(/Testing api\.example\.com/);
    press('Cancel');
    resolve({ ok: true, value: { apps: 9, unreadable: 0, milliseconds: 1 } });
    await promise;
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull());
    expect(document.body.textContent).not.toContain('9 apps');
  });
});

describe('changing an environment', () => {
  it('keeps the token unless it is replaced', async () => {
    render(<OptionsPage port={port} />);
    await add();
    press('Edit');
    expect(field('token')).toBeNull();
    type('name', 'Europe');
    press('Save');
    expect((await screen.findByRole('article', { name: 'Europe' })).textContent).toContain('••••abcd');
    press('Edit');
    press('Replace');
    type('token', 'another-token-9876');
    press('Save');
    expect((await screen.findByRole('article', { name: 'Europe' })).textContent).toContain('••••9876');
  });

  it('says that the token is removed when the base URL changes', async () => {
    render(<OptionsPage port={port} />);
    await add();
    press('Edit');
    type('baseUrl', 'https://us.example.com');
    expect(document.body.textContent).toContain('The stored token belongs to https://api.example.com.');
    press('Save');
    expect((await screen.findByRole('article', { name: 'EU' })).textContent).toContain('none (edit to enter one)');
    expect([...port.granted]).toEqual(['https://us.example.com/*']);
  });

  it('removes it only after a confirmation', async () => {
    render(<OptionsPage port={port} />);
    await add();
    press('Remove');
    press('Cancel');
    press('Remove');
    press('Remove environment');
    expect(await screen.findByText('Three steps to your first run')).toBeTruthy();
    expect(port.granted.size).toBe(0);
  });
});

describe('transferring environments', () => {
  const choose = (text: string) =>
    fireEvent.change(screen.getByLabelText('Environments file to import'), {
      target: { files: [new File([text], 'x.json')] },
    });

  it('exports them without tokens, and imports them elsewhere', async () => {
    const { unmount } = render(<OptionsPage port={port} />);
    await add();
    press('Export');
    await waitFor(() => expect(port.downloads.length).toBe(1));
    const [[name, text] = ['', '']] = port.downloads;
    expect(name).toBe('platform-environments.json');
    expect(text).not.toContain(TOKEN);
    unmount();
    globalThis.indexedDB = new IDBFactory();
    port = createTestPort();
    render(<OptionsPage port={port} />);
    await screen.findByText('Three steps to your first run');
    choose(text);
    expect((await screen.findByRole('form', { name: 'Import environments' })).textContent).toContain(
      'EUhttps://api.example.com',
    );
    expect(await port.list()).toEqual({ ok: true, value: [] });
    press('Import file');
    expect((await screen.findByRole('article', { name: 'EU' })).textContent).toContain('https://api.example.com');
    choose(text);
    await pressSoon('Import file');
    await findText('Imported 0 environments. Skipped 1 that already exists.');
  });

  it.each([
    ['IMPORT_NOT_JSON', '{"format": "platform'],
    ['IMPORT_OTHER_FILE', '{"environments": []}'],
    ['IMPORT_OTHER_FILE', 'null'],
    ['IMPORT_TOO_LARGE', ' '.repeat(1024 * 1024 + 1)],
    ['IMPORT_NEWER', '{"format": "platform-devtools-environments", "version": 3, "environments": []}'],
    [
      'IMPORT_INVALID',
      '{"format": "platform-devtools-environments", "version": 1, "environments": [{"name": "X", "preset": "eu", "baseUrl": "javascript:alert(1)"}]}',
    ],
  ])('refuses %s, and imports nothing', async (code, text) => {
    render(<OptionsPage port={port} />);
    await screen.findByText('Three steps to your first run');
    choose(text);
    expect(await alert()).toBe(code);
    expect(await port.list()).toEqual({ ok: true, value: [] });
  });

  it('shows the host of each before it imports them, and which isn’t the one that has its name', async () => {
    render(<OptionsPage port={port} />);
    await add();
    const environments = [
      { name: 'E-U', preset: 'eu', baseUrl: 'https://evil.example', pageUrls: ['https://pages.example'] },
      { name: 'EU', preset: 'eu', baseUrl: 'https://api.example.com' },
    ];
    choose(JSON.stringify({ format: 'platform-devtools-environments', version: 1, environments }));
    const items = within(await screen.findByRole('form', { name: 'Import environments' })).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent?.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'E-Uhttps://evil.examplePages at pages.exampleNot your EU, which is at api.example.com',
      'EUAlready existshttps://api.example.com',
    ]);
    press('Cancel');
    expect(screen.queryByRole('form')).toBeNull();
    expect(await port.list()).toMatchObject({ value: [{ name: 'EU' }] });
  });

  it('imports no token', async () => {
    render(<OptionsPage port={port} />);
    await screen.findByText('Three steps to your first run');
    choose(
      JSON.stringify({
        format: 'platform-devtools-environments',
        version: 1,
        environments: [{ id: 'mine', name: 'X', preset: 'custom', baseUrl: 'https://x.example', token: TOKEN }],
      }),
    );
    await pressSoon('Import file');
    expect((await screen.findByRole('article', { name: 'X' })).textContent).toContain('none (edit');
  });
});

describe('erasing', () => {
  it('requires the typed word, and then leaves nothing', async () => {
    render(<OptionsPage port={port} />);
    await add();
    press('Erase all data');
    type('confirm-erase', 'eras');
    press('Erase all data');
    expect((await port.list()).ok && (await port.list())).toMatchObject({ value: [{ name: 'EU' }] });
    type('confirm-erase', 'erase');
    press('Erase all data');
    await findText('Erased all data.');
    expect(await screen.findByText('Three steps to your first run')).toBeTruthy();
    expect(port.granted.size).toBe(0);
  });

  it('says what private windows can still have', async () => {
    port.canBePrivate = () => Promise.resolve(true);
    render(<OptionsPage port={port} />);
    type('confirm-erase', 'erase');
    press('Erase all data');
    await findText('Erased all data outside private windows.');
    expect(screen.queryByText('Erased all data.')).toBeNull();
  });
});

describe('a damaged vault', () => {
  it('is reported by code, and can still be erased', async () => {
    (await openDB(VAULT_NAME, 99)).close();
    render(<OptionsPage port={port} />);
    expect(await alert()).toBe('VAULT_NEWER');
    type('confirm-erase', 'erase');
    press('Erase all data');
    expect(await screen.findByText('Three steps to your first run')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('reports quarantined records', async () => {
    await port.list();
    const db = await openDB(VAULT_NAME);
    await db.put('environments', { id: 'broken' });
    db.close();
    render(<OptionsPage port={port} />);
    await findText('1 damaged environment moved to quarantine');
  });
});

describe('quarantined records', () => {
  it('are listed with a reason, and exported as a file without tokens', async () => {
    await port.save({ name: 'EU', preset: 'eu', baseUrl: 'https://api.example.com', token: TOKEN });
    const vault = await openDB(VAULT_NAME);
    await vault.put('environments', { id: 'broken', name: 7 });
    vault.close();
    (
      await openDB('platform-devtools-runs', 99, {
        upgrade: (db) => void db.createObjectStore('future').put('a run', 'r1'),
      })
    ).close();
    await port.list();
    render(<OptionsPage port={port} />);
    const section = await screen.findByRole('region', { name: 'Quarantined data' });
    expect(section.textContent).toMatch(
      /Environments.*1 damaged record in quarantine.*Runs and payloads.*newer version/,
    );
    press('Save as file');
    await waitFor(() => expect(port.downloads).toHaveLength(1));
    const [name, text] = port.downloads[0]!;
    expect(name).toBe('platform-quarantine.json');
    expect(text).toContain('"broken"');
    expect(text).toContain('a run');
    expect(text).not.toContain('tokens');
    expect(text).not.toContain('sealed');
  });

  it('aren’t mentioned when there are none', async () => {
    render(<OptionsPage port={port} />);
    await screen.findByText('Three steps to your first run');
    expect(screen.queryByRole('region', { name: 'Quarantined data' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Rejected messages' })).toBeNull();
  });

  it('refused messages are shown by code, reason, and count', async () => {
    port.refusedMessages = () =>
      Promise.resolve({
        ok: true,
        value: {
          since: 0,
          refusals: [
            { code: 'SENDER_REFUSED', reason: 'The panel page may not send data.erase.', count: 1_200, last: 5_000 },
            { code: 'MESSAGE_UNKNOWN', reason: 'Not known.', count: 1, last: 1 },
          ],
        },
      });
    render(<OptionsPage port={port} />);
    const section = await screen.findByRole('region', { name: 'Rejected messages' });
    expect(section.textContent).toMatch(
      /SENDER_REFUSED.*The panel page may not send data\.erase\. 1,200 times, last .*MESSAGE_UNKNOWN.*Not known\. 1 time, last/,
    );
  });
});
