/** Keeps the unlocked key in the browser’s session memory, and locks the vault after the idle time. */
import type { SessionKeys, Vault } from '../vault/index.ts';

/**
 * The subset of `browser.storage.session` that this module uses. Data stays in memory, and only extension pages can
 * read it.
 */
export interface SessionArea {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(key: string): Promise<void>;
}

/** The subset of `browser.alarms` that this module uses. */
export interface Alarms {
  create(name: string, when: { when: number }): Promise<void> | void;
  clear(name: string): Promise<boolean>;
  onAlarm: { addListener(listener: (alarm: { name: string }) => void): void };
}

const KEY = 'vault';
const ALARM = 'vault.lock';

export function createSessionKeys(area: SessionArea, alarms: Alarms): SessionKeys {
  return {
    get: async () => (await area.get(KEY))[KEY],
    async set(key, until) {
      // Set the alarm first, so that the key never stays in memory without an alarm, even if the worker stops in
      // between.
      await alarms.create(ALARM, { when: until });
      await area.set({ [KEY]: key });
    },
    async clear() {
      await area.remove(KEY);
      await alarms.clear(ALARM);
    },
  };
}

/** Locks when the alarm fires. Call this before any `await`, or the alarm that started the worker is lost. */
export function lockWhenIdle(vault: Pick<Vault, 'state'>, session: SessionKeys, alarms: Alarms): void {
  const check = async (): Promise<void> => {
    const { lock } = await vault.state();
    // If the vault is still unlocked, the user was active in the meantime, the clock was set back, or the browser lost
    // the alarm.
    if (lock.kind === 'unlocked') await alarms.create(ALARM, { when: lock.locksAt });
  };
  // If the state can’t be read, lock.
  const checkOrLock = (): void =>
    void check()
      .catch(() => session.clear())
      .catch(() => {});
  alarms.onAlarm.addListener(({ name }) => {
    if (name === ALARM) checkOrLock();
  });
  checkOrLock();
}
