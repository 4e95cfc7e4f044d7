/** Remembers small choices in `localStorage`, or whatever has its shape. A browser that stores nothing forgets them. */

export interface StringStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The stored string; null when there is none, or when the browser refuses. */
export function readStored(storage: StringStorage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

/** False when the browser refused to store it. */
export function writeStored(storage: StringStorage, key: string, value: string): boolean {
  try {
    storage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
