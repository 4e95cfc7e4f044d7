/** Owns erasing all that the extension stores, whichever part of it made it, and looking afterwards whether it is gone. */
import { openDB } from 'idb';
import { CodedError } from '../../platform-api/index.ts';
import { deleteDatabase } from '../vault/index.ts';

/** The part of an area of `browser.storage` that is used. */
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
  };
  permissions: { getAll(): Promise<Granted>; remove(unwanted: Granted): Promise<boolean> };
  /** What it requires cannot be given up. */
  manifest: { host_permissions?: string[]; optional_permissions?: string[] };
  /** Milliseconds that an open panel may hold on to its database. */
  patience?: number;
}

/** A place where something can be stored. */
interface Place {
  name: string;
  erase(): Promise<unknown>;
  isLeft(): Promise<boolean>;
}

/**
 * Erases every place, also when another fails.
 * @throws CodedError `DATA_LEFT` with the names of what is still there, `DATA_IN_USE` when it is only that an open panel holds on to its runs
 */
export async function eraseEverything(parts: ErasedParts): Promise<void> {
  const inUse = await eraseDatabases(parts.patience).then(
    () => null,
    (error: unknown) => error,
  );
  const places = placesOf(parts);
  for (const { erase } of places) await erase().catch(() => {});
  const checked = inUse ? places : [{ name: 'databases', isLeft: hasRecords }, ...places];
  const left: string[] = [];
  for (const { name, isLeft } of checked) if (await isLeft().catch(() => true)) left.push(name);
  if (left.length === 0 && inUse) throw inUse;
  if (left.length > 0)
    throw new CodedError({
      code: 'DATA_LEFT',
      message: `Not everything could be erased. Still there: ${[...(inUse ? ['databases'] : []), ...left].join(', ')}.`,
      hint: 'Close all other windows of the extension and try again; removing the extension from the browser erases the rest.',
    });
}

/** @throws CodedError `DATA_IN_USE` when an open panel holds on to one; the others are deleted all the same. */
export async function eraseDatabases(patience?: number): Promise<void> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => (name === undefined ? [] : [name]));
  const deleted = await Promise.all(names.map((name) => deleteDatabase(name, patience)));
  if (deleted.every(Boolean)) return;
  throw new CodedError({
    code: 'DATA_IN_USE',
    message: 'Environments and tokens are erased, but a DevTools panel still uses the stored runs.',
    hint: 'Close all DevTools windows: the runs are erased with the last one.',
  });
}

function placesOf({ session, local, alarms, rules, permissions, manifest }: ErasedParts): Place[] {
  const area = (name: string, area: Area): Place => ({
    name,
    erase: () => area.clear(),
    isLeft: async () => Object.keys(await area.get(null)).length > 0,
  });
  const ruleIds = async (): Promise<number[]> => (await rules.getSessionRules()).map(({ id }) => id);
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
    { name: 'alarms', erase: () => alarms.clearAll(), isLeft: async () => (await alarms.getAll()).length > 0 },
    {
      name: 'rules for requests',
      erase: async () => rules.updateSessionRules({ removeRuleIds: await ruleIds() }),
      isLeft: async () => (await ruleIds()).length > 0,
    },
    {
      name: 'permissions',
      erase: async () => permissions.remove(await granted()),
      isLeft: async () => Object.values(await granted()).some((some) => some.length > 0),
    },
  ];
}

/** Whether any database holds a record: another page may have opened an empty one meanwhile. */
async function hasRecords(): Promise<boolean> {
  for (const { name } of await indexedDB.databases()) {
    const db = await openDB(name!, undefined, {
      // It is gone by now, and is not made anew by looking.
      upgrade: (_db, _old, _new, transaction) => {
        transaction.done.catch(() => {});
        transaction.abort();
      },
    }).catch(() => null);
    if (!db) continue;
    try {
      for (const store of db.objectStoreNames) if ((await db.count(store)) > 0) return true;
    } finally {
      db.close();
    }
  }
  return false;
}
