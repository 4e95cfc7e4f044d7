/** Holds the state of the panel's tabs. It's created when a tab is first opened, and disposed of with the panel. */

/** The key of a tab's state. Keys are unique objects, even if they share a name. */
export interface RegistryKey<T> {
  readonly name: string;
  /** Never set. Carries the value's type. */
  readonly value?: T;
}

export function registryKey<T>(name: string): RegistryKey<T> {
  return { name };
}

interface Disposable {
  dispose?: () => void;
}

export class PanelRegistry {
  readonly #values = new Map<RegistryKey<unknown>, Disposable>();

  /** The value for `key`, created on first use. */
  get<T extends object>(key: RegistryKey<T>, create: () => T): T {
    const known = this.#values.get(key);
    if (known) return known as T;
    const value = create();
    this.#values.set(key, value);
    return value;
  }

  /** Replaces the value for `key` after disposing of the old one. */
  set<T extends object>(key: RegistryKey<T>, value: T): void {
    this.#values.get(key)?.dispose?.();
    this.#values.set(key, value);
  }

  dispose(): void {
    for (const value of this.#values.values()) value.dispose?.();
    this.#values.clear();
  }
}
