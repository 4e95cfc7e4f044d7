/** Limits how much data an app can store, so that a runaway action can’t fill the disk. */
import { eq } from '../db/drizzle.ts';
import { dataUsage } from '../db/schema.ts';
import { HttpError } from '../http/errors.ts';
import type { Limits } from '../options.ts';
import type { Db } from '../jobs/types.ts';

/**
 * Call it in the transaction that wrote the entries. The app’s other writers wait for that transaction to end.
 * @throws HttpError 413
 */
export async function requireSpace(
  tx: Db,
  appId: number,
  { entries: maxEntries, data: maxBytes }: Limits,
): Promise<void> {
  const [usage] = await tx.select().from(dataUsage).where(eq(dataUsage.appId, appId));
  const { entries = 0, bytes = 0 } = usage ?? {};
  if (entries > maxEntries) throw tooLarge(appId, entries, maxEntries, 'entries');
  if (bytes > maxBytes) throw tooLarge(appId, bytes, maxBytes, 'bytes of JSON');
}

function tooLarge(appId: number, size: number, limit: number, unit: string): HttpError {
  const [count, max] = [size, limit].map((each) => each.toLocaleString('en'));
  const message = `The data sources of app ${appId} are limited to ${max} ${unit}. With this request, they would have ${count}.`;
  return new HttpError(413, 'DATA_TOO_LARGE', message, { details: [{ path: '/entries', message }] });
}
