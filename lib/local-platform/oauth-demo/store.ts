/** Stores oidc-provider’s records in memory until they expire. */
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Forget } from './fault-menu.ts';

interface StoredRecord {
  payload: AdapterPayload;
  /** Epoch milliseconds. */
  until: number;
}

type Records = Map<string, StoredRecord>;

/** Maximum number of records per model. The oldest ones are removed first. */
const MAX_RECORDS = 10_000;
/** Which models to clear. Null: all of them. */
const FORGOTTEN_MODELS: Record<Forget, readonly string[] | null> = {
  access: ['AccessToken'],
  refresh: ['RefreshToken'],
  all: null,
};

export class Store {
  readonly #models = new Map<string, Records>();

  forget(what: Forget): void {
    for (const [model, records] of this.#models) if (FORGOTTEN_MODELS[what]?.includes(model) ?? true) records.clear();
  }

  /** Called by oidc-provider for each of its models. */
  readonly adapter = (model: string): Adapter => {
    const records = this.#models.get(model) ?? new Map<string, StoredRecord>();
    this.#models.set(model, records);
    return {
      find: async (id) => find(records, id),
      findByUid: async (uid) => findBy(records, 'uid', uid),
      findByUserCode: async (userCode) => findBy(records, 'userCode', userCode),
      async upsert(id, payload, expiresIn) {
        records.delete(id);
        records.set(id, { payload, until: expiresIn ? Date.now() + expiresIn * 1000 : Infinity });
        if (records.size > MAX_RECORDS) records.delete(records.keys().next().value!);
      },
      async consume(id) {
        const payload = find(records, id);
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void records.delete(id),
      async revokeByGrantId(grantId) {
        for (const [id, { payload }] of records) if (payload.grantId === grantId) records.delete(id);
      },
    };
  };
}

function find(records: Records, id: string): AdapterPayload | undefined {
  const record = records.get(id);
  if (record && record.until > Date.now()) return record.payload;
  records.delete(id);
  return undefined;
}

function findBy(records: Records, field: 'uid' | 'userCode', value: string): AdapterPayload | undefined {
  return [...records.keys()].map((id) => find(records, id)).find((payload) => payload?.[field] === value);
}
