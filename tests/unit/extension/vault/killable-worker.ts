/** Workers that can be killed at any step: each database request, cryptographic operation, or access to the session. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { IDBDatabase, IDBObjectStore } from 'fake-indexeddb';
import { vi } from 'vitest';
import type { SessionKeys } from '../../../../lib/extension/vault/index.ts';

export interface KillableWorker {
  /** The session as a worker sees it. */
  session: SessionKeys;
  /** Runs `work`, and kills its worker at step `at`, counted from 0. Returns the outcome of `work`, or that it was killed. */
  run<T>(
    work: () => Promise<T>,
    at: number | null,
  ): Promise<{ stopped: true } | { stopped: false; outcome: PromiseSettledResult<T> }>;
}

const REQUESTS = ['add', 'clear', 'count', 'delete', 'get', 'getAll', 'getAllKeys', 'put'] as const;
const CIPHERS = ['decrypt', 'deriveKey', 'encrypt', 'generateKey', 'importKey'] as const;

/** Call it within a test whose mocks are restored afterward. */
export function makeKillable(session: SessionKeys): KillableWorker {
  /** Each run counts its own steps, so what a killed worker still had in progress has no effect on the next. */
  const running = new AsyncLocalStorage<{ left: number }>();
  /** Throws from the step at which the worker is killed, so that its later steps have no effect. */
  function step(): void {
    const run = running.getStore();
    if (run && --run.left < 0) throw new Error('stopped');
  }
  const transaction = IDBDatabase.prototype.transaction;
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
    this: IDBDatabase,
    ...args: Parameters<typeof transaction>
  ) {
    step();
    return transaction.apply(this, args);
  });
  for (const name of REQUESTS) {
    const request = IDBObjectStore.prototype[name] as (...args: unknown[]) => unknown;
    vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(function (this: IDBObjectStore, ...args: unknown[]) {
      try {
        step();
      } catch (error) {
        // A killed worker loses its connection and uncommitted changes.
        this.transaction.abort();
        throw error;
      }
      return request.apply(this, args) as never;
    });
  }
  for (const name of CIPHERS) {
    const cipher = crypto.subtle[name].bind(crypto.subtle) as (...args: unknown[]) => unknown;
    vi.spyOn(crypto.subtle, name).mockImplementation((async (...args: unknown[]) => {
      step();
      return cipher(...args);
    }) as never);
  }
  const run: KillableWorker['run'] = async (work, at) => {
    const steps = { left: at ?? Infinity };
    const [outcome] = await running.run(steps, () => Promise.allSettled([work()]));
    return steps.left < 0 ? { stopped: true } : { stopped: false, outcome };
  };
  return {
    run,
    session: {
      async get() {
        step();
        return session.get();
      },
      async set(key, until) {
        step();
        await session.set(key, until);
      },
      async clear() {
        step();
        await session.clear();
      },
    },
  };
}
