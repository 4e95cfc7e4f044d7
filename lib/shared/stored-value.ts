/**
 * Stores small preferences in `localStorage` or a compatible storage. If the browser blocks storage, the preferences
 * are lost.
 */

export interface StringStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The stored string, or null if there is none or the browser blocks storage. */
export function readStored(storage: StringStorage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns false if the browser couldn’t store the value. */
export function writeStored(storage: StringStorage, key: string, value: string): boolean {
  try {
    storage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
