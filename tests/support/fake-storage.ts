/** `browser.storage` in memory, which several pages of an extension share. */
import type { SharedStorage } from '../../lib/extension/messaging/announcements.ts';
import type { OptionsBrowser } from '../../lib/extension/options/browser.ts';

export function fakeSharedStorage(): SharedStorage {
  const held = new Map<string, unknown>();
  const listeners = new Set<Parameters<SharedStorage['onChanged']['addListener']>[0]>();
  const change = (key: string, newValue: unknown): void => {
    if (newValue === undefined) held.delete(key);
    else held.set(key, newValue);
    for (const listener of listeners) listener({ [key]: { newValue: structuredClone(newValue) } }, 'session');
  };
  return {
    session: {
      get: async (key) => (held.has(key) ? { [key]: held.get(key) } : {}),
      set: async (items) => {
        for (const [key, value] of Object.entries(items)) change(key, structuredClone(value));
      },
      remove: async (key) => change(key, undefined),
    },
    onChanged: {
      addListener: (listener) => void listeners.add(listener),
      removeListener: (listener) => void listeners.delete(listener),
    },
  };
}

export const fakeBrowser = (
  { permissions }: Pick<OptionsBrowser, 'permissions'>,
  canBePrivate = false,
): OptionsBrowser => ({
  permissions,
  extension: { isAllowedIncognitoAccess: () => Promise.resolve(canBePrivate) },
  storage: fakeSharedStorage(),
});
