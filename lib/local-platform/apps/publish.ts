/** Publishes an in-app update in one transaction: version, release, screens, and log record. */
import { and, eq, sql } from '../db/drizzle.ts';
import type { PublishResult, Release } from '../../platform-api/index.ts';
import type { Database, Transaction } from '../db/database.ts';
import { apps, idempotencyKeys, releases, screens } from '../db/schema.ts';
import type { Logs } from '../logs/write.ts';
import { HttpError } from '../http/errors.ts';

export interface PublishOrder {
  app: { id: number; organizationId: number };
  release: Release;
  userId: number;
  /** A request that repeats a key gets the first request’s response and publishes nothing. */
  key: string | undefined;
}

interface Parts {
  logs: Logs;
  /** This clock sets the release’s time, which decides when sessions move to the release. */
  clock: () => Date;
}

/** @throws HttpError 409 when `key` was used for another release */
export function publish({ db, ...parts }: Parts & { db: Database }, order: PublishOrder): Promise<PublishResult> {
  return db.transaction(async (tx) =>
    order.key === undefined ? publishOnce(tx, parts, order) : publishWithKey(tx, parts, order, order.key),
  );
}

async function publishOnce(
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

async function publishWithKey(tx: Transaction, parts: Parts, order: PublishOrder, key: string): Promise<PublishResult> {
  const request = JSON.stringify([order.release.type, order.release.changelog]);
  const ids = { userId: order.userId, appId: order.app.id, key };
  const sameKey = and(
    eq(idempotencyKeys.userId, ids.userId),
    eq(idempotencyKeys.appId, ids.appId),
    eq(idempotencyKeys.key, key),
  );
  // A concurrent request with the same key waits here until the first transaction ends.
  const [fresh] = await tx
    .insert(idempotencyKeys)
    .values({ ...ids, request })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (fresh) {
    const result = await publishOnce(tx, parts, order);
    await tx.update(idempotencyKeys).set({ answer: result }).where(sameKey);
    return result;
  }
  const [first] = await tx.select().from(idempotencyKeys).where(sameKey);
  if (first!.request !== request) {
    throw new HttpError(409, 'IDEMPOTENCY_KEY_USED', 'This Idempotency-Key was already used for a different release.');
  }
  return first!.answer as PublishResult;
}
