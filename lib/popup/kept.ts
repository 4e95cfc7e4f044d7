/** Owns what the popup keeps between openings, so that it is there at once: choices, apps with their age, drafts. */
import type { App } from '../contract/app.ts';
import type { ReleaseType } from '../contract/app.ts';
import type { Environment } from '../contract/environment.ts';

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
  const write = (name: string, value: unknown): void => {
    try {
      memory.setItem(`${PREFIX}.${name}`, JSON.stringify(value));
    } catch {
      // A browser that stores nothing, or no more, forgets: no more than that.
    }
  };
  return {
    environments: () => read<KnownEnvironment[]>('environments', (all) => Array.isArray(all) && all.every((one) => typeof one?.id === 'string' && typeof one.name === 'string'), []),
    keepEnvironments: (all: readonly KnownEnvironment[]) => write('environments', all.map(({ id, name, production }) => ({ id, name, production }))),
    environmentId: () => read<string | null>('environment', (id) => typeof id === 'string', null),
    keepEnvironmentId: (id: string) => write('environment', id),
    appId: (environmentId: string) => read<number | null>(`app.${environmentId}`, (id) => Number.isSafeInteger(id), null),
    keepAppId: (environmentId: string, id: number) => write(`app.${environmentId}`, id),
    apps: (environmentId: string) => read<KnownApps | null>(`apps.${environmentId}`, (known) => typeof known?.at === 'number' && Array.isArray(known.apps) && known.apps.every((app) => typeof app?.id === 'number' && typeof app.name === 'string'), null),
    keepApps: (environmentId: string, { at, apps }: KnownApps) => write(`apps.${environmentId}`, { at, apps: apps.map(({ id, name, version, updatedAt }) => ({ id, name, version, updatedAt })) }),
    draft: (environmentId: string, appId: number) => read<Draft>(`draft.${environmentId}.${appId}`, ({ type, changelog }) => ['silent', 'visible', 'forced'].includes(type) && typeof changelog === 'string', EMPTY),
    keepDraft: (environmentId: string, appId: number, draft: Draft | null) => {
      if (draft) return write(`draft.${environmentId}.${appId}`, draft);
      try {
        memory.removeItem(`${PREFIX}.draft.${environmentId}.${appId}`);
      } catch {
        // What could not be stored need not be removed.
      }
    },
  };
}
export type Kept = ReturnType<typeof createKept>;
