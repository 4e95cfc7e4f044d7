/** Migrates an action with pauses, in which the panel stays usable. */
import { type Migration, type MigrationOptions, migrateWithPauses, type V2Action } from '../../../migrate/index.ts';
import type { Action } from '../../../platform-api/action.ts';
import { type Result, toErrorValue } from '../../../platform-api/coded-error.ts';
import { createPauses } from '../shared/pauses.ts';

interface Listener {
  /** @param done how many steps are migrated */
  onProgress: (done: number) => void;
  isCanceled: () => boolean;
}

/** Never rejects. If it’s canceled, the result is an error, which nobody waits for. */
export async function migrateSlowly(
  action: Action,
  { sources, dataSources }: MigrationOptions,
  { onProgress, isCanceled }: Listener,
): Promise<Result<Migration>> {
  const pauses = createPauses();
  const pause = async (done: number): Promise<void> => {
    const due = pauses.pauseIfDue();
    if (!due) return;
    onProgress(done);
    await due;
    if (isCanceled()) throw new Error('The view was closed.');
  };
  try {
    return await migrateWithPauses(action as V2Action, { sources, dataSources }, pause);
  } catch (thrown) {
    return { ok: false, error: toErrorValue(thrown) };
  }
}
