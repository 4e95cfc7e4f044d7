/** Tests that an unlocked key doesn’t stay in the browser’s memory when the user is idle. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Alarms, SessionArea } from '../../../../lib/extension/background/auto-lock.ts';
import { createSessionKeys, lockWhenIdle } from '../../../../lib/extension/background/auto-lock.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { Vault } from '../../../../lib/extension/vault/index.ts';

const PASSPHRASE = 'correct horse battery staple';
const MINUTE = 60_000;
const NOW = Date.parse('2026-03-01T10:00:00Z');
let now: number;
let browser: ReturnType<typeof startBrowser>;

/** Session storage and alarms, which outlive the worker. Records the order of calls. */
function startBrowser() {
  const calls: string[] = [];
  const memory = new Map<string, unknown>();
  const set = new Map<string, number>();
  let listener: ((alarm: { name: string }) => void) | undefined;
  const area: SessionArea = {
    get: (key) => Promise.resolve(memory.has(key) ? { [key]: structuredClone(memory.get(key)) } : {}),
    set: async (items) => {
      calls.push('key');
      for (const [key, value] of Object.entries(items)) memory.set(key, value);
    },
    remove: (key) => Promise.resolve(void memory.delete(key)),
  };
  const alarms: Alarms = {
    create: async (name, { when }) => {
      calls.push('alarm');
      set.set(name, when);
    },
    clear: (name) => Promise.resolve(set.delete(name)),
    onAlarm: { addListener: (added) => void (listener = added) },
  };
  return { calls, memory, set, area, alarms, ring: (name: string) => listener!({ name }) };
}

function startWorker() {
  const session = createSessionKeys(browser.area, browser.alarms);
  const vault = new Vault({ session, iterations: 1000 });
  lockWhenIdle(vault, session, browser.alarms);
  return vault;
}

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  browser = startBrowser();
  now = NOW;
  vi.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

const isGone = () => waitFor('no key in the session', () => Promise.resolve(browser.memory.size === 0));

it('the alarm is set before the key is stored, for the end of the idle time', async () => {
  await startWorker().protect(PASSPHRASE, 15);
  expect(browser.calls).toEqual(['alarm', 'key']);
  expect([...browser.set]).toEqual([['vault.lock', NOW + 15 * MINUTE]]);
  expect([...browser.memory.keys()]).toEqual(['vault']);
});

it('the alarm removes the key and itself, even in a worker that it started', async () => {
  const vault = startWorker();
  await vault.protect(PASSPHRASE, 15);
  now += 15 * MINUTE;
  browser.ring('vault.lock');
  await isGone();
  await waitFor('no alarm', () => Promise.resolve(browser.set.size === 0));
  await vault.unlock(PASSPHRASE);
  now += 15 * MINUTE;
  startWorker();
  browser.ring('vault.lock');
  await isGone();
});

it('an alarm that fires early, after activity elsewhere, is set again', async () => {
  const vault = startWorker();
  await vault.protect(PASSPHRASE, 15);
  now += 10 * MINUTE;
  browser.set.clear();
  browser.ring('vault.lock');
  await waitFor('an alarm', () => Promise.resolve(browser.set.size === 1));
  expect([...browser.set.values()]).toEqual([NOW + 15 * MINUTE]);
  expect(browser.memory.size).toBe(1);
});

it('other alarms are ignored', async () => {
  await startWorker().protect(PASSPHRASE, 15);
  const session = createSessionKeys(browser.area, browser.alarms);
  const state = vi.fn(() => Promise.reject(new Error('must not be asked')));
  lockWhenIdle({ state }, { ...session, clear: vi.fn() }, browser.alarms);
  state.mockClear();
  browser.ring('other');
  expect(state).not.toHaveBeenCalled();
  expect(browser.memory.size).toBe(1);
});

it('a worker that starts restores an alarm that the browser lost', async () => {
  await startWorker().protect(PASSPHRASE, 15);
  browser.set.clear();
  startWorker();
  await waitFor('an alarm', () => Promise.resolve(browser.set.size === 1));
});

it('tokens lock when the state can’t be read', async () => {
  const vault = startWorker();
  await vault.protect(PASSPHRASE, 15);
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('no', 'UnknownError');
  });
  startWorker();
  await isGone();
});

it('an unlocked vault without a passphrase needs no alarm', async () => {
  const vault = startWorker();
  await vault.state();
  expect({ memoryCount: browser.memory.size, setCount: browser.set.size }).toEqual({ memoryCount: 0, setCount: 0 });
});
