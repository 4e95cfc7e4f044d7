/** Owns the type of the database and how a PGlite becomes one. */
import type { PGlite } from '@electric-sql/pglite';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { drizzle } from './drizzle.ts';
import * as schema from './schema.ts';

export type Database = PgliteDatabase<typeof schema>;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

export const connect = (pglite: PGlite): Database => drizzle(pglite, { schema, casing: 'snake_case' });
