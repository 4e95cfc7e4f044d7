/** Remembers which production environments are unlocked, until the browser exits. Workers share it through the browser. */
import * as v from 'valibot';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { isUnlocked, UNLOCK_TIME, type UnlockedProduction } from '../../messaging/model/guard.ts';
import type { HandlersOf } from '../../messaging/receive.ts';
import type { Vault } from '../../vault/index.ts';

/** The part of `browser.storage.session` that this module uses. */
export interface UnlockArea {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
}

const KEY = 'guard.unlocked';
const Stored = v.array(v.object({ environmentId: v.string(), until: v.number() }));

export class ProductionUnlocks {
  readonly #session: UnlockArea;
  readonly #now: () => number;
  readonly #queue = new SerialQueue();

  constructor(session: UnlockArea, now: () => number = Date.now) {
    this.#session = session;
    this.#now = now;
  }

  async list(): Promise<UnlockedProduction[]> {
    const stored = v.safeParse(Stored, (await this.#session.get(KEY))[KEY]);
    return stored.success ? stored.output.filter((one) => isUnlocked(one, this.#now())) : [];
  }

  unlock(environmentId: string): Promise<UnlockedProduction[]> {
    return this.#replace(environmentId, [{ environmentId, until: this.#now() + UNLOCK_TIME }]);
  }

  lock(environmentId: string): Promise<UnlockedProduction[]> {
    return this.#replace(environmentId, []);
  }

  #replace(environmentId: string, added: UnlockedProduction[]): Promise<UnlockedProduction[]> {
    return this.#queue.run(async () => {
      const others = (await this.list()).filter((one) => one.environmentId !== environmentId);
      const all = [...others, ...added];
      await this.#session.set({ [KEY]: all });
      return all;
    });
  }
}

export function guardHandlers(vault: Pick<Vault, 'list'>, unlocks: ProductionUnlocks): HandlersOf<'guard'> {
  return {
    'guard.list': () => unlocks.list(),
    'guard.unlock': async ({ environmentId }) => {
      const isProduction = (await vault.list()).some(({ id, production }) => id === environmentId && production);
      return isProduction ? unlocks.unlock(environmentId) : unlocks.list();
    },
    'guard.lock': ({ environmentId }) => unlocks.lock(environmentId),
  };
}
