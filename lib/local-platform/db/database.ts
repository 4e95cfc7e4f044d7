/** The type of the database, and connecting Drizzle to PGlite. */
import type { PGlite } from '@electric-sql/pglite';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { drizzle } from './drizzle.ts';

export type Database = PgliteDatabase;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

// Without the schema, for which Drizzle would make an interface that nothing here uses, at the start of every transaction anew.
export const connect = (pglite: PGlite): Database => drizzle(pglite, { casing: 'snake_case' });
