/** Owns what oidc-provider keeps: records in memory, each until it expires, forgotten by kind. */
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Forget } from './fault-menu.ts';

interface Entry {
  payload: AdapterPayload;
  /** Milliseconds since the epoch. */
  until: number;
}

/** Beyond this many records of a kind the oldest go. */
const MOST = 10_000;
const KINDS: Record<Forget, readonly string[] | null> = {
  access: ['AccessToken'],
  refresh: ['RefreshToken'],
  all: null,
};

export function createStore() {
  const kinds = new Map<string, Map<string, Entry>>();
  const kind = (name: string): Map<string, Entry> => {
    const records = kinds.get(name) ?? new Map<string, Entry>();
    kinds.set(name, records);
    return records;
  };

  function adapter(name: string): Adapter {
    const records = kind(name);
    const find = (id: string): AdapterPayload | undefined => {
      const entry = records.get(id);
      if (entry && entry.until > Date.now()) return entry.payload;
      records.delete(id);
      return undefined;
    };
    const findBy = (field: 'uid' | 'userCode', value: string): AdapterPayload | undefined =>
      [...records.entries()].map(([id]) => find(id)).find((payload) => payload?.[field] === value);
    return {
      find: async (id) => find(id),
      findByUid: async (uid) => findBy('uid', uid),
      findByUserCode: async (userCode) => findBy('userCode', userCode),
      async upsert(id, payload, expiresIn) {
        records.delete(id);
        records.set(id, { payload, until: expiresIn ? Date.now() + expiresIn * 1000 : Infinity });
        if (records.size > MOST) records.delete(records.keys().next().value!);
      },
      async consume(id) {
        const payload = find(id);
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void records.delete(id),
      async revokeByGrantId(grantId) {
        for (const [id, { payload }] of records) if (payload.grantId === grantId) records.delete(id);
      },
    };
  }

  return {
    adapter,
    forget(what: Forget): void {
      for (const [name, records] of kinds) if (KINDS[what]?.includes(name) ?? true) records.clear();
    },
  };
}
