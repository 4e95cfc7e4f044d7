/** Owns how much data an app may keep, so that no action that runs away fills the disk. */
import { eq } from '../db/drizzle.ts';
import { dataUsage } from '../db/schema.ts';
import { HttpError } from '../http/errors.ts';
import type { Limits } from '../http/services.ts';
import type { Db } from '../jobs/types.ts';

/** Of all data sources of an app together. */
export const ENTRIES_LIMIT = 250_000;
/** The same, in bytes of their JSON. */
export const DATA_LIMIT = 256 * 1024 * 1024;

/** To be asked in the transaction that has written: others who write for this app wait for its end. @throws HttpError 413 */
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
  const message = `The data sources of app ${appId} may hold ${most} ${unit} together, and with these they would hold ${would}; write less, or start the platform with a new data folder.`;
  throw new HttpError(413, 'DATA_TOO_LARGE', message, { details: [{ path: '/entries', message }] });
}
