/** Owns what the popup keeps between openings, so that it is there at once: choices, apps with their age, drafts. */
import type { App } from '../../platform-api/app.ts';
import type { ReleaseType } from '../../platform-api/app.ts';
import type { Environment } from '../messaging/model/environment.ts';

/** `localStorage` has this shape. Kept texts are ours, but a person or an older version can have changed them. */
export interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export type KnownEnvironment = Pick<Environment, 'id' | 'name' | 'production'>;
export type KnownApp = Pick<App, 'id' | 'name' | 'version' | 'updatedAt'>;
export interface KnownApps {
  /** Epoch milliseconds of the answer. */
  at: number;
  apps: KnownApp[];
}
export interface Draft {
  type: ReleaseType;
  changelog: string;
}

const PREFIX = 'platform-devtools.popup';
const EMPTY: Draft = { type: 'silent', changelog: '' };

export function createKept(memory: Memory) {
  const read = <T>(name: string, check: (value: T) => boolean, otherwise: T): T => {
    try {
      const value = JSON.parse(memory.getItem(`${PREFIX}.${name}`) ?? 'null') as T;
      return value !== null && check(value) ? value : otherwise;
    } catch {
      return otherwise;
    }
  };
  /** False where the browser stores nothing, or no more; but for a draft that costs a moment of reading, and need not be told. */
  const write = (name: string, value: unknown): boolean => {
    try {
      memory.setItem(`${PREFIX}.${name}`, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  };
  const remove = (name: string): boolean => {
    try {
      memory.removeItem(`${PREFIX}.${name}`);
    } catch {
      // What could not be stored need not be removed.
    }
    return true;
  };
  const environments = () =>
    read<KnownEnvironment[]>(
      'environments',
      (all) => Array.isArray(all) && all.every((one) => typeof one?.id === 'string' && typeof one.name === 'string'),
      [],
    );
  return {
    environments,
    keepEnvironments: (all: readonly KnownEnvironment[]) =>
      write(
        'environments',
        all.map(({ id, name, production }) => ({ id, name, production })),
      ),
    environmentId: () => read<string | null>('environment', (id) => typeof id === 'string', null),
    keepEnvironmentId: (id: string) => write('environment', id),
    appId: (environmentId: string) =>
      read<number | null>(`app.${environmentId}`, (id) => Number.isSafeInteger(id), null),
    keepAppId: (environmentId: string, id: number) => write(`app.${environmentId}`, id),
    apps: (environmentId: string) =>
      read<KnownApps | null>(
        `apps.${environmentId}`,
        (known) =>
          typeof known?.at === 'number' &&
          Array.isArray(known.apps) &&
          known.apps.every((app) => typeof app?.id === 'number' && typeof app.name === 'string'),
        null,
      ),
    keepApps: (environmentId: string, { at, apps }: KnownApps) =>
      write(`apps.${environmentId}`, {
        at,
        apps: apps.map(({ id, name, version, updatedAt }) => ({ id, name, version, updatedAt })),
      }),
    draft: (environmentId: string, appId: number) =>
      read<Draft>(
        `draft.${environmentId}.${appId}`,
        ({ type, changelog }) => ['silent', 'visible', 'forced'].includes(type) && typeof changelog === 'string',
        EMPTY,
      ),
    /** Null forgets it. False when it could not be kept, even in the place of the apps, which can be read again. */
    keepDraft: (environmentId: string, appId: number, draft: Draft | null): boolean => {
      const name = `draft.${environmentId}.${appId}`;
      if (!draft) return remove(name);
      if (write(name, draft)) return true;
      for (const { id } of environments()) remove(`apps.${id}`);
      return write(name, draft);
    },
  };
}
export type Kept = ReturnType<typeof createKept>;
