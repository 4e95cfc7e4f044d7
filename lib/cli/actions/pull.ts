/** Writes the actions of an app to files. Never overwrites edits unless it’s forced to. */
import { CodedError } from '../../platform-api/index.ts';
import type { Connection } from '../../rest/index.ts';
import { listAllActions } from '../operations/list-actions.ts';
import { changeOf, entryOf, goneFiles, type Pair, pairsOf } from './compare.ts';
import { contentOf, digestOf, textOf } from './content.ts';
import {
  type ActionFile,
  newFileName,
  parseAction,
  readActionFiles,
  removeActionFile,
  requireUsable,
  writeActionFile,
} from './files.ts';
import { selectedBroken, selectedPairs } from './select.ts';
import { changeEntries, type Entry, readEntries, type SyncedApp } from './state.ts';

export interface PullArgs {
  connection: Connection;
  appId: number;
  folder: string;
  /** The project’s folder, which no link leads out of. Default: `folder`. */
  project?: string;
  /** Empty for all. */
  names: readonly string[];
  /** Overwrites and removes files with edits. */
  force?: boolean;
  /** Removes files whose action the platform no longer has. */
  prune?: boolean;
  /** Called for each file that was written. */
  onWrite?: (file: ActionFile) => void;
}

export type Pulled =
  | 'added'
  | 'updated'
  | 'removed'
  | 'unchanged'
  /** The file has edits. The platform’s action hasn’t changed. */
  | 'edited'
  /** The platform doesn’t have the action. */
  | 'only here'
  /** No command could use its file: the action has no valid name, a name that another one has, or an invalid pipeline. */
  | 'unusable';

export interface PulledAction {
  name: string;
  file: string;
  result: Pulled;
}

/** @throws CodedError `ACTIONS_EDITED`, `ACTION_FILE_INVALID`, … before anything is written; `FILES_NOT_WRITTEN` */
export async function pullActions(args: PullArgs, { signal }: { signal: AbortSignal }): Promise<PulledAction[]> {
  const { connection, appId, folder, project, names, force = false, prune = false } = args;
  const app: SyncedApp = { folder, baseUrl: connection.baseUrl, appId };
  const { files, broken } = await readActionFiles(folder, project);
  requireUsable(folder, files, force ? [] : selectedBroken(broken, names));
  const entries = await readEntries(app);
  const actions = await listAllActions(connection, appId, { signal });
  const pairs = selectedPairs(pairsOf(files, actions, entries), names);
  const known = new Set(files.map(({ content }) => content.name));
  const planned = pairs.map((pair) => ({ pair, result: resultOf(pair, { force, prune }) })).map(usableOnly(known));
  const edited = planned.filter(({ result }) => result === 'conflict').map(({ pair }) => pair);
  if (edited.length > 0) throw actionsEdited(edited);
  const taken = new Set(files.map(({ file }) => file));
  const gone = prune && names.length === 0 ? goneFiles(files, actions, entries) : [];
  const changes = new Map<string, Entry | null>(gone.map((file) => [file, null]));
  const pulled: PulledAction[] = [];
  try {
    for (const { pair, result } of planned as { pair: Pair; result: Pulled }[]) {
      signal.throwIfAborted();
      const file = pair.file ?? newFileName(contentOf(pair.there!), taken);
      taken.add(file);
      await apply(args, file, pair, result);
      if (result === 'removed') changes.set(file, null);
      else if (pair.there && !NOT_WRITTEN.has(result)) addChange(changes, file, pair, entries);
      pulled.push({ name: (result === 'updated' && pair.there?.name) || pair.name, file, result });
    }
  } finally {
    await changeEntries(app, changes);
  }
  return pulled;
}

function resultOf(pair: Pair, { force, prune }: { force: boolean; prune: boolean }): Pulled | 'conflict' {
  const { here, there, entry } = pair;
  if (!here) return 'added';
  if (!there) {
    if (!prune || entry?.id == null) return 'only here';
    return force || digestOf(here) === entry.digest ? 'removed' : 'conflict';
  }
  switch (changeOf(pair)) {
    case 'none':
      return 'unchanged';
    case 'there':
      return 'updated';
    case 'here':
      return force ? 'updated' : 'edited';
    default:
      return force ? 'updated' : 'conflict';
  }
}

const NOT_WRITTEN: ReadonlySet<Pulled> = new Set(['edited', 'unusable']);

/** What a platform has can be anything, and one file that can’t be used ends each command. */
const usableOnly =
  (known: Set<string>) =>
  (planned: { pair: Pair; result: Pulled | 'conflict' }): { pair: Pair; result: Pulled | 'conflict' } => {
    const { pair, result } = planned;
    if (result !== 'added' && result !== 'updated') return planned;
    const content = contentOf(pair.there!);
    const isTaken = known.has(content.name) && content.name !== pair.here?.name;
    if (isTaken || Array.isArray(parseAction(textOf(content)))) return { pair, result: 'unusable' };
    known.add(content.name);
    return planned;
  };

async function apply(
  { folder, project, onWrite }: PullArgs,
  file: string,
  { there }: Pair,
  result: Pulled,
): Promise<void> {
  if (result === 'removed') await removeActionFile(folder, file);
  if (result !== 'added' && result !== 'updated') return;
  const written = { file, content: contentOf(there!) };
  await writeActionFile(folder, written, project);
  onWrite?.(written);
}

/** Only if it differs, so that the state doesn’t change in git for nothing. */
function addChange(
  changes: Map<string, Entry | null>,
  file: string,
  { here, there, entry }: Pair,
  entries: ReadonlyMap<string, Entry>,
): void {
  const isSame = here !== null && there !== null && changeOf({ name: '', file, here, there, entry }) === 'none';
  const next = entryOf(isSame ? here : contentOf(there!), there!);
  if (JSON.stringify(entries.get(file)) !== JSON.stringify(next)) changes.set(file, next);
  // The entry of a file that was renamed.
  for (const [other, { id }] of entries) if (other !== file && id === there!.id) changes.set(other, null);
}

const actionsEdited = (pairs: readonly Pair[]): CodedError =>
  new CodedError({
    code: 'ACTIONS_EDITED',
    message: `Couldn’t pull: ${pairs.length === 1 ? 'a file has' : `${pairs.length} files have`} edits that would be lost. Nothing was written.`,
    hint: 'Commit the files, use --force, and merge with git.',
    details: pairs.map(({ file, there, entry }) => ({
      path: file!,
      message: there
        ? entry
          ? 'The file and the action on the platform have both changed.'
          : 'The file and the action on the platform differ. Which side has changed is unknown.'
        : 'The file has edits, and the platform no longer has the action.',
    })),
  });
