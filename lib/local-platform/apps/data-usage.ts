/** Limits the data of an app, so that a runaway action can’t fill the disk. */
import { eq } from '../db/drizzle.ts';
import { dataUsage } from '../db/schema.ts';
import { HttpError } from '../http/errors.ts';
import type { Limits } from '../http/services.ts';
import type { Db } from '../jobs/types.ts';

/** Entries in all data sources of an app together. */
export const ENTRIES_LIMIT = 250_000;
/** The same, in bytes of their JSON. */
export const DATA_LIMIT = 256 * 1024 * 1024;

/** Call it in the transaction that wrote the entries: other writers of this app wait for its end. @throws HttpError 413 */
export async function requireRoom(
  tx: Db,
  appId: number,
  { entries: mostEntries, data: mostBytes }: Limits,
): Promise<void> {
  const [usage] = await tx.select().from(dataUsage).where(eq(dataUsage.appId, appId));
  const { entries = 0, bytes = 0 } = usage ?? {};
  const found =
    entries > mostEntries
      ? ([entries, mostEntries, 'entries'] as const)
      : bytes > mostBytes
        ? ([bytes, mostBytes, 'bytes of JSON'] as const)
        : null;
  if (!found) return;
  const [would, most, unit] = [found[0].toLocaleString('en'), found[1].toLocaleString('en'), found[2]];
  const message = `The data sources of app ${appId} are limited to ${most} ${unit}. With this request they would have ${would}.`;
  throw new HttpError(413, 'DATA_TOO_LARGE', message, { details: [{ path: '/entries', message }] });
}
