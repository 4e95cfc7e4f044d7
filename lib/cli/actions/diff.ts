/** Compares the files of actions with the platform. */
import type { Connection } from '../../rest/index.ts';
import { listAllActions } from '../operations/list-actions.ts';
import { changeOf, type Change, pairsOf } from './compare.ts';
import { contentOf, textOf } from './content.ts';
import { readActionFiles, requireUsable } from './files.ts';
import { selectedBroken, selectedPairs } from './select.ts';
import { readEntries } from './state.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface DiffArgs {
  connection: Connection;
  appId: number;
  folder: string;
  /** The project’s folder, which no link leads out of. Default: `folder`. */
  project?: string;
  /** Empty for all. */
  names: readonly string[];
}

export interface ActionDifference {
  name: string;
  /** Null if there’s none. */
  file: string | null;
  state: 'different' | 'only here' | 'only there';
  /** Which side has changed since both were the same. `both` if that’s unknown. Null if only one side has the action. */
  changed: Exclude<Change, 'none'> | null;
  /** From the platform’s action to the file, as `diff -u` shows it. */
  diff: string;
  /** The differing part is removed and added as a whole, because it differs in too many places to align. */
  coarse?: true;
}

/** Only the actions that differ. @throws CodedError `ACTION_FILE_INVALID`, `ACTION_TWICE`, `ACTION_NOT_FOUND`, … */
export async function diffActions(
  { connection, appId, folder, project, names }: DiffArgs,
  { signal }: { signal: AbortSignal },
): Promise<ActionDifference[]> {
  const { files, broken } = await readActionFiles(folder, project);
  requireUsable(folder, files, selectedBroken(broken, names));
  const entries = await readEntries({ folder, baseUrl: connection.baseUrl, appId });
  const pairs = selectedPairs(pairsOf(files, await listAllActions(connection, appId, { signal }), entries), names);
  return pairs.flatMap((pair): ActionDifference[] => {
    const { name, file, here, there } = pair;
    const change = here && there ? changeOf(pair) : null;
    if (change === 'none') return [];
    const state = !there ? 'only here' : !here ? 'only there' : 'different';
    const texts = [there ? textOf(contentOf(there)) : '', here ? textOf(here) : ''] as const;
    const from = there ? `platform/${there.name}` : '/dev/null';
    const to = here ? `files/${file}` : '/dev/null';
    const { diff, isCoarse } = unifiedDiff({ name: from, text: texts[0] }, { name: to, text: texts[1] });
    return [{ name, file: here ? file : null, state, changed: change, diff, ...(isCoarse && { coarse: true }) }];
  });
}
