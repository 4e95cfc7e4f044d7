/**
 * Loads Drizzle’s CommonJS build. For the ES modules, Node would read the package’s 180 kB manifest for each of
 * hundreds of files, which adds half a second to every start.
 */
import { createRequire } from 'node:module';
import type * as Orm from 'drizzle-orm';
import type * as Migrator from 'drizzle-orm/migrator';
import type * as PgCore from 'drizzle-orm/pg-core';
import type * as PgliteDriver from 'drizzle-orm/pglite';
import type * as PgliteMigrator from 'drizzle-orm/pglite/migrator';

const load = createRequire(import.meta.url);

export const {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  sql,
} = load('drizzle-orm') as typeof Orm;
export const {
  bigint,
  boolean,
  customType,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  unionAll,
  uuid,
} = load('drizzle-orm/pg-core') as typeof PgCore;
export const { drizzle } = load('drizzle-orm/pglite') as typeof PgliteDriver;
export const { migrate } = load('drizzle-orm/pglite/migrator') as typeof PgliteMigrator;
export const { readMigrationFiles } = load('drizzle-orm/migrator') as typeof Migrator;
