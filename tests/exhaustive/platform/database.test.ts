/** All tests of the database, more ways in which a data folder can be damaged, and a snapshot that can’t be stored. */
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../lib/local-platform/db/open.ts';
import { loadSnapshot } from '../../../lib/local-platform/db/snapshot.ts';
import { expectDamaged } from '../../platform/support/data-folders.ts';
import { temporaryFolder } from '../../platform/support/platform.ts';
import '../../platform/database.test.ts';

it.each([
  ['without PG_VERSION', (data: string) => rm(join(data, 'database/PG_VERSION'))],
  ['with an empty control file', (data: string) => truncate(join(data, 'database/global/pg_control'), 0)],
  ['without its control file', (data: string) => rm(join(data, 'database/global/pg_control'))],
  ['without its log', (data: string) => rm(join(data, 'database/pg_wal'), { recursive: true })],
])('a folder %s is refused with one sentence, and never erased', async (_, damage) => {
  const data = await temporaryFolder();
  await (await openDatabase({ data })).close();
  await damage(data);
  await expectDamaged(data);
});

it('a snapshot is optional: if it can’t be stored, it is rebuilt each time', async () => {
  const folder = join(await temporaryFolder(), 'file');
  await writeFile(folder, '');
  expect((await loadSnapshot(join(folder, 'below'))).size).toBeGreaterThan(1_000_000);
});
