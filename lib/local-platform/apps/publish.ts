/** Publishes an in-app update: version, release, screens, and log record. */
import { eq, sql } from '../db/drizzle.ts';
import type { PublishResult, Release } from '../../platform-api/index.ts';
import type { Transaction } from '../db/database.ts';
import { apps, releases, screens } from '../db/schema.ts';
import type { Logs } from '../logs/write.ts';

export interface PublishOrder {
  app: { id: number; organizationId: number };
  release: Release;
  userId: number;
}

interface Parts {
  logs: Logs;
  /** This clock sets the release’s time, which decides when sessions move to the release. */
  clock: () => Date;
}

export async function publish(
  tx: Transaction,
  { logs, clock }: Parts,
  { app, release, userId }: PublishOrder,
): Promise<PublishResult> {
  const [row] = await tx
    .update(apps)
    .set({
      version: sql`coalesce(${apps.version}, 0) + 1`,
      updatedAt: sql`greatest(${clock().toISOString()}::timestamptz, ${apps.updatedAt} + interval '1 millisecond')`,
    })
    .where(eq(apps.id, app.id))
    .returning({ version: apps.version, updatedAt: apps.updatedAt });
  const version = row!.version!;
  // Not the transaction’s start time: the transaction might have waited for the app’s row.
  await tx.insert(releases).values({ appId: app.id, version, ...release, userId, createdAt: clock() });
  await tx
    .update(screens)
    .set({ published: sql`${screens.assets}` })
    .where(eq(screens.appId, app.id));
  await logs.write(
    tx,
    [{ appId: app.id, organizationId: app.organizationId, type: 'app.publish', data: { version, ...release, userId } }],
    0,
  );
  return { app: { version, id: app.id, updatedAt: row!.updatedAt.toISOString() } };
}
