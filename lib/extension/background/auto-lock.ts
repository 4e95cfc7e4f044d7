/** Owns the unlocked key outside of the worker: in the browser's memory of this session alone, with an alarm that comes when its time is over. */
import type { SessionKeys, Vault } from '../vault/index.ts';

/** The part of `browser.storage.session` that is used: in memory, for the extension's own pages, gone with the browser. */
export interface SessionArea {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(key: string): Promise<void>;
}

/** The part of `browser.alarms` that is used. */
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
      // The alarm first: a worker that is stopped in between leaves no key for which nobody comes.
      await alarms.create(ALARM, { when: until });
      await area.set({ [KEY]: key });
    },
    async clear() {
      await area.remove(KEY);
      await alarms.clear(ALARM);
    },
  };
}

/** Locks when the alarm comes. Call it before any `await`, or an alarm that started the worker is lost. */
export function lockInTime(vault: Pick<Vault, 'state'>, session: SessionKeys, alarms: Alarms): void {
  const look = async (): Promise<void> => {
    const { lock } = await vault.state();
    // A person was at work meanwhile, or the clock was set back, or the browser has lost the alarm.
    if (lock.kind === 'unlocked') await alarms.create(ALARM, { when: lock.locksAt });
  };
  // What cannot be looked at is locked.
  const lookOrLock = (): void =>
    void look()
      .catch(() => session.clear())
      .catch(() => {});
  alarms.onAlarm.addListener(({ name }) => {
    if (name === ALARM) lookOrLock();
  });
  lookOrLock();
}
