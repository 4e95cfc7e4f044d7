/** Erases everything that the extension stores, and verifies that it is gone. */
import { CodedError } from '../../platform-api/index.ts';
import { eraseDatabases, openExisting } from '../storage/index.ts';

/** The subset of a `browser.storage` area that this module uses. */
interface Area {
  get(keys: null): Promise<Record<string, unknown>>;
  clear(): Promise<void>;
}
interface Granted {
  origins?: string[];
  permissions?: string[];
}

export interface ErasedParts {
  session: Area;
  local: Area;
  alarms: { getAll(): Promise<unknown[]>; clearAll(): Promise<boolean> };
  rules: {
    getSessionRules(): Promise<{ id: number }[]>;
    updateSessionRules(change: { removeRuleIds: number[] }): Promise<void>;
    getDynamicRules(): Promise<{ id: number }[]>;
    updateDynamicRules(change: { removeRuleIds: number[] }): Promise<void>;
  };
  permissions: { getAll(): Promise<Granted>; remove(unwanted: Granted): Promise<boolean> };
  /** Required permissions aren’t removed because browsers don’t allow it. */
  manifest: { host_permissions?: string[]; optional_permissions?: string[] };
  /** How long to wait for an open panel that prevents its database from being deleted, in milliseconds. */
  timeout?: number;
}

interface Store {
  name: string;
  erase(): Promise<unknown>;
  hasData(): Promise<boolean>;
}

/**
 * Erases every store, even if another one fails.
 * @throws CodedError `DATA_LEFT` with the names of stores that still have data; `DATA_IN_USE` if only databases are
 * left, which the browser deletes later
 */
export async function eraseEverything(parts: ErasedParts): Promise<void> {
  const inUse = await eraseDatabases(parts.timeout).then(
    () => null,
    (error: unknown) => error,
  );
  const stores = storesOf(parts);
  for (const { erase } of stores) await erase().catch(() => {});
  const checked = inUse ? stores : [{ name: 'databases', hasData: hasRecords }, ...stores];
  const remaining: string[] = [];
  for (const { name, hasData } of checked) if (await hasData().catch(() => true)) remaining.push(name);
  if (remaining.length === 0 && inUse) throw inUse;
  if (remaining.length > 0)
    throw new CodedError({
      code: 'DATA_LEFT',
      message: `Couldn’t erase everything. Remaining data: ${[...(inUse ? ['databases'] : []), ...remaining].join(', ')}.`,
      hint: 'Close all other pages of the extension, then try again. Removing the extension also erases its data.',
    });
}

function storesOf({ session, local, alarms, rules, permissions, manifest }: ErasedParts): Store[] {
  const area = (name: string, area: Area): Store => ({
    name,
    erase: () => area.clear(),
    hasData: async () => Object.keys(await area.get(null)).length > 0,
  });
  const idsOf = (found: { id: number }[]): number[] => found.map(({ id }) => id);
  const sessionIds = async (): Promise<number[]> => idsOf(await rules.getSessionRules());
  const dynamicIds = async (): Promise<number[]> => idsOf(await rules.getDynamicRules());
  async function granted(): Promise<Required<Granted>> {
    const all = await permissions.getAll();
    return {
      origins: (all.origins ?? []).filter((origin) => !manifest.host_permissions?.includes(origin)),
      permissions: (all.permissions ?? []).filter((permission) => manifest.optional_permissions?.includes(permission)),
    };
  }
  return [
    area('session storage', session),
    area('local storage', local),
    { name: 'alarms', erase: () => alarms.clearAll(), hasData: async () => (await alarms.getAll()).length > 0 },
    {
      name: 'request rules',
      async erase() {
        await rules.updateSessionRules({ removeRuleIds: await sessionIds() });
        await rules.updateDynamicRules({ removeRuleIds: await dynamicIds() });
      },
      hasData: async () => (await sessionIds()).length + (await dynamicIds()).length > 0,
    },
    {
      name: 'permissions',
      erase: async () => permissions.remove(await granted()),
      hasData: async () => Object.values(await granted()).some((some) => some.length > 0),
    },
  ];
}

/**
 * Whether any database contains a record or can’t be opened. Empty databases don’t count, because another page might
 * have just created one.
 */
async function hasRecords(): Promise<boolean> {
  for (const { name } of await indexedDB.databases()) {
    const db = await openExisting(name!).catch(() => 'unopened' as const);
    if (db === 'unopened') return true;
    if (!db) continue;
    try {
      for (const store of db.objectStoreNames) if ((await db.count(store)) > 0) return true;
    } finally {
      db.close();
    }
  }
  return false;
}
