/**
 * Implements the parts of `Platform` that V3 code calls instead of function packages. They send the same requests as
 * the packages, and fail with the same messages, so that a migrated action behaves as before.
 */
import { appPath, plain } from '../arguments.ts';
import type { RequestPlatform } from '../request.ts';

export interface Entry {
  id: number;
  data: Record<string, unknown>;
}

export interface Connection {
  /** Entries whose fields equal those of `where`, oldest first. */
  find(options?: { where?: Record<string, unknown>; limit?: number }): Promise<Entry[]>;
  /** Adds one entry or several, and resolves with them. */
  insert(entries: Record<string, unknown>[]): Promise<Entry[]>;
  insert(entry: Record<string, unknown>): Promise<Entry>;
}

export interface Facades {
  DataSources: {
    /** Connects to a data source by its ID or its name. */
    connect(idOrName: number | string): Promise<Connection>;
  };
  Communicate: { sendEmail(email: { to: string; subject: string; html: string }): Promise<void> };
  Notifications: { send(notification: { title: string; message: string }): Promise<void> };
}

export function createFacades(request: RequestPlatform): Facades {
  async function send(kind: string, message: Record<string, unknown>): Promise<void> {
    for (const [name, value] of Object.entries(message))
      if (typeof value !== 'string') throw new TypeError(`send-${kind}: the setting "${name}" must be a string.`);
    await request(`${appPath()}/outbox`, { method: 'POST', body: { kind, ...message } });
  }
  return {
    DataSources: {
      async connect(idOrName) {
        const id = typeof idOrName === 'string' ? await findByName(request, idOrName) : idOrName;
        if (!Number.isInteger(id))
          throw new TypeError('read-datasource: set "dataSourceId" to an integer, or "dataSource" to a name or an ID.');
        return connection(request, `data-sources/${id}/entries`);
      },
    },
    Communicate: {
      sendEmail: async ({ to, subject, html }) => send('email', { to, subject, html }),
    },
    Notifications: {
      send: async ({ title, message }) => send('notification', { title, message }),
    },
  };
}

function connection(request: RequestPlatform, path: string): Connection {
  async function insert(entries: Record<string, unknown>[]): Promise<Entry[]>;
  async function insert(entry: Record<string, unknown>): Promise<Entry>;
  async function insert(given: unknown): Promise<Entry[] | Entry> {
    if (typeof given !== 'object' || given === null)
      throw new TypeError('write-datasource: the setting "entries" must be an array of objects.');
    const entries: unknown[] = Array.isArray(given) ? given : [given];
    if (entries.length === 0) return [];
    const added = (await request(path, { method: 'POST', body: { entries } })) as { entries: Entry[] };
    const all = added.entries.map(({ id, data }) => ({ id, data }));
    return Array.isArray(given) ? all : all[0]!;
  }
  return {
    async find({ where, limit } = {}) {
      const query = new URLSearchParams();
      if (where !== undefined) query.set('where', JSON.stringify(plain(where, '/where')));
      if (limit !== undefined) query.set('limit', String(limit));
      const { entries } = (await request(`${path}?${query}`)) as { entries: Entry[] };
      return entries.map(({ id, data }) => ({ id, data }));
    },
    insert,
  };
}

async function findByName(request: RequestPlatform, name: string): Promise<number> {
  const { dataSources } = (await request(`${appPath()}/data-sources`)) as {
    dataSources: { id: number; name: string }[];
  };
  const found = dataSources.find((source) => source.name === name);
  if (!found) throw new Error(`read-datasource: this app has no data source named "${name}".`);
  return found.id;
}
