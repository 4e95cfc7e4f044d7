/** Opens and migrates an extension database, and reopens it after the browser closes it. Never deletes a database. */
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import { openDB } from 'idb';
import { CodedError } from '../../platform-api/coded-error.ts';
import { asFault, errorName, type FaultErrors } from './faults.ts';

type Upgrade<S extends DBSchema> = IDBPTransaction<S, StoreNames<S>[], 'versionchange'>;
/** Migrates a database from one version to the next. */
export type Migration<S extends DBSchema> = (db: IDBPDatabase<S>, transaction: Upgrade<S>) => void;

export interface StoreOptions<S extends DBSchema> {
  name: string;
  /** Entry n migrates version n to n + 1. Never change a released entry. */
  migrations: readonly Migration<S>[];
  /** The object stores of the newest version. A database without one of them is damaged. */
  stores: readonly StoreNames<S>[];
  errors: FaultErrors;
  /**
   * How long to wait for another connection that blocks opening, in milliseconds. If the browser doesn’t report that
   * opening is blocked, the wait is four times as long.
   */
  timeout?: number | undefined;
  /** Default: `strict`. Use `relaxed` for data that doesn’t have to reach the disk before a transaction completes. */
  durability?: IDBTransactionDurability;
}

/**
 * Opens on first use. Every method rejects with a `CodedError` for a fault of the store, or with the error that `work`
 * threw.
 */
export interface Store<S extends DBSchema> {
  /** Runs `work`, and runs it again if the browser closed the connection. `work` must be idempotent. */
  use<T>(work: (db: IDBPDatabase<S>) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction. If it resolves, all of its writes are stored; if it rejects, none are. */
  transact<N extends StoreNames<S>, M extends 'readonly' | 'readwrite', T>(
    stores: readonly N[],
    mode: M,
    work: (transaction: IDBPTransaction<S, N[], M>) => Promise<T>,
  ): Promise<T>;
  /** Closes the connection; the next use opens it again. */
  close(): Promise<void>;
}

const TIMEOUT = 3_000;

export function openStore<S extends DBSchema>(options: StoreOptions<S>): Store<S> {
  return new IndexedStore(options);
}

export class IndexedStore<S extends DBSchema> implements Store<S> {
  readonly #options: StoreOptions<S>;
  #opened: Promise<IDBPDatabase<S>> | null = null;

  constructor(options: StoreOptions<S>) {
    this.#options = options;
  }

  use<T>(work: (db: IDBPDatabase<S>) => Promise<T>): Promise<T> {
    return this.#use(work, true);
  }

  transact<N extends StoreNames<S>, M extends 'readonly' | 'readwrite', T>(
    stores: readonly N[],
    mode: M,
    work: (transaction: IDBPTransaction<S, N[], M>) => Promise<T>,
  ): Promise<T> {
    const { durability = 'strict' } = this.#options;
    return this.use(async (db) => {
      const transaction = db.transaction([...stores], mode, { durability });
      transaction.done.catch(() => {});
      try {
        const value = await work(transaction);
        await transaction.done;
        return value;
      } catch (error) {
        abort(transaction);
        // Pending requests only report that the transaction was aborted, not why.
        throw errorName(error) === 'AbortError' ? (transaction.error ?? error) : error;
      }
    });
  }

  async close(): Promise<void> {
    const closing = this.#opened;
    this.#opened = null;
    await closing?.then(
      (db) => db.close(),
      () => {},
    );
  }

  #connect(): Promise<IDBPDatabase<S>> {
    if (this.#opened) return this.#opened;
    const forget = (): void => {
      if (this.#opened === opening) this.#opened = null;
    };
    const opening: Promise<IDBPDatabase<S>> = open(this.#options, forget);
    opening.catch(forget);
    return (this.#opened = opening);
  }

  async #use<T>(work: (db: IDBPDatabase<S>) => Promise<T>, canRetry: boolean): Promise<T> {
    const connection = this.#connect();
    const db = await connection;
    try {
      return await work(db);
    } catch (error) {
      // The connection was closed before or during `work`. Nothing was written, since the transaction was aborted.
      const isLost = ['InvalidStateError', 'AbortError'].includes(errorName(error));
      const isOurs = error instanceof CodedError || errorName(error) === 'QuotaExceededError';
      if (this.#opened === connection && !isOurs) {
        this.#opened = null;
        db.close();
      }
      if (isLost && canRetry) return this.#use(work, false);
      throw asFault(error, this.#options.errors, false);
    }
  }
}

async function open<S extends DBSchema>(
  { name, migrations, stores, errors, timeout = TIMEOUT }: StoreOptions<S>,
  onClosed: () => void,
): Promise<IDBPDatabase<S>> {
  const { promise: blocked, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(new CodedError(errors.blocked));
  // No event is fired while another open or delete request is ahead in the queue.
  let timer = setTimeout(giveUp, 4 * timeout);
  // Some browsers throw instead of rejecting.
  const opening = Promise.resolve().then(() =>
    openDB<S>(name, migrations.length, {
      upgrade(db, from, _to, transaction) {
        for (const migrate of migrations.slice(from)) migrate(db, transaction);
      },
      blocked() {
        clearTimeout(timer);
        timer = setTimeout(giveUp, timeout);
      },
      blocking(_current, _wanted, event) {
        (event.target as IDBDatabase).close();
        onClosed();
      },
      terminated: onClosed,
    }),
  );
  // If the database opens after all, close it so that it doesn’t block others.
  blocked.catch(() =>
    opening.then(
      (db) => db.close(),
      () => {},
    ),
  );
  const db = await Promise.race([opening, blocked])
    .catch((error: unknown) => {
      throw asFault(error, errors, true);
    })
    .finally(() => clearTimeout(timer));
  if (stores.every((store) => db.objectStoreNames.contains(store))) return db;
  db.close();
  throw new CodedError(errors.damaged);
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // The transaction has already ended.
  }
}
