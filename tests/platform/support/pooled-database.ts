/** Reuses embedded databases with the demo data: to reset one takes a tenth of the time of opening another. */
import type { PGlite } from '@electric-sql/pglite';
import { openDatabase, type OpenedDatabase } from '../../../lib/local-platform/db/open.ts';

interface Pooled {
  database: OpenedDatabase;
  pglite: PGlite;
  tables: string;
  reset: string;
}

const idle: Pooled[] = [];

/** A database in memory, as new. Closing it makes it available again. */
export async function pooledDatabase(): Promise<OpenedDatabase> {
  const pooled = idle.pop() ?? (await openPooled());
  let closing: Promise<void> | undefined;
  return { ...pooled.database, close: () => (closing ??= release(pooled)) };
}

async function release(pooled: Pooled): Promise<void> {
  // One with other tables can’t be reset.
  if ((await tablesOf(pooled.pglite)).join() !== pooled.tables) return pooled.database.close();
  await pooled.pglite.exec(pooled.reset);
  idle.push(pooled);
}

async function openPooled(): Promise<Pooled> {
  const database = await openDatabase({ data: 'memory' });
  if (database.driver.kind !== 'pglite') throw new Error('It isn’t embedded.');
  const { pglite } = database.driver;
  const tables = await tablesOf(pglite);
  await pglite.exec('create schema kept');
  const inserts = await Promise.all(tables.map((table, index) => keep(pglite, table, `kept.t${index}`)));
  const reset = [
    'begin',
    // Without triggers and checks of references.
    'set local session_replication_role = replica',
    `truncate ${tables.join()}`,
    ...inserts,
    ...(await sequencesOf(pglite)),
    'commit',
  ].join(';\n');
  return { database, pglite, tables: tables.join(), reset };
}

async function tablesOf(pglite: PGlite): Promise<string[]> {
  const { rows } = await pglite.query<{ name: string }>(`
    select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
    where relkind = 'r' and nspname !~ '^(pg_|information_schema$|kept$)' order by name`);
  return rows.map(({ name }) => name);
}

/** Copies a table. Returns a statement that inserts its rows again. */
async function keep(pglite: PGlite, table: string, copy: string): Promise<string> {
  await pglite.exec(`create table ${copy} as table ${table}`);
  const { rows } = await pglite.query<{ names: string | null }>(
    `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const { names } = rows[0]!;
  return `insert into ${table} (${names}) overriding system value select ${names} from ${copy}`;
}

async function sequencesOf(pglite: PGlite): Promise<string[]> {
  const { rows } = await pglite.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences`,
  );
  return Promise.all(
    rows.map(async ({ name }) => {
      const state = await pglite.query<{ last_value: number; is_called: boolean }>(
        `select last_value, is_called from ${name}`,
      );
      const { last_value: last, is_called: isCalled } = state.rows[0]!;
      return `select setval('${name}', ${last}, ${isCalled})`;
    }),
  );
}
