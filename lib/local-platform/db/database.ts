/** Defines the database type, and connects Drizzle to PGlite. */
import type { PGlite } from '@electric-sql/pglite';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { drizzle } from './drizzle.ts';

export type Database = PgliteDatabase;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

// Passes no schema, or Drizzle would build a query interface that we don’t use in every transaction.
export const connect = (pglite: PGlite): Database => drizzle(pglite, { casing: 'snake_case' });
