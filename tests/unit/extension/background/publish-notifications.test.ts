/** Tests that a notification reports each outcome once while no popup is open, and disappears when it was seen. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import { PublishNotifier, type Notifications } from '../../../../lib/extension/background/publish-notifications.ts';
import { createPublishStore } from '../../../../lib/extension/background/publish-store.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import type { PublishOutcome, PublishRecord } from '../../../../lib/extension/messaging/model/publishing.ts';

const PUBLISHED: PublishOutcome = { state: 'published', at: 2, settled: false, app: { version: 13, updatedAt: 't13' } };
const FAILED: PublishOutcome = { state: 'failed', at: 2, error: { code: 'NO', message: 'At https://secret.example' } };
const UNKNOWN: PublishOutcome = { state: 'unknown', at: 2, error: { code: 'OUTCOME_UNKNOWN', message: 'No.' } };
const TWICE: PublishOutcome = { state: 'unknown', at: 2, error: { code: 'PUBLISHED_TWICE', message: 'Twice.' } };

let store: ReturnType<typeof createPublishStore>;
let shown: Map<string, { title: string; message: string }>;
let created: string[];
let allowed: boolean;
let popupOpen: boolean;
let waiting: (() => void)[];
let opened: string[];
let canOpenPopup: boolean;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  store = createPublishStore();
  shown = new Map();
  created = [];
  allowed = true;
  popupOpen = false;
  waiting = [];
  opened = [];
  canOpenPopup = true;
});

const notifications: Notifications = {
  create(id, notification) {
    created.push(id);
    shown.set(id, notification);
    return Promise.resolve(id);
  },
  clear: (id) => Promise.resolve(shown.delete(id)),
  getAll: () => Promise.resolve(Object.fromEntries([...shown.keys()].map((id) => [id, true]))),
};
/** A worker. Another one simulates a restart after the browser killed it. */
const worker = (over: Partial<Notifications> = {}) =>
  new PublishNotifier({
    store,
    notifications: () => (allowed ? { ...notifications, ...over } : undefined),
    isPopupOpen: () => Promise.resolve(popupOpen),
    iconUrl: 'icon',
    openPage: (path) => Promise.resolve(opened.push(path)),
    openPopup: () =>
      canOpenPopup ? Promise.resolve(void opened.push('popup')) : Promise.reject(new Error('No window.')),
    schedule: (callback) => void waiting.push(callback),
  });
async function keep(id: string, over: Partial<PublishRecord> = {}): Promise<PublishRecord[]> {
  const record: PublishRecord = {
    id,
    environmentId: 'here',
    baseUrl: 'http://127.0.0.1:1',
    appId: 7,
    appName: 'Field Service',
    release: { type: 'silent', changelog: 'Faster.' },
    expected: { version: 12, updatedAt: 't12' },
    startedAt: 1,
    sentAt: 1,
    outcome: PUBLISHED,
    seen: false,
    told: false,
    discarded: false,
    ...over,
  };
  await store.begin(record, () => undefined);
  return store.list();
}
const seen = (id: string) => store.change(id, (record) => ({ ...record, seen: true }));

describe('reported outcomes', () => {
  it.each([
    [PUBLISHED, 'Update published', '\u2068Field Service\u2069: version 13, silent. Click to see who has it.'],
    [
      { ...PUBLISHED, app: { version: null, updatedAt: 't' } },
      'Update published',
      '\u2068Field Service\u2069: silent. Click to see who has it.',
    ],
    [FAILED, 'Update not published', '\u2068Field Service\u2069: silent. Click to see why.'],
    [TWICE, 'Update possibly published twice', '\u2068Field Service\u2069: silent. Click to see why.'],
    [UNKNOWN, 'Publish outcome unknown', '\u2068Field Service\u2069: silent. Click to see why.'],
  ] as const)('%j', async (outcome, title, message) => {
    await worker().update(await keep('a', { outcome }));
    expect([...shown]).toEqual([['publish.a', { type: 'basic', iconUrl: 'icon', title, message }]]);
  });

  it.each([
    ['x'.repeat(10_000), `${'x'.repeat(80)}…`],
    ['😀'.repeat(100), `${'😀'.repeat(80)}…`],
    ['<b>Bold</b>', '<b>Bold</b>'],
    ['\u202egnp.exe\u2069', String.raw`\u202egnp.exe\u2069`],
    ['two\n\nlines\u0000', String.raw`two lines\u0000`],
  ])('isolate a name such as %j as one short line with its own text direction', async (appName, name) => {
    await worker().update(await keep('a', { appName }));
    expect(shown.get('publish.a')?.message).toBe(`\u2068${name}\u2069: version 13, silent. Click to see who has it.`);
  });

  it('use the ID of an app without a name', async () => {
    await worker().update(await keep('a', { appName: ' \n ' }));
    expect(shown.get('publish.a')?.message).toMatch(/^App 7: /);
  });

  it('exclude publishes that are running, were seen, or must not be reported', async () => {
    await keep('a', { outcome: null });
    await worker().update(await keep('b', { seen: true }));
    allowed = false;
    await worker().update(await keep('c'));
    expect(created).toEqual([]);
    allowed = true;
    await worker().update(await store.list());
    expect(created).toEqual(['publish.c']);
  });
});

describe('each outcome is reported once', () => {
  it('however often and by whichever worker it is checked', async () => {
    const records = await keep('a');
    await Promise.all([worker().update(records), worker().update(records)]);
    const news = worker();
    await Promise.all([news.update(records), news.update(records)]);
    await worker().update(await store.list());
    expect(created).toEqual(['publish.a']);
  });

  it('even when the worker stops while showing it, or the user has closed it', async () => {
    const records = await keep('a');
    await worker({ create: () => Promise.reject(new Error('Killed.')) }).update(records);
    await worker().update(await store.list());
    expect(created).toEqual([]);
    await worker().update(await keep('b'));
    shown.clear();
    await worker().update(await store.list());
    expect(created).toEqual(['publish.b']);
  });

  it('except when it was seen just before', async () => {
    const records = await keep('a');
    await seen('a');
    await worker().update(records);
    expect(created).toEqual([]);
  });
});

describe('an open popup', () => {
  it('shows the outcome itself; if it closes before, the notification does', async () => {
    const news = worker();
    popupOpen = true;
    await news.update(await keep('a'));
    expect({ created, waitingCount: waiting.length }).toEqual({ created: [], waitingCount: 1 });
    popupOpen = false;
    waiting.splice(0).forEach((check) => check());
    await news.update(await store.list());
    expect(created).toEqual(['publish.a']);
  });

  it('ends the checks once it has shown the outcome, or after a minute', async () => {
    const news = worker();
    popupOpen = true;
    await news.update(await keep('a'));
    await seen('a');
    waiting.splice(0);
    await news.update(await store.list());
    expect(waiting).toEqual([]);
    const records = await keep('b');
    for (let check = 0; check < 40; check++) await news.update(records);
    expect({ waitingCount: waiting.length, created }).toEqual({ waitingCount: 30, created: [] });
  });
});

describe('a notification', () => {
  it('is removed when its publish was seen, dismissed, or forgotten, and no other is', async () => {
    const news = worker();
    await keep('a');
    await news.update(await keep('b', { outcome: UNKNOWN, appId: 8 }));
    shown.set('not.ours', { title: '', message: '' });
    await seen('a');
    await news.update(await store.list());
    expect([...shown.keys()]).toEqual(['publish.b', 'not.ours']);
    await news.update([]);
    expect([...shown.keys()]).toEqual(['not.ours']);
  });

  it('is removed even when its publish is seen while it is being shown', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const news = worker({ create: (id, notification) => held.then(() => notifications.create(id, notification)) });
    const first = news.update(await keep('a'));
    await waitFor('its claim', async () => (await store.list())[0]?.told);
    await seen('a');
    const second = news.update(await store.list());
    letGo();
    await Promise.all([first, second]);
    expect({ created, shownCount: shown.size }).toEqual({ created: ['publish.a'], shownCount: 0 });
  });

  it('opens the page of the version, or the popup where the browser only allows it as a page', async () => {
    const news = worker();
    await keep('a');
    await keep('b', { outcome: FAILED });
    await news.update(await store.list());
    await news.open('publish.a');
    await news.open('publish.b');
    canOpenPopup = false;
    await news.open('publish.b');
    expect({ opened, shownCount: shown.size }).toEqual({
      opened: ['app.html?environment=here&app=7&version=13', 'popup', 'popup.html'],
      shownCount: 0,
    });
  });

  it('of a removed publish opens the popup', async () => {
    await worker().open('publish.gone');
    expect(opened).toEqual(['popup']);
  });
});
