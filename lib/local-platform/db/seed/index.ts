/** Demo data: every new database has the same IDs, names, and numbers, with dates relative to a given day. */
import type { PgTable } from 'drizzle-orm/pg-core';
import { getTableName, sql } from '../drizzle.ts';
import { digestOf } from '../token-digest.ts';
import type { Database } from '../database.ts';
import * as t from '../schema.ts';
import type { Db } from '../../jobs/types.ts';
import { workingCopy } from '../../apps/actions/find.ts';
import { demoActions } from './actions.ts';
import { demoEntries, demoSources } from './entries.ts';
import { APPS, OFFICE, ORGANIZATION, releaseNotes } from './apps.ts';
import { demoScreens } from './screens.ts';
import { demoSessions } from './sessions.ts';

/** The user who owns the platform’s token. */
export const DEVELOPER = { id: 31, email: 'dev@northwind.example' };
/** A public token without any access, for trying out the response to a revoked token. */
export const REVOKED_TOKEN = 'demo-revoked-token';

const DAY = 86_400_000;

export async function seed(db: Database, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.insert(t.organizations).values(ORGANIZATION);
    await tx.insert(t.users).values([
      { ...DEVELOPER, organizationId: ORGANIZATION.id },
      { ...OFFICE, organizationId: ORGANIZATION.id },
    ]);
    await tx
      .insert(t.authTokens)
      .values({ userId: DEVELOPER.id, digest: digestOf(REVOKED_TOKEN), createdAt: ago(90), revokedAt: ago(30) });
    await tx.insert(t.apps).values(
      APPS.map(({ days, publishedDays, ...app }) => ({
        ...app,
        organizationId: ORGANIZATION.id,
        createdAt: ago(days),
        updatedAt: ago(publishedDays ?? days),
      })),
    );
    await tx
      .insert(t.appUsers)
      .values(
        APPS.flatMap(({ id, seenBy }) =>
          seenBy.map((userId) => ({ appId: id, userId, appRoleId: userId === OFFICE.id ? 1 : 2 })),
        ),
      );
    await tx.insert(t.releases).values(
      APPS.flatMap((app) =>
        releaseNotes(app).map(({ days, ...release }) => ({
          ...release,
          appId: app.id,
          userId: OFFICE.id,
          createdAt: ago(days),
        })),
      ),
    );
    await tx.insert(t.screens).values(demoScreens());
    await tx.insert(t.actions).values(demoActions(now));
    await storeRevisions(tx);
    await tx
      .insert(t.dataSources)
      .values(demoSources.map((source) => ({ ...source, createdAt: ago(200), updatedAt: ago(2) })));
    await tx.insert(t.dataSourceEntries).values(demoEntries(now));
    await tx.insert(t.analyticsSessions).values(demoSessions(now));
    await continueIds(
      tx,
      Object.values(t).filter((table) => 'id' in table && table.id.getSQLType() === 'integer'),
    );
  });

  function ago(days: number): Date {
    return new Date(now.getTime() - days * DAY);
  }
}

/** Stores the version of each action that there is, with its author and its change unknown. */
async function storeRevisions(tx: Db): Promise<void> {
  const rows = await tx.select().from(t.actions);
  await tx.insert(t.actionRevisions).values(
    rows.map((row) => ({
      actionId: row.id,
      revision: row.revision,
      copy: workingCopy(row),
      createdAt: row.updatedAt,
    })),
  );
}

/** Inserting rows with explicit IDs doesn’t advance a table’s sequence. */
async function continueIds(tx: Pick<Database, 'execute'>, tables: PgTable[]): Promise<void> {
  const each = tables.map(
    (table) =>
      sql`setval(pg_get_serial_sequence(${getTableName(table)}, 'id'), coalesce((select max(id) + 1 from ${table}), 1), false)`,
  );
  await tx.execute(sql`select ${sql.join(each, sql`, `)}`);
}
