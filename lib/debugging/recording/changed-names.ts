/** The names of a context that recorded changes can have changed, so that a reader compares only these. */
import type { RecordedChange } from './context-changes.ts';
import type { RecordedValue } from './values.ts';

export class ChangedNames {
  readonly #names = new Set<string>();
  /** Names that can have objects of each other: a change inside of one can be inside of all. */
  readonly #shared = new Set<string>();
  #isSharedChanged = false;

  /** Those that were set, or inside of which something has changed, since the last `clear`. Without `shared`. */
  get names(): readonly string[] {
    const names = [...this.#names];
    return this.#isSharedChanged ? names.filter((name) => !this.#shared.has(name)) : names;
  }

  /** Those that can have the same object inside of which something has changed. */
  get shared(): readonly string[] {
    return this.#isSharedChanged ? [...this.#shared] : [];
  }

  clear(): void {
    this.#names.clear();
    this.#isSharedChanged = false;
  }

  add(name: string): void {
    this.#names.add(name);
  }

  share(name: string): void {
    this.#shared.add(name);
  }

  addChanges(changes: readonly RecordedChange[]): void {
    for (const [path, value] of changes) {
      const name = nameOf(path);
      this.add(name);
      this.#isSharedChanged ||= this.#shared.has(name) && path.indexOf('/', 1) > 0;
      if (value !== undefined) this.#shareReferences(value, name);
    }
  }

  #shareReferences(value: RecordedValue, name: string): void {
    if (typeof value !== 'object' || value === null) return;
    const { $: kind, value: path } = value as { $?: unknown; value?: unknown };
    if (kind === 'ref' && typeof path === 'string') for (const one of [name, nameOf(path)]) this.share(one);
    else for (const item of Object.values(value)) this.#shareReferences(item, name);
  }
}

/** The first token of a JSON Pointer. */
function nameOf(path: string): string {
  const end = path.indexOf('/', 1);
  return path
    .slice(1, end < 0 ? undefined : end)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
