/**
 * Announces something to all other pages of the extension, also to those in private windows: their databases, their
 * `localStorage`, and their `BroadcastChannel`s are others, but `storage.session` is the same.
 */

/** The part of `browser.storage` that all pages share, and that never reaches the disk. */
export interface SharedStorage {
  session: {
    get(key: string): Promise<Record<string, unknown>>;
    set(items: Record<string, unknown>): Promise<void>;
    remove(key: string): Promise<void>;
  };
  onChanged: {
    addListener(listener: StorageListener): void;
    removeListener(listener: StorageListener): void;
  };
}
type StorageListener = (changes: Record<string, { newValue?: unknown }>, area: string) => void;

/** As a `BroadcastChannel`: what a page announces reaches all others, and not itself. */
export interface Channel<T> {
  postMessage(value: T): void;
  addEventListener(type: 'message', listener: (event: { data: T }) => void): void;
  removeEventListener(type: 'message', listener: (event: { data: T }) => void): void;
}

interface Announced<T> {
  value: T;
  from: string;
  /** Makes each announcement a change, although it might be like the one before. */
  count: number;
}

export function createChannel<T>({ session, onChanged }: SharedStorage, name: string): Channel<T> {
  const key = `platform-devtools.announced.${name}`;
  const from = crypto.randomUUID();
  const listeners = new Map<unknown, StorageListener>();
  let count = 0;
  return {
    postMessage(value) {
      const announced: Announced<T> = { value, from, count: ++count };
      session.set({ [key]: announced }).then(
        () => session.remove(key),
        // Without it, other pages load the data when they get the focus.
        () => {},
      );
    },
    addEventListener(_type, listener) {
      const onChange: StorageListener = (changes, area) => {
        const announced = changes[key]?.newValue as Announced<T> | undefined;
        if (area === 'session' && announced && announced.from !== from) listener({ data: announced.value });
      };
      listeners.set(listener, onChange);
      onChanged.addListener(onChange);
    },
    removeEventListener(_type, listener) {
      const onChange = listeners.get(listener);
      listeners.delete(listener);
      if (onChange) onChanged.removeListener(onChange);
    },
  };
}
