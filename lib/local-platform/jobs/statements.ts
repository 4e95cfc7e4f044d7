/** Owns how the queue's statements reach the database: what every run needs is parsed and planned once, not for each run. */
import type { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import type { IDatabase as BossDatabase } from 'pg-boss/dist/types.js';
import type { Driver } from '../db/driver.ts';
import { sql } from '../db/drizzle.ts';
import type { Db } from './types.ts';

export interface Statements {
  /** Each statement commits by itself. */
  alone: BossDatabase;
  within(tx: Db): BossDatabase;
}

/** No two in a process have the same name, and so no two in a PGlite. */
let made = 0;
/** Nobody gathers statistics in a PGlite: after so many statements they are planned anew, for tables that have grown. */
const PLANNED_FOR = 200;

export const createStatements = (driver: Driver): Statements =>
  driver.kind === 'pglite' ? onPglite(driver.pglite) : onPostgres(driver.pool);

/** PGlite has no prepared statements in its API, but in its SQL. */
function onPglite(pglite: PGlite): Statements {
  const names = new Map<string, string>();
  let used = 0;

  const through = (execute: (text: string) => Promise<{ rows: unknown[] }>): BossDatabase => ({
    async executeSql(text, values = []) {
      let name = names.get(text);
      if (name === undefined) {
        // Two that meet here prepare it twice, under two names.
        name = `queue_${(made += 1)}`;
        await execute(`PREPARE ${name} AS ${text}`);
        names.set(text, name);
      }
      if ((used += 1) % PLANNED_FOR === 0) await execute('DISCARD PLANS');
      return execute(`EXECUTE ${name}${values.length > 0 ? `(${values.map(literal).join()})` : ''}`);
    },
  });
  return {
    alone: through(async (text) => (await pglite.exec(text))[0]!),
    within: (tx) => through((text) => tx.execute(sql.raw(text))),
  };
}

/** The same text has the same name on all connections. */
const postgresNames = new Map<string, string>();

function nameOf(text: string): string {
  if (!postgresNames.has(text)) postgresNames.set(text, `queue_${postgresNames.size}`);
  return postgresNames.get(text)!;
}

function onPostgres(pool: Pool): Statements {
  return {
    alone: { executeSql: (text, values) => pool.query({ name: nameOf(text), text, values }) },
    within: (tx) => ({
      async executeSql(text, values = []) {
        const query = tx._.session.prepareQuery({ sql: text, params: values }, undefined, nameOf(text), false);
        return (await query.execute()) as { rows: unknown[] };
      },
    }),
  };
}

/** A value as SQL, of the type that its place decides. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  const text = Array.isArray(value)
    ? `{${value.map((each) => `"${String(each).replace(/["\\]/g, '\\$&')}"`).join()}}`
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
  return `${text.includes('\\') ? 'E' : ''}'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
