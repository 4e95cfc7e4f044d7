/** Holds the state of the panel's tabs: created when a tab is first opened, disposed of with the panel. */

/** What a tab's state is stored under. Two keys are different even when they share a name. */
export interface RegistryKey<T> {
  readonly name: string;
  /** Never set; carries the type of the value. */
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

  /** The value of `key`, created on first use. */
  get<T extends object>(key: RegistryKey<T>, create: () => T): T {
    const known = this.#values.get(key);
    if (known) return known as T;
    const value = create();
    this.#values.set(key, value);
    return value;
  }

  /** Replaces the value of `key`, after disposing of the old one. */
  set<T extends object>(key: RegistryKey<T>, value: T): void {
    this.#values.get(key)?.dispose?.();
    this.#values.set(key, value);
  }

  dispose(): void {
    for (const value of this.#values.values()) value.dispose?.();
    this.#values.clear();
  }
}
