/**
 * Saves the popup’s choices, app lists, and drafts in `storage.local`, so that they’re available when it opens.
 * Browsers write to it at once. They delay what is in `localStorage` for seconds, and lose it if they’re killed.
 */
import type { App, ReleaseType } from '../../platform-api/app.ts';
import type { Unreadable } from '../../platform-api/lists/unreadable.ts';
import type { Environment } from '../messaging/model/environment.ts';

export type SavedEnvironment = Pick<Environment, 'id' | 'name' | 'baseUrl' | 'production'>;
export type SavedApp = Pick<App, 'id' | 'name' | 'version' | 'updatedAt'>;
export interface SavedApps {
  /** When the platform returned them, in epoch milliseconds. */
  at: number;
  apps: SavedApp[];
  /** What couldn’t be read of the list. */
  unreadable: readonly Unreadable[];
}
export interface Draft {
  type: ReleaseType;
  changelog: string;
}

/** The subset of `storage.local` that this module uses. */
export interface PopupArea {
  get(keys: null): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(key: string): Promise<void>;
}
/** Where early versions saved: JSON text in `localStorage`. */
type OldStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'removeItem'>;

const PREFIX = 'platform-devtools.popup';
const EMPTY_DRAFT: Draft = { type: 'silent', changelog: '' };

/** Reading never throws, because users or older versions might have changed the stored data. */
export class SavedState {
  readonly #area: PopupArea;
  /** What is saved, so that it can be read immediately. */
  readonly #values: Map<string, unknown>;
  readonly #wasRead: boolean;

  /** @param values null if they couldn’t be read. Then nothing is saved, which could overwrite them. */
  constructor(area: PopupArea, values: Record<string, unknown> | null) {
    this.#area = area;
    this.#values = new Map(Object.entries(values ?? {}));
    this.#wasRead = values !== null;
  }

  /** @param old its values are moved, once */
  static async load(area: PopupArea, old: OldStorage): Promise<SavedState> {
    const values = await area.get(null).catch(() => null);
    if (values === null) return new SavedState(area, null);
    const found = readOld(old);
    // Only what isn’t there yet: in the meantime, another window might have changed the rest.
    const moved = Object.fromEntries(Object.entries(found).filter(([key]) => !Object.hasOwn(values, key)));
    const isMoved =
      Object.keys(moved).length === 0 ||
      (await area.set(moved).then(
        () => true,
        () => false,
      ));
    if (isMoved) for (const key of Object.keys(found)) old.removeItem(key);
    return new SavedState(area, { ...moved, ...values });
  }

  environments(): SavedEnvironment[] {
    const isEnvironment = (one: SavedEnvironment): boolean =>
      typeof one?.id === 'string' && typeof one.name === 'string';
    const saved = this.#read<SavedEnvironment[]>(
      'environments',
      (all) => Array.isArray(all) && all.every(isEnvironment),
      [],
    );
    // Earlier versions saved no base URLs. They follow with the list.
    return saved.map((one) => ({ ...one, baseUrl: one.baseUrl ?? '' }));
  }

  saveEnvironments(all: readonly SavedEnvironment[]): void {
    void this.#write(
      'environments',
      all.map(({ id, name, baseUrl, production }) => ({ id, name, baseUrl, production })),
    );
  }

  environmentId(): string | null {
    return this.#read<string | null>('environment', (id) => typeof id === 'string', null);
  }

  saveEnvironmentId(id: string): void {
    void this.#write('environment', id);
  }

  appId(environmentId: string): number | null {
    return this.#read<number | null>(`app.${environmentId}`, (id) => Number.isSafeInteger(id), null);
  }

  saveAppId(environmentId: string, id: number): void {
    void this.#write(`app.${environmentId}`, id);
  }

  apps(environmentId: string): SavedApps | null {
    const isApp = (app: SavedApp): boolean => typeof app?.id === 'number' && typeof app.name === 'string';
    const isUnreadable = (one: Unreadable): boolean => typeof one?.item === 'string' && typeof one.why === 'string';
    return this.#read<SavedApps | null>(
      `apps.${environmentId}`,
      (saved) =>
        typeof saved?.at === 'number' &&
        Array.isArray(saved.apps) &&
        saved.apps.every(isApp) &&
        Array.isArray(saved.unreadable) &&
        saved.unreadable.every(isUnreadable),
      null,
    );
  }

  saveApps(environmentId: string, { at, apps, unreadable }: SavedApps): void {
    const saved = apps.map(({ id, name, version, updatedAt }) => ({ id, name, version, updatedAt }));
    void this.#write(`apps.${environmentId}`, { at, apps: saved, unreadable });
  }

  draft(environmentId: string, appId: number): Draft {
    const isDraft = ({ type, changelog }: Draft): boolean =>
      ['silent', 'visible', 'forced'].includes(type) && typeof changelog === 'string';
    return this.#read<Draft>(`draft.${environmentId}.${appId}`, isDraft, EMPTY_DRAFT);
  }

  /**
   * Makes room by removing saved apps, which can be reloaded. Resolves to false if there’s still no room, or if the
   * browser stores nothing.
   */
  async saveDraft(environmentId: string, appId: number, draft: Draft): Promise<boolean> {
    const name = `draft.${environmentId}.${appId}`;
    if (await this.#write(name, draft)) return true;
    if (!this.#wasRead) return false;
    for (const { id } of this.environments()) this.#remove(`apps.${id}`);
    return this.#write(name, draft);
  }

  removeDraft(environmentId: string, appId: number): void {
    this.#remove(`draft.${environmentId}.${appId}`);
  }

  #read<T>(name: string, isValid: (value: T) => boolean, fallback: T): T {
    try {
      const value = (this.#values.get(`${PREFIX}.${name}`) ?? null) as T;
      return value !== null && isValid(value) ? value : fallback;
    } catch {
      return fallback;
    }
  }

  #write(name: string, value: unknown): Promise<boolean> {
    const key = `${PREFIX}.${name}`;
    this.#values.set(key, value);
    if (!this.#wasRead) return Promise.resolve(false);
    return this.#area.set({ [key]: value }).then(
      () => true,
      () => false,
    );
  }

  #remove(name: string): void {
    const key = `${PREFIX}.${name}`;
    this.#values.delete(key);
    // If the browser stores nothing, there’s nothing to remove.
    this.#area.remove(key).catch(() => {});
  }
}

function readOld(old: OldStorage): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const key of keysOf(old)) {
    try {
      if (key.startsWith(`${PREFIX}.`)) values[key] = JSON.parse(old.getItem(key) ?? 'null');
    } catch {
      // A user has changed this value.
    }
  }
  return values;
}

function keysOf(old: OldStorage): string[] {
  try {
    return Array.from({ length: old.length }, (_, index) => old.key(index) ?? '');
  } catch {
    // The browser blocks storage.
    return [];
  }
}
