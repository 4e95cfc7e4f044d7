/** Saves the popup’s choices, app lists, and drafts in `localStorage`, so that they’re available when it opens. */
import type { App, ReleaseType } from '../../platform-api/app.ts';
import { readStored, type StringStorage, writeStored } from '../../shared/stored-value.ts';
import type { Environment } from '../messaging/model/environment.ts';

export type SavedEnvironment = Pick<Environment, 'id' | 'name' | 'production'>;
export type SavedApp = Pick<App, 'id' | 'name' | 'version' | 'updatedAt'>;
export interface SavedApps {
  /** When the platform returned them, in epoch milliseconds. */
  at: number;
  apps: SavedApp[];
}
export interface Draft {
  type: ReleaseType;
  changelog: string;
}
export type PopupStorage = StringStorage & Pick<Storage, 'removeItem'>;

const PREFIX = 'platform-devtools.popup';
const EMPTY_DRAFT: Draft = { type: 'silent', changelog: '' };

/**
 * Reading never throws, because users or older versions might have changed the stored data. Writing returns false if
 * storage is full.
 */
export class SavedState {
  readonly #storage: PopupStorage;

  constructor(storage: PopupStorage) {
    this.#storage = storage;
  }

  environments(): SavedEnvironment[] {
    const isEnvironment = (one: SavedEnvironment): boolean =>
      typeof one?.id === 'string' && typeof one.name === 'string';
    return this.#read<SavedEnvironment[]>('environments', (all) => Array.isArray(all) && all.every(isEnvironment), []);
  }

  saveEnvironments(all: readonly SavedEnvironment[]): boolean {
    return this.#write(
      'environments',
      all.map(({ id, name, production }) => ({ id, name, production })),
    );
  }

  environmentId(): string | null {
    return this.#read<string | null>('environment', (id) => typeof id === 'string', null);
  }

  saveEnvironmentId(id: string): boolean {
    return this.#write('environment', id);
  }

  appId(environmentId: string): number | null {
    return this.#read<number | null>(`app.${environmentId}`, (id) => Number.isSafeInteger(id), null);
  }

  saveAppId(environmentId: string, id: number): boolean {
    return this.#write(`app.${environmentId}`, id);
  }

  apps(environmentId: string): SavedApps | null {
    const isApp = (app: SavedApp): boolean => typeof app?.id === 'number' && typeof app.name === 'string';
    return this.#read<SavedApps | null>(
      `apps.${environmentId}`,
      (saved) => typeof saved?.at === 'number' && Array.isArray(saved.apps) && saved.apps.every(isApp),
      null,
    );
  }

  saveApps(environmentId: string, { at, apps }: SavedApps): boolean {
    const saved = apps.map(({ id, name, version, updatedAt }) => ({ id, name, version, updatedAt }));
    return this.#write(`apps.${environmentId}`, { at, apps: saved });
  }

  draft(environmentId: string, appId: number): Draft {
    const isDraft = ({ type, changelog }: Draft): boolean =>
      ['silent', 'visible', 'forced'].includes(type) && typeof changelog === 'string';
    return this.#read<Draft>(`draft.${environmentId}.${appId}`, isDraft, EMPTY_DRAFT);
  }

  /** Makes room by removing saved apps, which can be reloaded. */
  saveDraft(environmentId: string, appId: number, draft: Draft): boolean {
    const name = `draft.${environmentId}.${appId}`;
    if (this.#write(name, draft)) return true;
    for (const { id } of this.environments()) this.#remove(`apps.${id}`);
    return this.#write(name, draft);
  }

  removeDraft(environmentId: string, appId: number): void {
    this.#remove(`draft.${environmentId}.${appId}`);
  }

  #read<T>(name: string, isValid: (value: T) => boolean, fallback: T): T {
    try {
      const value = JSON.parse(readStored(this.#storage, `${PREFIX}.${name}`) ?? 'null') as T;
      return value !== null && isValid(value) ? value : fallback;
    } catch {
      return fallback;
    }
  }

  #write(name: string, value: unknown): boolean {
    return writeStored(this.#storage, `${PREFIX}.${name}`, JSON.stringify(value));
  }

  #remove(name: string): void {
    try {
      this.#storage.removeItem(`${PREFIX}.${name}`);
    } catch {
      // If the browser stores nothing, there’s nothing to remove.
    }
  }
}
