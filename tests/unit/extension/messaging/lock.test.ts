/**
 * Tests that a surface repeats requests that a locked vault refused, except changes, and follows the other surfaces.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LockState } from '../../../../lib/extension/messaging/model/lock.ts';
import { Lock } from '../../../../lib/extension/messaging/lock.ts';
import type { MessageName, Send } from '../../../../lib/extension/messaging/protocol.ts';
import { RULES } from '../../../../lib/extension/messaging/rules.ts';

const RIGHT = 'four words that fit';
const LOCKED = { kind: 'locked' as const, idleMinutes: 15, retryAt: null };
const UNLOCKED: LockState = { kind: 'unlocked', idleMinutes: 15, locksAt: 900_000 };

/** The worker of all surfaces. */
let vault: LockState;
let messages: MessageName[];
let channels: BroadcastChannel[];
const ask = ((name, takes) => {
  messages.push(name);
  return Promise.resolve().then(() => responseOf(name, takes as never));
}) as Send;

function responseOf(name: MessageName, takes: { passphrase: string }) {
  if (name === 'vault.active') return { ok: true, value: null };
  if (name === 'vault.unlock' && takes.passphrase !== RIGHT) {
    vault = { ...LOCKED, retryAt: 4_000 };
    return { ok: false, error: { code: 'PASSPHRASE_WRONG', message: 'Wrong.' } };
  }
  if (name === 'vault.unlock') vault = UNLOCKED;
  if (name === 'vault.lock') vault = LOCKED;
  if (name === 'data.erase') vault = { kind: 'open' };
  if (name.startsWith('vault.')) return { ok: true, value: { quarantined: 0, lock: vault } };
  return vault.kind === 'locked'
    ? { ok: false, error: { code: 'VAULT_LOCKED', message: 'Locked.' } }
    : { ok: true, value: [] };
}

const silent = { postMessage: () => {}, addEventListener: () => {} };
const surface = (): Lock => {
  const channel = new BroadcastChannel('test');
  channels.push(channel);
  return new Lock(ask, channel);
};
/** Resolves when the surface knows this state of the lock. */
const becomes = (lock: Lock, holds: () => boolean) =>
  new Promise<void>((resolve) => {
    const check = () => holds() && resolve();
    lock.subscribe(check);
    check();
  });
const apps = (lock: Lock) => lock.send('apps.list', { environmentId: 'a' });
const open = (lock: Lock) => lock.send('debugPage.open', { environmentId: 'a', tabId: 1, appId: 1, taskId: 1 });
const remove = (lock: Lock) => lock.send('actions.remove', { environmentId: 'a', appId: 1, actionId: 1 });
const count = (name: MessageName) => messages.filter((one) => one === name).length;

beforeEach(() => {
  vault = LOCKED;
  messages = [];
  channels = [];
});
afterEach(() => channels.forEach((channel) => channel.close()));

describe('a request that is refused because the tokens are locked', () => {
  it('prompts for the passphrase, and is repeated automatically once they are unlocked', async () => {
    const lock = surface();
    const listed = apps(lock);
    await becomes(lock, () => lock.isPrompting() && lock.state()?.kind === 'locked');
    expect((await lock.unlock(RIGHT)).ok).toBe(true);
    expect(await listed).toEqual({ ok: true, value: [] });
    expect([lock.isPrompting(), count('apps.list')]).toEqual([false, 2]);
  });

  it('keeps waiting after a wrong passphrase, and knows when the next try is allowed', async () => {
    const lock = surface();
    const listed = apps(lock);
    await becomes(lock, () => lock.isPrompting());
    expect((await lock.unlock('wrong')).ok).toBe(false);
    expect([lock.isPrompting(), lock.state()]).toEqual([true, { ...LOCKED, retryAt: 4_000 }]);
    await lock.unlock(RIGHT);
    expect((await listed).ok).toBe(true);
  });

  it('is refused when the user dismisses the form, and the next request prompts again', async () => {
    const lock = surface();
    const listed = apps(lock);
    await becomes(lock, () => lock.state() !== null);
    lock.dismiss();
    expect(await listed).toMatchObject({ ok: false, error: { code: 'VAULT_LOCKED' } });
    await lock.refresh();
    expect(lock.isPrompting()).toBe(false);
    void apps(lock);
    await becomes(lock, () => lock.isPrompting());
    lock.dismiss();
    lock.prompt();
    expect(lock.isPrompting()).toBe(true);
  });

  it('isn’t repeated later when it changes something', async () => {
    const lock = surface();
    expect(await remove(lock)).toMatchObject({ ok: false, error: { code: 'VAULT_LOCKED' } });
    expect(lock.isPrompting()).toBe(true);
    await lock.unlock(RIGHT);
    expect(count('actions.remove')).toBe(1);
  });

  it('is repeated when it only reads, or in front of the user when it navigates a tab or exports a file', async () => {
    const again: Record<string, string[]> = { here: [], elsewhere: [] };
    for (const where of ['here', 'elsewhere']) {
      for (const name of (Object.keys(RULES) as MessageName[]).filter(
        (one) => !one.startsWith('vault.') && one !== 'data.erase',
      )) {
        vault = LOCKED;
        messages = [];
        const lock = surface();
        const response = lock.send(name, undefined as never);
        await becomes(lock, () => lock.state() !== null);
        vault = UNLOCKED;
        await (where === 'here' ? lock.unlock(RIGHT) : lock.refresh());
        await response;
        if (count(name) > 1) again[where]?.push(name);
      }
    }
    const reads = [
      'environments.list',
      'environments.test',
      'apps.list',
      'sessions.list',
      'functions.list',
      'guard.list',
      'dataSources.list',
      'actions.list',
      'actionsV3.list',
      'actionsV3.get',
      'logs.list',
      'clock.get',
      'publish.preview',
      'publish.list',
      'publish.settle',
    ];
    expect({ here: again['here']?.sort(), elsewhere: again['elsewhere']?.sort() }).toEqual({
      here: [
        ...reads,
        'debugPage.open',
        'debugPage.allowReload',
        'pages.open',
        'pages.allowReload',
        'environments.export',
      ].sort(),
      elsewhere: reads.sort(),
    });
  });

  it('isn’t repeated endlessly when the worker alternates between locked and unlocked', async () => {
    const lock = new Lock(
      (async (name: MessageName) => {
        messages.push(name);
        return name === 'vault.state'
          ? { ok: true, value: { quarantined: 0, lock: UNLOCKED } }
          : { ok: false, error: { code: 'VAULT_LOCKED', message: 'Locked.' } };
      }) as Send,
      silent,
    );
    expect(await apps(lock)).toMatchObject({ ok: false, error: { code: 'VAULT_LOCKED' } });
    expect([count('apps.list'), lock.isPrompting()]).toEqual([3, false]);
  });

  it('is repeated at once when tokens were unlocked since, even when it navigates a tab', async () => {
    const lock = new Lock(
      ((name: MessageName, takes: unknown) => {
        const response = ask(name as 'vault.state', takes as undefined);
        if (name === 'debugPage.open') vault = UNLOCKED;
        return name === 'debugPage.open' && count(name) === 1
          ? Promise.resolve({ ok: false, error: { code: 'VAULT_LOCKED', message: 'Locked.' } })
          : response;
      }) as Send,
      silent,
    );
    expect((await open(lock)).ok).toBe(true);
    expect([count('debugPage.open'), lock.isPrompting()]).toEqual([2, false]);
  });

  it('is refused when the state of the lock can’t be read', async () => {
    const lock = new Lock(
      ((name: MessageName) =>
        Promise.resolve({
          ok: false,
          error: { code: name === 'vault.state' ? 'WORKER_UNREACHABLE' : 'VAULT_LOCKED', message: 'No.' },
        })) as unknown as Send,
      silent,
    );
    expect(await apps(lock)).toMatchObject({ error: { code: 'VAULT_LOCKED' } });
    expect(lock.isPrompting()).toBe(false);
  });

  it('prompts only while something is locked', async () => {
    vault = UNLOCKED;
    const lock = surface();
    await lock.refresh();
    lock.prompt();
    expect(lock.isPrompting()).toBe(false);
  });

  it('doesn’t prompt for other errors', async () => {
    const lock = new Lock(
      (() => Promise.resolve({ ok: false, error: { code: 'TOKEN_REFUSED', message: 'No.' } })) as unknown as Send,
      silent,
    );
    expect(await apps(lock)).toMatchObject({ error: { code: 'TOKEN_REFUSED' } });
    expect(lock.isPrompting()).toBe(false);
  });
});

describe('a late response', () => {
  it('is requested again when a newer response arrived since', async () => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof ask>>>();
    const lock = new Lock(
      ((name: MessageName, takes: unknown) =>
        name === 'vault.state' && count(name) === 0
          ? (messages.push(name), promise)
          : ask(name as 'vault.state', takes as undefined)) as Send,
      silent,
    );
    const looked = lock.refresh();
    await lock.unlock(RIGHT);
    resolve({ ok: true, value: { quarantined: 0, lock: LOCKED } });
    await looked;
    expect([lock.state(), lock.isPrompting(), count('vault.state')]).toEqual([UNLOCKED, false, 2]);
  });
});

describe('two surfaces', () => {
  it('lock and unlock together, and the other one repeats reads but doesn’t navigate its tab', async () => {
    const [first, second] = [surface(), surface()];
    const [listed, opened] = [apps(second), open(second)];
    await becomes(second, () => second.state() !== null);
    await first.unlock(RIGHT);
    expect(await listed).toEqual({ ok: true, value: [] });
    expect(await opened).toMatchObject({ ok: false, error: { code: 'VAULT_LOCKED' } });
    await first.send('vault.lock', undefined);
    await becomes(second, () => second.state()?.kind === 'locked' && second.isPrompting());
    const again = open(second);
    await second.unlock(RIGHT);
    expect((await again).ok).toBe(true);
    await becomes(first, () => first.state()?.kind === 'unlocked');
    await first.send('data.erase', undefined);
    await becomes(second, () => second.state()?.kind === 'open');
  });

  it('send each other nothing but a notice that something has changed', async () => {
    const first = surface();
    const channel = new BroadcastChannel('test');
    channels.push(channel);
    const message = new Promise((resolve) =>
      channel.addEventListener('message', (event) => resolve((event as MessageEvent).data)),
    );
    await first.unlock(RIGHT);
    expect(await message).toBeNull();
  });
});

describe('an open surface', () => {
  const window = () => {
    const listeners = new Map<string, { listener: (event: unknown) => void; options: unknown }>();
    return {
      listeners,
      addEventListener: ((type: string, listener: (event: unknown) => void, options: unknown) =>
        listeners.set(type, { listener, options })) as unknown as EventTarget['addEventListener'],
      does: (type: string, isTrusted = true) => listeners.get(type)?.listener({ isTrusted }),
    };
  };

  it('reports user activity at most every 20 s, and only while the tokens are unlocked', async () => {
    const lock = surface();
    const page = window();
    let now = 1_000_000;
    lock.watch(page, () => now);
    await becomes(lock, () => lock.state() !== null);
    page.does('keydown');
    expect(count('vault.active')).toBe(0);
    await lock.unlock(RIGHT);
    for (const sign of ['keydown', 'pointerdown', 'pointermove', 'wheel']) {
      const before = count('vault.active');
      page.does(sign, false);
      expect(count('vault.active')).toBe(before);
      page.does(sign);
      page.does(sign);
      now += 19_999;
      page.does(sign);
      now += 1;
    }
    expect(count('vault.active')).toBe(4);
    for (const type of ['keydown', 'pointerdown', 'pointermove', 'wheel']) {
      expect(page.listeners.get(type)?.options).toEqual({ capture: true, passive: true });
    }
    now -= 3_600_000;
    page.does('keydown');
    expect(count('vault.active')).toBe(5);
  });

  it('checks the state of the lock when it opens, and whenever it gets the focus', async () => {
    const lock = surface();
    const page = window();
    lock.watch(page);
    await becomes(lock, () => lock.state() !== null);
    vault = UNLOCKED;
    page.does('focus');
    await becomes(lock, () => lock.state()?.kind === 'unlocked');
    expect(count('vault.state')).toBe(2);
    page.does('pointerdown');
    expect(count('vault.active')).toBe(1);
  });
});
