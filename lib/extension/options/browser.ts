/** Owns what the browser gives the options page: messages to the worker, permissions, downloads, and this page's storage. */
import type { OptionsPort } from './port.ts';
import { originPattern } from '../../platform-api/index.ts';
import type { Lock } from '../messaging/lock.ts';
import { RUNS } from '../panel/run/history/run-database.ts';
import { type KnownDatabase, lookAside, writeAside } from '../storage/index.ts';
import { VAULT } from '../vault/index.ts';
import { PUBLISHES } from '../background/publish-store.ts';

/** All that the extension has. */
const DATABASES: readonly KnownDatabase[] = [VAULT, PUBLISHES, RUNS];

/** The part of `browser.permissions` that is used. */
interface Permissions {
  contains(wanted: { origins: string[] }): Promise<boolean>;
  request(wanted: { origins: string[] }): Promise<boolean>;
}

const access = (baseUrl: string): { origins: string[] } => ({ origins: [originPattern(baseUrl)] });

export function createOptionsPort(lock: Lock, permissions: Permissions, storage: Pick<Storage, 'clear'>): OptionsPort {
  const { send } = lock;
  return {
    lock,
    list: () => send('environments.list', undefined),
    save: (input) => send('environments.save', input),
    remove: (id) => send('environments.remove', { id }),
    test: (takes) => send('environments.test', takes),
    state: () => send('vault.state', undefined),
    lockNow: () => send('vault.lock', undefined),
    protect: (passphrase, idleMinutes) => send('vault.protect', { passphrase, idleMinutes }),
    changePassphrase: (current, passphrase) => send('vault.changePassphrase', { current, passphrase }),
    setIdle: (idleMinutes) => send('vault.setIdle', { idleMinutes }),
    unprotect: (passphrase) => send('vault.unprotect', { passphrase }),
    reset: () => send('vault.reset', undefined),
    exportText: (passphrase) => send('environments.export', passphrase === undefined ? {} : { passphrase }),
    importText: (text, passphrase) =>
      send('environments.import', passphrase === undefined ? { text } : { text, passphrase }),
    erase: () => {
      // Whatever the worker can erase: what was chosen last is no use without it.
      storage.clear();
      return send('data.erase', undefined);
    },
    lookAside: () => lookAside(DATABASES),
    writeAside: () => writeAside(DATABASES),
    refused: () => send('messages.refused', undefined),
    hasAccess: (baseUrl) => permissions.contains(access(baseUrl)).catch(() => false),
    // A browser that refuses even to ask has not allowed it; what needs it says so by its own code.
    requestAccess: (baseUrl) => permissions.request(access(baseUrl)).catch(() => false),
    // What cannot be given up now stays until the last environment of that origin goes.
    releaseAccess: async (baseUrl) => void (await send('access.release', { baseUrl })),
    download: (fileName, text) => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
      link.download = fileName;
      link.click();
      // The download has its own hold on the data once it began.
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    },
  };
}
