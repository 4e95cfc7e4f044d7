/** Knows the settings of earlier calls, because in V2 each call has a copy of its own. */

export class GivenSettings {
  readonly #objects = new WeakSet<object>();

  /** Whether a package could see in these settings what an earlier call has changed. */
  has(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false;
    if (this.#objects.has(value)) return true;
    this.#objects.add(value);
    return Object.values(value).some((item) => this.has(item));
  }
}
