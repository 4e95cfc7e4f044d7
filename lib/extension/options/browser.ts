import { saveFile } from '../../shared/save-file.ts';
import type { Lock } from '../messaging/lock.ts';
import type { StoredChanges } from '../messaging/stored-changes.ts';
import type { SharedStorage } from '../messaging/announcements.ts';
import { listenForForms } from '../messaging/options-page.ts';
import { localBaseUrls } from './draft.ts';
import type { OptionsPort } from './port.ts';
import { originPattern } from '../messaging/model/environment.ts';

/** The part of `browser.permissions` that this module uses. */
interface Permissions {
  contains(permissions: { origins: string[] }): Promise<boolean>;
  request(permissions: { origins: string[] }): Promise<boolean>;
}

/** The part of `browser` that this module uses. */
export interface OptionsBrowser {
  permissions: Permissions;
  extension: { isAllowedIncognitoAccess(): Promise<boolean> };
  storage: SharedStorage;
}

const access = (baseUrl: string): { origins: string[] } => ({ origins: [originPattern(baseUrl)] });

export function createOptionsPort(
  lock: Lock,
  changes: Pick<StoredChanges, 'subscribe'>,
  { permissions, extension, storage: shared }: OptionsBrowser,
  storage: Pick<Storage, 'clear'>,
  quarantine: Pick<OptionsPort, 'inspectQuarantine' | 'exportQuarantine'>,
): OptionsPort {
  const { send } = lock;
  return {
    lock,
    changes,
    list: () => send('environments.list', undefined),
    save: (input) => send('environments.save', input),
    remove: (id) => send('environments.remove', { id }),
    test: (target) => send('environments.test', target),
    async findLocalPlatform(port) {
      const origins = localBaseUrls(port).map(originPattern);
      // If the user declines, the worker says so.
      await permissions.request({ origins }).catch(() => false);
      return send('localPlatform.find', { port });
    },
    listenForForms: (listener) => listenForForms(shared, listener),
    state: () => send('vault.state', undefined),
    lockNow: () => send('vault.lock', undefined),
    protect: (passphrase, idleMinutes) => send('vault.protect', { passphrase, idleMinutes }),
    changePassphrase: (current, passphrase) => send('vault.changePassphrase', { current, passphrase }),
    setIdle: (idleMinutes) => send('vault.setIdle', { idleMinutes }),
    unprotect: (passphrase) => send('vault.unprotect', { passphrase }),
    reset: () => send('vault.reset', undefined),
    exportText: (passphrase) => send('environments.export', passphrase === undefined ? {} : { passphrase }),
    readFile: (text) => send('environments.readFile', { text }),
    importText: (text, passphrase) =>
      send('environments.import', passphrase === undefined ? { text } : { text, passphrase }),
    erase: () => {
      // Saved choices are useless once everything else is erased, even if the worker can’t erase it all.
      storage.clear();
      return send('data.erase', undefined);
    },
    // A browser that can’t say so might have some.
    canBePrivate: () => extension.isAllowedIncognitoAccess().catch(() => true),
    ...quarantine,
    refusedMessages: () => send('messages.refused', undefined),
    hasAccess: (baseUrl) => permissions.contains(access(baseUrl)).catch(() => false),
    // If the browser rejects the query itself, treat access as denied.
    requestAccess: (baseUrl) => permissions.request(access(baseUrl)).catch(() => false),
    releaseAccess: async (baseUrl) => void (await send('access.release', { baseUrl })),
    saveFile,
  };
}
