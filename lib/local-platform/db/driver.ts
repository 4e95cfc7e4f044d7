/** What differs between PGlite and Postgres below Drizzle: LISTEN, and locks that end with their process. */
import type { PGlite } from '@electric-sql/pglite';
import type { Client, Pool, QueryResult, QueryResultRow } from 'pg';

export type Driver =
  | ({ kind: 'pglite'; pglite: PGlite } & Session)
  | ({ kind: 'postgres'; pool: Pool; locking: Locking } & Session);

/** Runs a statement and takes the lock of each row's `id`, before others see what it changed; `locked` says whether nobody had it. */
export type Locking = (
  text: string,
  values: unknown[] | undefined,
) => Promise<{ rows: { id: string; locked: boolean }[] }>;

export interface Session {
  /** Other processes may use this database too. */
  shared: boolean;
  /** `onReconnect` is told when messages may have been missed. Answers how to stop listening. */
  listen(channel: string, onMessage: (payload: string) => void, onReconnect: () => void): Promise<() => Promise<void>>;
  /** Takes those locks that no other process has; answers which. They go when this process or its connection ends. */
  lock(names: readonly string[]): Promise<string[]>;
  /** Also tells `channel` the name, when one is given. */
  unlock(name: string, channel: string | null): void;
}

const RECONNECT_AFTER = 500;
const nothing = (): void => {};

/** One process alone has a PGlite: its locks are its own memory. */
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

/** Listens and locks by one connection of its own, which it makes again when it breaks. */
export async function postgresDriver(
  pool: Pool,
  connect: () => Client,
  log: (error: unknown) => void,
): Promise<{ driver: Driver; close: () => Promise<void> }> {
  const listeners = new Map<string, Set<{ onMessage: (payload: string) => void; onReconnect: () => void }>>();
  const names = new Map<string, string>();
  let closed = false;
  let client: Promise<Client> = open();

  async function open(): Promise<Client> {
    const made = connect();
    // A connection that was never made is its maker's to try again.
    let established = false;
    let lost = false;
    const renew = (reason?: unknown): void => {
      if (!established || lost || closed) return;
      lost = true;
      if (reason !== undefined) log(reason);
      void made.end().then(nothing, nothing);
      client = again();
      void client.then(nothing, nothing);
    };
    made.on('error', renew);
    made.on('end', () => renew());
    made.on('notification', ({ channel, payload }) => {
      for (const { onMessage } of listeners.get(channel) ?? []) onMessage(payload ?? '');
    });
    try {
      await made.connect();
      for (const channel of listeners.keys()) await made.query(`LISTEN "${channel}"`);
    } catch (error) {
      void made.end().then(nothing, nothing);
      throw error;
    }
    established = true;
    return made;
  }

  async function again(): Promise<Client> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_AFTER));
      if (closed) throw new Error('The database was closed.');
      try {
        const made = await open();
        for (const set of listeners.values()) for (const { onReconnect } of set) onReconnect();
        return made;
      } catch (error) {
        log(error);
      }
    }
  }

  let turn: Promise<unknown> = client;
  /** One after another, as a connection does them. */
  function alone<T>(work: (made: Client) => Promise<T>): Promise<T> {
    const next = turn.then(async () => work(await client));
    turn = next.catch(nothing);
    return next;
  }
  /** A text is parsed once. */
  function query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<QueryResult<Row>> {
    if (!names.has(text)) names.set(text, `session_${names.size}`);
    return alone((made) => made.query<Row>({ name: names.get(text)!, text, values: [...values] }));
  }

  await client;
  return {
    driver: {
      kind: 'postgres',
      pool,
      shared: true,
      async listen(channel, onMessage, onReconnect) {
        const set = listeners.get(channel) ?? new Set();
        const listener = { onMessage, onReconnect };
        set.add(listener);
        listeners.set(channel, set);
        await alone((made) => made.query(`LISTEN "${channel}"`));
        return async () => void set.delete(listener);
      },
      async lock(names) {
        const { rows } = await query<{ name: string; got: boolean }>(
          'select name, pg_try_advisory_lock(hashtextextended(name, 7)) as got from unnest($1::text[]) as name',
          [names],
        );
        return rows.filter(({ got }) => got).map(({ name }) => name);
      },
      locking: (text, values) =>
        query(
          `with each as (${text}) select *, pg_try_advisory_lock(hashtextextended(id::text, 7)) as locked from each`,
          values,
        ),
      unlock(name, channel) {
        const told = channel === null ? '' : ', pg_notify($2, $1)';
        // A connection that broke has given its locks back already.
        query(
          `select pg_advisory_unlock(hashtextextended($1, 7))${told}`,
          channel === null ? [name] : [name, channel],
        ).catch(nothing);
      },
    },
    async close() {
      closed = true;
      await client.then((made) => made.end()).catch(() => {});
    },
  };
}
