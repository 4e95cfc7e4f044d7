/** Finds which file, action of the platform, and entry of the state belong together, and which side has changed. */
import type { Action } from '../../platform-api/index.ts';
import { type ActionContent, contentOf, digestOf } from './content.ts';
import type { ActionFile } from './files.ts';
import type { Entry } from './state.ts';

export interface Pair {
  /** The file’s name for it, or else the platform’s. */
  name: string;
  /** Also of a file that was removed. Null if there has been none. */
  file: string | null;
  here: ActionContent | null;
  there: Action | null;
  entry: Entry | null;
}

/** In the order of the files, then of the platform. */
export function pairsOf(
  files: readonly ActionFile[],
  actions: readonly Action[],
  entries: ReadonlyMap<string, Entry>,
): Pair[] {
  const left = new Map(actions.map((action) => [action.id, action]));
  const found = new Map<string, Action>();
  const take = (file: string, action: Action | undefined): void => {
    if (!action) return;
    left.delete(action.id);
    found.set(file, action);
  };
  // By ID first, so that an action whose name was changed on one side is still the same.
  for (const { file } of files) take(file, sameAction(left, entries.get(file)));
  for (const { file, content } of files)
    if (!found.has(file))
      take(
        file,
        [...left.values()].find(({ name }) => name === content.name),
      );
  const names = new Set(files.map(({ file }) => file));
  // Of files that were removed or have another name now.
  const orphans = new Map([...entries].filter(([file]) => !names.has(file)).map((each) => [each[1].id, each]));
  const orphanOf = (action: Action | undefined): [string, Entry] | undefined => {
    const orphan = action && orphans.get(action.id);
    return orphan && sameAction(new Map([[action.id, action]]), orphan[1]) ? orphan : undefined;
  };
  return [
    ...files.map(({ file, content }) => {
      const there = found.get(file) ?? null;
      const own = entries.get(file) ?? null;
      const isOwn = !there || own?.id === null || sameAction(new Map([[there.id, there]]), own ?? undefined);
      const entry = isOwn ? own : (orphanOf(there)?.[1] ?? null);
      return { name: content.name, file, here: content, there, entry };
    }),
    ...[...left.values()].map((there) => {
      const [file = null, entry = null] = orphanOf(there) ?? [];
      return { name: there.name, file, here: null, there, entry };
    }),
  ];
}

/** A lower revision than the known one means another database, in which another action has this ID. */
function sameAction(actions: ReadonlyMap<number, Action>, entry: Entry | undefined): Action | undefined {
  const action = entry && entry.id !== null ? actions.get(entry.id) : undefined;
  return action && (action.revision ?? Infinity) >= (entry?.revision ?? 0) ? action : undefined;
}

export type Change =
  | 'none'
  /** The file. */
  | 'here'
  /** The action on the platform. */
  | 'there'
  /** Both, or one of them and it’s unknown which. */
  | 'both';

/** Which side has changed since both were the same. Of a pair that has both. */
export function changeOf({ here, there, entry }: Pair): Change {
  const [ours, theirs] = [digestOf(here!), digestOf(contentOf(there!))];
  if (ours === theirs) return 'none';
  if (!entry) return 'both';
  const isSent = theirs === entry.sent;
  const [baseHere, baseThere] = isSent ? [theirs, theirs] : [entry.digest, entry.platformDigest ?? entry.digest];
  const [isChangedHere, isChangedThere] = [ours !== baseHere, theirs !== baseThere];
  if (isChangedHere && isChangedThere) return 'both';
  return isChangedHere ? 'here' : isChangedThere ? 'there' : 'none';
}

/** Whether an action without its file is as it was when the file had the same content. */
export const isKnown = ({ there, entry }: Pair): boolean =>
  entry !== null && digestOf(contentOf(there!)) === (entry.platformDigest ?? entry.digest);

/** What to remember once the file and the platform’s action belong together. */
export function entryOf(content: ActionContent, action: Action): Entry {
  const [digest, platformDigest] = [digestOf(content), digestOf(contentOf(action))];
  return {
    id: action.id,
    revision: action.revision ?? null,
    digest,
    ...(platformDigest !== digest && { platformDigest }),
  };
}

/** Files with entries that neither the folder nor the platform has any longer. */
export function goneFiles(
  files: readonly ActionFile[],
  actions: readonly Action[],
  entries: ReadonlyMap<string, Entry>,
): string[] {
  const names = new Set(files.map(({ file }) => file));
  const ids = new Set(actions.map(({ id }) => id));
  return [...entries].filter(([file, { id }]) => !names.has(file) && !ids.has(id ?? 0)).map(([file]) => file);
}
