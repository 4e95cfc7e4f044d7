/** Opens data folders that a platform refuses. */
import { readdir } from 'node:fs/promises';
import { expect } from 'vitest';
import { openDatabase } from '../../../lib/local-platform/db/open.ts';
import { StartProblem } from '../../../lib/local-platform/problem.ts';

/** Why the database in a folder can’t be opened. */
export const refusal = (data: string): Promise<unknown> =>
  openDatabase({ data }).then(
    (database) => database.close(),
    (error: unknown) => error,
  );

/** Without the files that the database engine writes at every start. */
const dataFiles = async (data: string): Promise<string[]> =>
  (await readdir(data, { recursive: true })).filter((name) => !/postmaster\.pid|pg_internal\.init/.test(name)).sort();

/** Checks that a folder is refused as damaged with one sentence, and that none of its files is removed. */
export async function expectDamaged(data: string): Promise<void> {
  const before = await dataFiles(data);
  const error = await refusal(data);
  expect(error).toBeInstanceOf(StartProblem);
  expect((error as Error).message).toMatch(/^The data folder .* is damaged: .* Nothing was repaired or removed\.$/);
  expect(await dataFiles(data)).toEqual(before);
}
