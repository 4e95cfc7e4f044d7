/** Drives the passphrase lock in any part of the extension. */
import type { Frame, Page } from 'puppeteer-core';
import { waitFor } from '../wait-for.ts';
import { fill } from './fill.ts';
import { press } from './press.ts';

type LockState =
  | { kind: 'open' }
  | { kind: 'unlocked'; idleMinutes: number; locksAt: number }
  | { kind: 'locked'; idleMinutes: number };
interface Runtime {
  sendMessage(message: object): Promise<{ ok: boolean; value: { lock: LockState } }>;
}
interface Session {
  get(key: string): Promise<{ vault?: { lastActive: number } }>;
  set(items: object): Promise<void>;
}
type Api = { chrome: { runtime: Runtime; storage: { session: Session } } };

export class LockPage {
  readonly surface: () => Page | Frame;
  constructor(surface: () => Page | Frame) {
    this.surface = surface;
  }

  async press(name: string): Promise<void> {
    await press(this.surface(), name);
  }

  async fill(values: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await fill(this.surface(), `[name="${name}"]`, value);
  }

  /** Waits until the passphrase form appears or disappears. */
  async asks(isAsking = true): Promise<void> {
    await waitFor(
      isAsking ? 'the form that asks for the passphrase' : 'no form that asks for the passphrase',
      async () => ((await this.surface().$('form.unlock')) !== null) === isAsking,
    );
  }

  async unlock(passphrase: string): Promise<void> {
    await this.asks();
    await this.fill({ passphrase });
    await (await this.surface().$('[name=passphrase]'))!.press('Enter');
  }

  async says(text: string | RegExp): Promise<void> {
    await waitFor(
      `“${text}”`,
      async () =>
        (await this.surface().$eval('body', (body) => body.innerText)).replace(/\s+/g, ' ').match(text) !== null,
    );
  }

  state(): Promise<LockState> {
    return this.surface().evaluate(
      async () =>
        (await (globalThis as unknown as Api).chrome.runtime.sendMessage({ to: 'background', name: 'vault.state' }))
          .value.lock,
    );
  }

  /** Whether the unlocked key is in memory. */
  hasKey(): Promise<boolean> {
    return this.surface().evaluate(
      async () => (await (globalThis as unknown as Api).chrome.storage.session.get('vault')).vault !== undefined,
    );
  }

  /** Moves the last user activity back by this time, as if the extension had been idle. */
  async letPass(milliseconds: number): Promise<void> {
    await this.surface().evaluate(async (ago) => {
      const { session } = (globalThis as unknown as Api).chrome.storage;
      const { vault } = await session.get('vault');
      await session.set({ vault: { ...vault, lastActive: vault!.lastActive - ago } });
    }, milliseconds);
  }
}
