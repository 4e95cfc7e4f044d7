/** Owns publishing an in-app update: the next version, its release, its screens and its log record, together or not at all. */
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
  /** The same key again answers what the first request was answered, and publishes nothing. */
  key: string | undefined;
}

interface Parts {
  logs: Logs;
  /** From a release's time on, by this clock, sessions move to it. */
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
  // Whoever waited for the app's row is later than who had it.
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
  const place = { userId: order.userId, appId: order.app.id, key };
  const sameKey = and(
    eq(idempotencyKeys.userId, place.userId),
    eq(idempotencyKeys.appId, place.appId),
    eq(idempotencyKeys.key, key),
  );
  // Of two requests at the same time the second waits here until the first is answered.
  const [fresh] = await tx
    .insert(idempotencyKeys)
    .values({ ...place, request })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (fresh) {
    const answer = await publishOnce(tx, parts, order);
    await tx.update(idempotencyKeys).set({ answer }).where(sameKey);
    return answer;
  }
  const [first] = await tx.select().from(idempotencyKeys).where(sameKey);
  if (first!.request !== request) {
    throw new HttpError(
      409,
      'IDEMPOTENCY_KEY_USED',
      'This Idempotency-Key belongs to another release; use a new one for this release.',
    );
  }
  return first!.answer as PublishResult;
}
