/** Plans a push: reads the files and the platform, and finds all problems and conflicts before anything is sent. */
import { CodedError } from '../../platform-api/index.ts';
import { isLoopback } from '../../platform-api/loopback.ts';
import { type Connection, listFunctions, listRevisions } from '../../rest/index.ts';
import { listAllActions } from '../operations/list-actions.ts';
import { changeOf, goneFiles, isKnown, type Pair, pairsOf } from './compare.ts';
import { type ActionFile, invalidFiles, packageProblems, readActionFiles, requireUsable } from './files.ts';
import { selectedBroken, selectedPairs } from './select.ts';
import { type Entry, readEntries } from './state.ts';

export interface PushArgs {
  connection: Connection;
  appId: number;
  folder: string;
  /** The project’s folder, which no link leads out of. Default: `folder`. */
  project?: string;
  /** Empty for all. */
  names: readonly string[];
  /** Also publishes the actions. */
  publish?: boolean;
  /** Removes actions whose file was removed. */
  prune?: boolean;
  /** Overwrites actions that have changed on the platform. */
  force?: boolean;
}

export interface PlannedAction {
  pair: Pair;
  change: 'create' | 'update' | 'remove' | 'none';
  /** Whether to publish it then. */
  publish: boolean;
}

export interface Conflict {
  pair: Pair;
  reason: string;
}

export interface PushPlan {
  actions: PlannedAction[];
  conflicts: Conflict[];
  entries: ReadonlyMap<string, Entry>;
  /** Files with entries that neither side has any longer. */
  gone: string[];
}

/** @throws CodedError `ACTION_FILE_INVALID`, `ACTION_TWICE`, `ACTION_NOT_FOUND`, `ACTIONS_NOT_LISTED`, … */
export async function planPush(args: PushArgs, { signal }: { signal: AbortSignal }): Promise<PushPlan> {
  const { connection, appId, folder, project, names } = args;
  const { files, broken } = await readActionFiles(folder, project);
  requireUsable(folder, files, selectedBroken(broken, names));
  const entries = await readEntries({ folder, baseUrl: connection.baseUrl, appId });
  const actions = await listAllActions(connection, appId, { signal });
  const pairs = selectedPairs(pairsOf(files, actions, entries), names);
  const gone = args.prune && names.length === 0 ? goneFiles(files, actions, entries) : [];
  const plan: PushPlan = { actions: [], conflicts: [], entries, gone };
  for (const pair of pairs) {
    const change = changeFor(pair, args);
    if (change === null) continue;
    if (change === 'conflict')
      plan.conflicts.push({ pair, reason: await reasonOf(pair, { connection, appId }, signal) });
    else plan.actions.push({ pair, change, publish: isToPublish(pair, change, args) });
  }
  await requirePackages(plan, args, signal);
  return plan;
}

/** Null for an action that stays as it is without its file. */
function changeFor(pair: Pair, args: PushArgs): PlannedAction['change'] | 'conflict' | null {
  const { force = false, prune = false } = args;
  if (!pair.here) {
    if (!prune || !pair.entry) return null;
    return force || isKnown(pair) ? 'remove' : 'conflict';
  }
  if (!pair.there) return force || isNew(pair, args) ? 'create' : 'conflict';
  const change = changeOf(pair);
  if (change === 'none') return 'none';
  return change === 'here' || force ? 'update' : 'conflict';
}

/** The database of a platform on this machine may be another one than that of the last push. */
const isNew = ({ entry }: Pair, { connection }: PushArgs): boolean =>
  entry?.id == null || isLoopback(new URL(connection.baseUrl).hostname);

function isToPublish({ there }: Pair, change: PlannedAction['change'], { publish = false }: PushArgs): boolean {
  if (!publish || change === 'remove') return false;
  return change !== 'none' || !there?.published || (there.unpublishedChanges?.length ?? 0) > 0;
}

/** Says also who has changed it, if the platform knows. */
async function reasonOf(
  { here, there, entry }: Pair,
  { connection, appId }: Pick<PushArgs, 'connection' | 'appId'>,
  signal: AbortSignal,
): Promise<string> {
  if (!there) return 'Removed on the platform.';
  const address = { appId, actionId: there.id };
  const [latest] = await listRevisions(connection, address, { signal }).catch(() => []);
  const by = latest?.by?.email ? ` by ${latest.by.email}` : '';
  const when = `${by} (revision ${there.revision ?? 'unknown'}, ${latest?.createdAt ?? there.updatedAt})`;
  if (!here) return `The file was removed, and the platform’s action was changed${when}.`;
  if (!entry) return `The platform’s action of this name differs, changed${when}. Which side has changed is unknown.`;
  return `Changed on the platform${when}.`;
}

/** The platform would refuse them one by one. @throws CodedError `ACTION_FILE_INVALID` */
async function requirePackages({ actions }: PushPlan, { connection, folder }: PushArgs, signal: AbortSignal) {
  const files = actions.flatMap(({ pair: { file, here }, change }): ActionFile[] =>
    here && file !== null && change !== 'none' ? [{ file, content: here }] : [],
  );
  if (files.length === 0) return;
  const packages = await listFunctions(connection, { signal }).then(
    (all) => new Set(all.map((each) => each.package)),
    (error: unknown) => {
      if (error instanceof CodedError && error.value.status === 404) return null;
      throw error;
    },
  );
  if (!packages) return;
  const broken = files
    .map((each) => ({ file: each.file, problems: packageProblems(each, packages) }))
    .filter(({ problems }) => problems.length > 0);
  if (broken.length > 0) throw invalidFiles(folder, broken);
}

export const pushConflict = (conflicts: readonly Conflict[]): CodedError =>
  new CodedError({
    code: 'CONFLICT',
    message: `Couldn’t push: ${conflicts.length === 1 ? 'an action conflicts' : `${conflicts.length} actions conflict`} with the platform’s. Nothing was sent.`,
    hint: 'Compare with platform-devtools actions diff, then pull, or use --force to overwrite the platform’s.',
    details: conflicts.map(({ pair, reason }) => ({ path: pair.name, message: reason })),
  });
