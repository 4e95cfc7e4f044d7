/** Owns opening a database of the extension, bringing it up to date, and taking a lost connection up again. It is never wiped here. */
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import { openDB } from 'idb';
import { CodedError } from '../../platform-api/coded-error.ts';
import { asFault, type FaultWords, nameOf } from './words.ts';

type Upgrade<S extends DBSchema> = IDBPTransaction<S, StoreNames<S>[], 'versionchange'>;
/** Brings a database from one version to the next. */
export type Migration<S extends DBSchema> = (db: IDBPDatabase<S>, transaction: Upgrade<S>) => void;

export interface StoreOptions<S extends DBSchema> {
  name: string;
  /** Entry n brings version n to n + 1. Never change one that was released; add another. */
  migrations: readonly Migration<S>[];
  /** The object stores of the newest version: a database that lacks one is damaged. */
  stores: readonly StoreNames<S>[];
  say: FaultWords;
  /** Milliseconds that another connection may hold up the opening; it may take four times as long where nobody is known to. */
  patience?: number | undefined;
  /** `strict` unless what is stored is not worth waiting for the disk. */
  durability?: IDBTransactionDurability;
}

/** Opened when it is first needed. Every method rejects with a `CodedError` of the database's words, or with what `work` threw as one. */
export interface Store<S extends DBSchema> {
  /** Runs `work`; once more when the browser had taken the connection away, so it must come to the same twice. */
  use<T>(work: (db: IDBPDatabase<S>) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction: when it resolves, what it wrote is stored; when it rejects, nothing is. */
  transact<N extends StoreNames<S>, M extends 'readonly' | 'readwrite', T>(
    stores: readonly N[],
    mode: M,
    work: (transaction: IDBPTransaction<S, N[], M>) => Promise<T>,
  ): Promise<T>;
  /** Lets go of the database; the next use opens it again. */
  close(): Promise<void>;
}

const PATIENCE = 3_000;

export function openStore<S extends DBSchema>(options: StoreOptions<S>): Store<S> {
  const { say, durability = 'strict' } = options;
  let opened: Promise<IDBPDatabase<S>> | null = null;

  function connect(): Promise<IDBPDatabase<S>> {
    if (opened) return opened;
    const forget = (): void => {
      if (opened === mine) opened = null;
    };
    const mine: Promise<IDBPDatabase<S>> = open(options, forget);
    mine.catch(forget);
    return (opened = mine);
  }

  async function use<T>(work: (db: IDBPDatabase<S>) => Promise<T>, again = true): Promise<T> {
    const mine = connect();
    const db = await mine;
    try {
      return await work(db);
    } catch (error) {
      // Closed before the work began, or under it: an aborted transaction has written nothing.
      const isLost = ['InvalidStateError', 'AbortError'].includes(nameOf(error));
      const isOurs = error instanceof CodedError || nameOf(error) === 'QuotaExceededError';
      if (opened === mine && !isOurs) {
        opened = null;
        db.close();
      }
      if (isLost && again) return use(work, false);
      throw asFault(error, say, false);
    }
  }

  return {
    use: (work) => use(work),
    transact: (stores, mode, work) =>
      use(async (db) => {
        const transaction = db.transaction([...stores], mode, { durability });
        transaction.done.catch(() => {});
        try {
          const value = await work(transaction);
          await transaction.done;
          return value;
        } catch (error) {
          abort(transaction);
          // Requests that were under way say only that it was aborted, not why.
          throw nameOf(error) === 'AbortError' ? (transaction.error ?? error) : error;
        }
      }),
    async close() {
      const closing = opened;
      opened = null;
      await closing?.then(
        (db) => db.close(),
        () => {},
      );
    },
  };
}

async function open<S extends DBSchema>(
  { name, migrations, stores, say, patience = PATIENCE }: StoreOptions<S>,
  onGone: () => void,
): Promise<IDBPDatabase<S>> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(new CodedError(say.blocked));
  // Nobody says so when another opening or erasing waits before this one.
  let timer = setTimeout(giveUp, 4 * patience);
  // Whatever a browser throws instead of rejecting is caught below.
  const opening = Promise.resolve().then(() =>
    openDB<S>(name, migrations.length, {
      upgrade(db, from, _to, transaction) {
        for (const migrate of migrations.slice(from)) migrate(db, transaction);
      },
      blocked() {
        clearTimeout(timer);
        timer = setTimeout(giveUp, patience);
      },
      blocking(_current, _wanted, event) {
        (event.target as IDBDatabase).close();
        onGone();
      },
      terminated: onGone,
    }),
  );
  // Opened after all, when nobody waits for it any more: let go, or it would block in its turn.
  givenUp.catch(() =>
    opening.then(
      (db) => db.close(),
      () => {},
    ),
  );
  const db = await Promise.race([opening, givenUp])
    .catch((error: unknown) => {
      throw asFault(error, say, true);
    })
    .finally(() => clearTimeout(timer));
  if (stores.every((store) => db.objectStoreNames.contains(store))) return db;
  db.close();
  throw new CodedError(say.damaged);
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself already.
  }
}
