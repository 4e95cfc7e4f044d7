/** Tests the session store with fake storage and locks: stored data, changes from other tabs, and single refreshes. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { identityOf, SessionStore } from '../../../lib/oauth2/sessions.ts';
import { s256 } from '../../../lib/oauth2/pkce.ts';
import type { AuthResponse } from '../../../lib/oauth2/types.ts';

const SESSION: AuthResponse = {
  service: 'demo',
  access_token: 'token-1',
  token_type: 'Bearer',
  scope: 'a',
  state: 's',
};
const KEY = 'platform-oauth2:demo';

type Lock = { name: string };
function tab() {
  const stored = new Map<string, string>();
  const broken = { read: false, write: false };
  const held: Lock[] = [];
  let queried = () => {};
  /** Resolves at the next query of held locks. */
  const polling = () => new Promise<void>((resolve) => (queried = resolve));
  const waiting: Promise<unknown>[] = [];
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (broken.write) throw new DOMException('full', 'QuotaExceededError');
      stored.set(key, value);
    },
    removeItem: (key: string) => void stored.delete(key),
  };
  const locks = {
    async request(name: string, work: () => Promise<unknown>) {
      const lock = { name };
      held.push(lock);
      const done = work().finally(() => held.splice(held.indexOf(lock), 1));
      waiting.push(done);
      return done;
    },
    query: () => (queried(), Promise.resolve({ held: [...held] })),
  };
  const window = Object.assign(new EventTarget(), { navigator: { locks } });
  Object.defineProperty(window, 'localStorage', {
    get() {
      if (broken.read) throw new DOMException('blocked', 'SecurityError');
      return storage;
    },
  });
  const reported: unknown[] = [];
  const changes: unknown[] = [];
  const sessions = new SessionStore(
    window as unknown as Window,
    (service, detail) => void reported.push([service, detail]),
    (service, session) => void changes.push([service, session]),
  );
  const change = (key: string | null, oldValue: string | null, newValue: string | null) =>
    void window.dispatchEvent(Object.assign(new Event('storage'), { key, oldValue, newValue }));
  return { sessions, stored, broken, held, polling, reported, changes, change, window };
}
const event = (change: string, persistent: boolean) => ['demo', { kind: 'session', change, persistent }];

let warned: ReturnType<typeof vi.spyOn>;
beforeEach(() => void (warned = vi.spyOn(console, 'warn').mockImplementation(() => {})));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('A session', () => {
  it('is stored under the name of its service, and removed', () => {
    const { sessions, stored, reported } = tab();
    sessions.store(SESSION);
    expect([...stored.entries()]).toEqual([[KEY, JSON.stringify(SESSION)]]);
    expect(sessions.read('demo')).toEqual({ ...SESSION, expires: undefined });
    sessions.remove('demo');
    expect([sessions.read('demo'), stored.size]).toEqual([null, 0]);
    expect(reported).toEqual([event('stored', true), event('removed', true)]);
    expect(warned).not.toHaveBeenCalled();
  });

  it('stays in memory with a warning when storage is full, and removes the stored older one', () => {
    const { sessions, stored, broken, reported } = tab();
    sessions.store(SESSION);
    broken.write = true;
    sessions.store({ ...SESSION, access_token: 'token-2' });
    expect(stored.size).toBe(0);
    expect(sessions.read('demo')?.access_token).toBe('token-2');
    expect(warned.mock.calls).toEqual([
      [
        'Couldn’t store the session for “demo”: storage is full or blocked. The session is lost when this page closes or reloads.',
      ],
    ]);
    broken.write = false;
    sessions.store({ ...SESSION, access_token: 'token-3' });
    expect(sessions.read('demo')?.access_token).toBe('token-3');
    expect(reported).toEqual([event('stored', true), event('stored', false), event('stored', true)]);
  });

  it('stays in memory when storage is blocked, until it is removed', () => {
    const { sessions, broken, reported } = tab();
    broken.read = true;
    sessions.store(SESSION);
    expect(sessions.read('demo')?.access_token).toBe('token-1');
    sessions.remove('demo');
    expect(sessions.read('demo')).toBeNull();
    expect(reported).toEqual([event('stored', false), event('removed', false)]);
  });

  it.each<[string, object | null]>([
    ['{"access_token":"x","state":7,"expires":5}', { state: '7', scope: '', expires: 5 }],
    ['{"access_token":"x","expires":"5"}', { state: '', expires: undefined }],
    ['{"access_token":"x","scope":"b","service":"other"}', { service: 'demo', scope: 'b' }],
    ['{"access_token":""}', null],
    ['null', null],
    ['7', null],
    ['{', null],
  ])('stored as %s is read as %j', (text, session) => {
    const { sessions, stored } = tab();
    stored.set(KEY, text);
    if (session) expect(sessions.read('demo')).toMatchObject(session);
    else expect(sessions.read('demo')).toBeNull();
  });
});

describe('A change in another tab', () => {
  const text = JSON.stringify(SESSION);

  it('is reported when it starts or ends a session, but not for a refresh or the same session', () => {
    const { change, changes, reported } = tab();
    const refreshed = JSON.stringify({ ...SESSION, access_token: 'token-2', refreshed: true });
    change(KEY, null, text);
    change(KEY, text, `${text} `);
    change(KEY, text, refreshed);
    change(KEY, refreshed, text);
    change(KEY, 'damaged', null);
    change(KEY, text, null);
    change(KEY, null, refreshed);
    const session = { ...SESSION, expires: undefined };
    expect(changes).toEqual([
      ['demo', session],
      ['demo', session],
      ['demo', null],
      ['demo', { ...session, access_token: 'token-2' }],
    ]);
    expect(reported).toEqual(Array.from({ length: 7 }, () => event('changed-elsewhere', true)));
  });

  it('that clears the storage ends each known session once, unless this tab has stored one since', () => {
    const { sessions, change, changes, stored } = tab();
    sessions.store(SESSION);
    sessions.store({ ...SESSION, service: 'other' });
    stored.clear();
    sessions.store({ ...SESSION, service: 'other' });
    change(null, null, null);
    change(null, null, null);
    expect(changes).toEqual([['demo', null]]);
    sessions.remove('other');
    change(null, null, null);
    expect(changes).toHaveLength(1);
  });

  it('replaces the session in this tab’s memory', () => {
    const { sessions, broken, stored, change } = tab();
    broken.write = true;
    sessions.store(SESSION);
    stored.set(KEY, JSON.stringify({ ...SESSION, access_token: 'theirs' }));
    change(KEY, null, stored.get(KEY)!);
    expect(sessions.read('demo')?.access_token).toBe('theirs');
  });

  it('to another key is ignored', () => {
    const { change, changes, reported } = tab();
    change(null, null, null);
    change('demo', null, text);
    change(`x${KEY}`, null, text);
    expect({ changes, reported }).toEqual({ changes: [], reported: [] });
  });
});

describe('Refreshing', () => {
  const lockOf = async (session: AuthResponse) => `${KEY} ${await s256(identityOf(session))}`;
  const renewed = { ...SESSION, access_token: 'token-2' };

  it('holds a lock of the service, and then one of the session until the next refresh', async () => {
    const { sessions, held } = tab();
    const seen: string[][] = [];
    const renew = () => (seen.push(held.map(({ name }) => name)), Promise.resolve(renewed));
    expect(await sessions.refreshOnce(SESSION, renew)).toBe(renewed);
    expect(held.map(({ name }) => name)).toEqual([await lockOf(SESSION)]);
    await sessions.refreshOnce(renewed, () => Promise.resolve(SESSION));
    expect(seen[0]).toEqual([KEY]);
    expect(held.map(({ name }) => name)).toEqual([await lockOf(renewed)]);
    expect(await lockOf(renewed)).toMatch(/^platform-oauth2:demo [\w-]{43}$/);
  });

  it('that gets an equal session holds no lock, since other tabs would wait for it in vain', async () => {
    const { sessions, held } = tab();
    await sessions.refreshOnce(SESSION, () => Promise.resolve({ ...SESSION, expires: undefined }));
    expect(held).toEqual([]);
  });

  it('holds the lock of a session while those of other services refresh', async () => {
    const { sessions, held } = tab();
    for (const service of ['demo', 'other'])
      await sessions.refreshOnce({ ...SESSION, service }, () => Promise.resolve({ ...renewed, service }));
    expect(held.map(({ name }) => name.split(' ')[0])).toEqual([KEY, 'platform-oauth2:other']);
  });

  it('waits up to 5 seconds for the session that another tab got', async () => {
    const { sessions, held, polling, stored } = tab();
    stored.set(KEY, JSON.stringify(SESSION));
    held.push({ name: await lockOf(SESSION) }, { name: 'another lock' });
    vi.useFakeTimers({ now: 0 });
    const times: number[] = [];
    const renew = () => (times.push(Date.now()), Promise.resolve(renewed));
    let startedAt = polling();
    const arriving = sessions.refreshOnce(SESSION, renew);
    await startedAt;
    await vi.advanceTimersByTimeAsync(100);
    expect(times).toEqual([]);
    stored.set(KEY, JSON.stringify(renewed));
    await vi.advanceTimersByTimeAsync(100);
    await arriving;
    expect(times).toHaveLength(1);
    stored.set(KEY, JSON.stringify(SESSION));
    const started = Date.now();
    startedAt = polling();
    const late = sessions.refreshOnce(SESSION, renew);
    await startedAt;
    await vi.advanceTimersByTimeAsync(6000);
    await late;
    expect(times[1]! - started).toBeGreaterThanOrEqual(5000);
    expect(times[1]! - started).toBeLessThan(5100);
  });

  it('waits no longer for another tab when the computer’s clock is set back', async () => {
    const { sessions, held, polling, stored } = tab();
    stored.set(KEY, JSON.stringify(SESSION));
    held.push({ name: await lockOf(SESSION) });
    vi.useFakeTimers({ now: 7_200_000 });
    const renew = vi.fn(() => Promise.resolve(renewed));
    const startedAt = polling();
    const refreshed = sessions.refreshOnce(SESSION, renew);
    await startedAt;
    await vi.advanceTimersByTimeAsync(100);
    vi.setSystemTime(0);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(renew).toHaveBeenCalledTimes(1);
    await refreshed;
  });

  it('works without locks', async () => {
    const { sessions, window } = tab();
    Object.assign(window, { navigator: {} });
    const renew = vi.fn(() => Promise.resolve(renewed));
    expect(await sessions.refreshOnce(SESSION, renew)).toBe(renewed);
    expect(renew).toHaveBeenCalledTimes(1);
  });

  it('is not repeated when it fails', async () => {
    const { sessions } = tab();
    const renew = vi.fn(() => Promise.reject(new Error('refused')));
    await expect(sessions.refreshOnce(SESSION, renew)).rejects.toThrow('refused');
    expect(renew).toHaveBeenCalledTimes(1);
  });
});
