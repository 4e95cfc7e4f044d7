/**
 * Hides differences between PGlite and Postgres below Drizzle: LISTEN, and locks that are released when their process
 * ends.
 */
import type { PGlite } from '@electric-sql/pglite';
import type { Client, Pool, QueryResult, QueryResultRow } from 'pg';
import { SerialQueue } from '../../shared/serial-queue.ts';

export type Driver =
  | ({ kind: 'pglite'; pglite: PGlite } & Session)
  | ({ kind: 'postgres'; pool: Pool; locking: Locking } & Session);

/**
 * Runs a statement, and locks each row’s `id` before other processes see the change. `locked` is false if another
 * process has the lock.
 */
export type Locking = (
  text: string,
  values: unknown[] | undefined,
) => Promise<{ rows: { id: string; locked: boolean }[] }>;

export interface Session {
  /** Whether other processes might use this database too. */
  shared: boolean;
  /** Resolves with a function that stops listening. `onReconnect` is called when messages might have been missed. */
  listen(channel: string, onMessage: (payload: string) => void, onReconnect: () => void): Promise<() => Promise<void>>;
  /**
   * Acquires the locks that no other process has, and keeps them until this process or its connection ends. Resolves
   * with the names of the acquired locks.
   */
  lock(names: readonly string[]): Promise<string[]>;
  /** Releases the lock. Sends its name to `channel`, unless `channel` is null. */
  unlock(name: string, channel: string | null): void;
}

const RECONNECT_DELAY = 500;
const ignore = (): void => {};

/** Only one process can open a PGlite database, so its locks are in memory. */
export function pgliteDriver(pglite: PGlite): Driver {
  return {
    kind: 'pglite',
    pglite,
    shared: false,
    listen: (channel, onMessage) => pglite.listen(channel, onMessage),
    lock: async (names) => [...names],
    unlock: () => {},
  };
}

/** Listens and locks through a dedicated connection, which reconnects. */
export async function postgresDriver(
  pool: Pool,
  connect: () => Client,
  log: (error: unknown) => void,
): Promise<{ driver: Driver; close: () => Promise<void> }> {
  const connection = new Connection(connect, log);
  await connection.open();
  return {
    driver: {
      kind: 'postgres',
      pool,
      shared: true,
      listen: (channel, onMessage, onReconnect) => connection.listen(channel, { onMessage, onReconnect }),
      async lock(names) {
        const { rows } = await connection.query<{ name: string; got: boolean }>(
          'select name, pg_try_advisory_lock(hashtextextended(name, 7)) as got from unnest($1::text[]) as name',
          [names],
        );
        return rows.filter(({ got }) => got).map(({ name }) => name);
      },
      locking: (text, values) =>
        connection.query(
          `with each as (${text}) select *, pg_try_advisory_lock(hashtextextended(id::text, 7)) as locked from each`,
          values,
        ),
      unlock(name, channel) {
        const notify = channel === null ? '' : ', pg_notify($2, $1)';
        const values = channel === null ? [name] : [name, channel];
        // A broken connection has already released its locks.
        connection.query(`select pg_advisory_unlock(hashtextextended($1, 7))${notify}`, values).catch(ignore);
      },
    },
    close: () => connection.close(),
  };
}

interface Listener {
  onMessage: (payload: string) => void;
  onReconnect: () => void;
}

/** A connection that is replaced when it breaks. The new one listens to the same channels. */
class Connection {
  readonly #connect: () => Client;
  readonly #log: (error: unknown) => void;
  readonly #listeners = new Map<string, Set<Listener>>();
  /** Serializes statements, since a connection runs only one at a time. */
  readonly #queue = new SerialQueue();
  #client: Promise<Client> | undefined;
  #closed = false;

  constructor(connect: () => Client, log: (error: unknown) => void) {
    this.#connect = connect;
    this.#log = log;
  }

  async open(): Promise<void> {
    await (this.#client = this.#newClient());
  }

  async listen(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(channel, listeners);
    await this.#queue.run(async () => (await this.#client!).query(`LISTEN "${channel}"`));
    return async () => void listeners.delete(listener);
  }

  /** Prepares each statement once. */
  query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<QueryResult<Row>> {
    return this.#queue.run(async () =>
      (await this.#client!).query<Row>({ name: statementName(text), text, values: [...values] }),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.then((client) => client.end()).catch(ignore);
  }

  async #newClient(): Promise<Client> {
    const client = this.#connect();
    let isEstablished = false;
    let isLost = false;
    const replace = (reason?: unknown): void => {
      // If the connection was never established, the caller retries.
      if (!isEstablished || isLost || this.#closed) return;
      isLost = true;
      if (reason !== undefined) this.#log(reason);
      void client.end().then(ignore, ignore);
      this.#client = this.#reconnect();
      void this.#client.then(ignore, ignore);
    };
    client.on('error', replace);
    client.on('end', () => replace());
    client.on('notification', ({ channel, payload }) => {
      for (const { onMessage } of this.#listeners.get(channel) ?? []) onMessage(payload ?? '');
    });
    try {
      await client.connect();
      for (const channel of this.#listeners.keys()) await client.query(`LISTEN "${channel}"`);
    } catch (error) {
      void client.end().then(ignore, ignore);
      throw error;
    }
    isEstablished = true;
    return client;
  }

  async #reconnect(): Promise<Client> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_DELAY));
      if (this.#closed) throw new Error('The database was closed.');
      try {
        const client = await this.#newClient();
        for (const listeners of this.#listeners.values()) for (const { onReconnect } of listeners) onReconnect();
        return client;
      } catch (error) {
        this.#log(error);
      }
    }
  }
}

const statementNames = new Map<string, string>();

/** The name of the prepared statement for this text. It’s the same on all connections. */
export function statementName(text: string): string {
  const name = statementNames.get(text) ?? `statement_${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}
