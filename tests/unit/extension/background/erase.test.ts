/** Tests that erasing checks whether everything is gone, and reports what isn’t. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ErasedParts } from '../../../../lib/extension/background/erase.ts';
import { eraseEverything } from '../../../../lib/extension/background/erase.ts';
import { erasePrivateData } from '../../../../lib/extension/storage/index.ts';
import { toErrorValue } from '../../../../lib/platform-api/index.ts';

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

const failure = (work: Promise<unknown>) => work.then(() => null, toErrorValue);

/** A browser with every kind of data. */
async function fullBrowser() {
  const held = {
    session: { vault: 'key' } as Record<string, unknown>,
    local: { draft: 'text' } as Record<string, unknown>,
    alarms: ['vault.lock'],
    rules: [{ id: 41_000 }, { id: 3 }],
    dynamicRules: [{ id: 1 }],
    origins: ['https://api.example.com/*', 'http://127.0.0.1/*', 'https://required.example/*'],
    permissions: ['storage', 'alarms', 'notifications'],
  };
  const area = (name: 'session' | 'local') => ({
    get: () => Promise.resolve(held[name]),
    clear: () => Promise.resolve(void (held[name] = {})),
  });
  const parts: ErasedParts = {
    session: area('session'),
    local: area('local'),
    alarms: {
      getAll: () => Promise.resolve(held.alarms),
      clearAll: () => Promise.resolve((held.alarms = []).length === 0),
    },
    rules: {
      getSessionRules: () => Promise.resolve(held.rules),
      updateSessionRules: ({ removeRuleIds }) =>
        Promise.resolve(void (held.rules = held.rules.filter(({ id }) => !removeRuleIds.includes(id)))),
      getDynamicRules: () => Promise.resolve(held.dynamicRules),
      updateDynamicRules: ({ removeRuleIds }) =>
        Promise.resolve(void (held.dynamicRules = held.dynamicRules.filter(({ id }) => !removeRuleIds.includes(id)))),
    },
    permissions: {
      getAll: () => Promise.resolve({ origins: held.origins, permissions: held.permissions }),
      remove: ({ origins = [], permissions = [] }) => {
        // Like a browser, rejects all permissions if one of them is required.
        if (origins.includes('https://required.example/*') || permissions.includes('storage'))
          return Promise.reject(new Error('You cannot remove required permissions.'));
        held.origins = held.origins.filter((one) => !origins.includes(one));
        held.permissions = held.permissions.filter((one) => !permissions.includes(one));
        return Promise.resolve(true);
      },
    },
    manifest: { host_permissions: ['https://required.example/*'], optional_permissions: ['notifications'] },
    timeout: 20,
  };
  const db = await openDB('platform-devtools-runs', 1, { upgrade: (made) => void made.createObjectStore('runs') });
  await db.put('runs', 'a run', 'k');
  db.close();
  return { held, parts };
}

it('erasing leaves nothing but what the manifest requires', async () => {
  const { held, parts } = await fullBrowser();
  await eraseEverything(parts);
  expect(held).toEqual({
    session: {},
    local: {},
    alarms: [],
    rules: [],
    dynamicRules: [],
    origins: ['https://required.example/*'],
    permissions: ['storage', 'alarms'],
  });
  expect(await indexedDB.databases()).toEqual([]);
});

it('erasing works in a browser without data, and with an empty manifest', async () => {
  const { parts } = await fullBrowser();
  await eraseEverything(parts);
  await eraseEverything({
    ...parts,
    manifest: {},
    permissions: { getAll: () => Promise.resolve({}), remove: () => Promise.resolve(false) },
  });
});

describe('erasing reports what couldn’t be removed', () => {
  it.each<[string, (parts: ErasedParts) => unknown]>([
    ['session storage', (parts) => (parts.session.clear = () => Promise.resolve())],
    ['local storage', (parts) => (parts.local.clear = () => Promise.reject(new Error('no')))],
    ['alarms', (parts) => (parts.alarms.clearAll = () => Promise.resolve(false))],
    ['request rules', (parts) => (parts.rules.updateSessionRules = () => Promise.reject(new Error('no')))],
    ['permissions', (parts) => (parts.permissions.remove = () => Promise.resolve(false))],
    ['alarms', (parts) => (parts.alarms.getAll = () => Promise.reject(new Error('can’t read alarms')))],
  ])('%s, and erases everything else', async (name, hinder) => {
    const { held, parts } = await fullBrowser();
    hinder(parts);
    expect(await failure(eraseEverything(parts))).toMatchObject({
      code: 'DATA_LEFT',
      message: `Couldn’t erase everything. Remaining data: ${name}.`,
      hint: expect.any(String),
    });
    expect(await indexedDB.databases()).toEqual([]);
    if (name !== 'session storage') expect(held.session).toEqual({});
    if (name !== 'permissions') expect(held.permissions).not.toContain('notifications');
  });

  it('a permission without its origins, and origins without their permission', async () => {
    for (const left of ['origins', 'permissions'] as const) {
      const { held, parts } = await fullBrowser();
      parts.permissions.remove = () => Promise.resolve(true);
      if (left === 'origins') held.permissions = ['storage'];
      else held.origins = [];
      expect(await failure(eraseEverything(parts))).toMatchObject({ code: 'DATA_LEFT' });
    }
  });

  it('databases that an open page has filled again', async () => {
    const { parts } = await fullBrowser();
    const clear = parts.local.clear;
    parts.local.clear = async () => {
      const db = await openDB('again', 1, {
        upgrade: (made) => [made.createObjectStore('empty'), made.createObjectStore('full')],
      });
      await db.put('full', 'a record', 'k');
      db.close();
      await clear();
    };
    expect(await failure(eraseEverything(parts))).toMatchObject({
      message: 'Couldn’t erase everything. Remaining data: databases.',
    });
  });

  it('a database that can’t be opened', async () => {
    const { parts } = await fullBrowser();
    const clear = parts.local.clear;
    parts.local.clear = async () => {
      (await openDB('again', 1)).close();
      const request = new (IDBOpenDBRequest as unknown as new () => IDBOpenDBRequest)();
      Object.defineProperty(request, 'error', { value: new DOMException('no', 'UnknownError') });
      request.addEventListener = (type: string, listener: unknown) => {
        if (type === 'error') queueMicrotask(listener as () => void);
      };
      vi.spyOn(indexedDB, 'open').mockReturnValue(request);
      await clear();
    };
    const failed = await failure(eraseEverything(parts));
    vi.restoreAllMocks();
    expect(failed).toMatchObject({ message: 'Couldn’t erase everything. Remaining data: databases.' });
  });

  it('no database that is empty because a page has just opened it', async () => {
    const { parts } = await fullBrowser();
    const clear = parts.local.clear;
    parts.local.clear = async () => {
      (await openDB('again', 1, { upgrade: (made) => void made.createObjectStore('empty') })).close();
      await clear();
    };
    await eraseEverything(parts);
  });

  it('no database that is deleted while it is inspected', async () => {
    const { parts } = await fullBrowser();
    vi.spyOn(indexedDB, 'databases')
      .mockResolvedValueOnce([{ name: 'platform-devtools-runs', version: 1 }])
      .mockResolvedValueOnce([{ name: 'gone', version: 1 }]);
    await eraseEverything(parts);
    vi.restoreAllMocks();
    expect(await indexedDB.databases()).toEqual([]);
  });

  it('runs that an open panel uses, with a code of their own, or among others', async () => {
    const { parts } = await fullBrowser();
    const panel = await openDB('platform-devtools-runs');
    expect(await failure(eraseEverything(parts))).toMatchObject({
      code: 'DATA_IN_USE',
      message: 'Couldn’t erase yet: Runs and payloads. The browser erases them when no other page uses them.',
    });
    parts.alarms.clearAll = () => Promise.resolve(false);
    parts.alarms.getAll = () => Promise.resolve(['vault.lock']);
    expect(await failure(eraseEverything(parts))).toMatchObject({
      code: 'DATA_LEFT',
      message: 'Couldn’t erase everything. Remaining data: databases, alarms.',
    });
    panel.close();
  });
});

it.each([
  [true, []],
  [false, ['platform-devtools-runs']],
  [undefined, ['platform-devtools-runs']],
])(
  'a page erases its own databases only in a private window, which the worker can’t reach: %s',
  async (isPrivate, left) => {
    await fullBrowser();
    let isCleared = false;
    await erasePrivateData(isPrivate, { clear: () => void (isCleared = true) });
    expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(left);
    expect(isCleared).toBe(isPrivate === true);
  },
);
