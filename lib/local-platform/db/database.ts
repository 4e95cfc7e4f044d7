/** The type of the database, and connecting Drizzle to PGlite. */
import type { PGlite } from '@electric-sql/pglite';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { drizzle } from './drizzle.ts';

export type Database = PgliteDatabase;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

// No schema: Drizzle would build an unused query interface from it in every transaction.
export const connect = (pglite: PGlite): Database => drizzle(pglite, { casing: 'snake_case' });
