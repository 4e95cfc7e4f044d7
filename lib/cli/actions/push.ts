/**
 * Makes the changes of a push, one action after the other. What was sent and confirmed is on disk at once, so that the
 * same push continues after any interruption.
 */
import { type Action, type ErrorValue, toErrorValue } from '../../platform-api/index.ts';
import { createAction, listActions, publishAction, removeAction, updateAction } from '../../rest/index.ts';
import { unreadableOf } from '../../platform-api/lists/unreadable.ts';
import { entryOf } from './compare.ts';
import { type ActionContent, digestOf } from './content.ts';
import type { PlannedAction, PushArgs, PushPlan } from './plan.ts';
import { changeEntries, type Entry, type SyncedApp } from './state.ts';

export interface PushedAction {
  name: string;
  file: string | null;
  change: PlannedAction['change'];
  published: boolean;
  /** `unknown`: the platform may have made the change. `not published`: it has made only the change. */
  state: 'done' | 'failed' | 'unknown' | 'not published' | 'not started';
  /** The action’s ID and revision on the platform. */
  id: number | null;
  revision: number | null;
}

export interface PushOutcome {
  actions: PushedAction[];
  /** Why the push ended early. */
  error: ErrorValue | null;
}

export interface PushHooks {
  /** Aborting it doesn’t abort a request, since its outcome would be unknown. No other one is sent. */
  signal: AbortSignal;
  onStart?: ((action: PlannedAction) => void) | undefined;
}

export async function push(plan: PushPlan, args: PushArgs, hooks: PushHooks): Promise<PushOutcome> {
  const pushed: PushedAction[] = [];
  let error: ErrorValue | null = null;
  for (const planned of plan.actions) {
    if (error || hooks.signal.aborted) {
      const isSame = planned.change === 'none' && !planned.publish;
      pushed.push({ ...resultOf(planned), state: isSame ? 'done' : 'not started' });
      continue;
    }
    hooks.onStart?.(planned);
    const { result, error: failure } = await pushOne(planned, plan.entries, args);
    pushed.push(result);
    error = failure;
  }
  error ??= await changeEntries(appOf(args), new Map(plan.gone.map((file) => [file, null]))).then(
    () => null,
    toErrorValue,
  );
  return { actions: pushed, error };
}

const resultOf = ({ pair, change }: PlannedAction): Omit<PushedAction, 'state'> => {
  const { id = null, revision = null } = pair.there ?? {};
  return { name: pair.name, file: pair.here && pair.file, change, published: false, id, revision };
};

async function pushOne(
  planned: PlannedAction,
  entries: ReadonlyMap<string, Entry>,
  args: PushArgs,
): Promise<{ result: PushedAction; error: ErrorValue | null }> {
  let result: PushedAction = { ...resultOf(planned), state: 'failed' };
  const done = (action: Action | null, published: boolean): void => {
    const { id = result.id, revision = result.revision } = action ?? {};
    result = { ...result, published, id, revision, state: planned.publish && !published ? 'not published' : 'done' };
  };
  try {
    await pushAction(planned, entries, args, done);
    return { result, error: null };
  } catch (thrown) {
    const error = withHint(toErrorValue(thrown), planned.pair.name);
    return { result: error.code === 'OUTCOME_UNKNOWN' ? { ...result, state: 'unknown' } : result, error };
  }
}

const appOf = ({ connection: { baseUrl }, appId, folder }: PushArgs): SyncedApp => ({ folder, baseUrl, appId });

async function pushAction(
  { pair, change, publish }: PlannedAction,
  entries: ReadonlyMap<string, Entry>,
  args: PushArgs,
  done: (action: Action | null, published: boolean) => void,
): Promise<void> {
  const { connection, appId } = args;
  const app = appOf(args);
  const { here, there, file } = pair;
  if (change === 'remove') {
    await removeAction(connection, { appId, actionId: there!.id }).catch(unlessGone(args, there!.id));
    done(null, false);
    return changeEntries(app, new Map([[file!, null]]));
  }
  let action = there;
  if (change === 'none') done(there, false);
  else {
    const known = change === 'create' ? NOTHING : (pair.entry ?? NOTHING);
    await changeEntries(app, new Map([[file!, { ...known, sent: digestOf(here!) }]]));
    action =
      change === 'create'
        ? await createAction(connection, { appId, action: here! })
        : await updateAction(connection, { appId, actionId: there!.id, change: changeTo(here!, there!) });
    done(action, false);
  }
  await remember(app, file!, here!, action!, entries);
  if (!publish) return;
  const revision = action!.revision;
  action = await publishAction(connection, { appId, actionId: action!.id, publish: true, revision });
  done(action, true);
}

/** Someone else may have removed it since. A proxy’s 404 doesn’t show that. */
const unlessGone =
  ({ connection, appId }: Pick<PushArgs, 'connection' | 'appId'>, removed: number) =>
  async (error: unknown): Promise<void> => {
    if (toErrorValue(error).status !== 404) throw error;
    const all = await listActions(connection, { appId });
    if (all.some(({ id }) => id === removed) || unreadableOf(all).length > 0) throw error;
  };

const NOTHING: Entry = { id: null, revision: null, digest: null };

/** With the revision that was compared, so that a later change by someone else isn’t overwritten. */
const changeTo = (content: ActionContent, { revision }: Action) => ({
  ...content,
  ...(revision !== undefined && { revision }),
});

/** Only if it differs, so that the state doesn’t change in git for nothing. */
async function remember(
  app: SyncedApp,
  file: string,
  content: ActionContent,
  action: Action,
  entries: ReadonlyMap<string, Entry>,
): Promise<void> {
  const next = entryOf(content, action);
  const changes = new Map<string, Entry | null>();
  if (JSON.stringify(entries.get(file)) !== JSON.stringify(next)) changes.set(file, next);
  // The entry of a file that was renamed.
  for (const [other, { id }] of entries) if (other !== file && id === action.id) changes.set(other, null);
  await changeEntries(app, changes);
}

function withHint(error: ErrorValue, name: string): ErrorValue {
  const message = `${name}: ${error.message}`;
  if (error.code === 'CONFLICT')
    return { ...error, message, hint: 'Compare with platform-devtools actions diff, then push again.' };
  if (error.code === 'OUTCOME_UNKNOWN')
    return { ...error, message, hint: 'Push again: what the platform already has isn’t sent twice.' };
  return { ...error, message };
}
