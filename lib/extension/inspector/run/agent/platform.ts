/** Finds the page's namespace, `ENV`, and registered functions. */
import { describe } from '../../agent/describe/describe.ts';
import { cut } from '../../agent/describe/describe-cursor.ts';
import type { Handles } from '../../agent/handles.ts';
import { readNamespace } from '../../agent/namespace.ts';
import { apply, isArray, isSafeInteger, split, toNumber } from '../../agent/pristine.ts';
import { attempt, type Fn, isObject, readProperty, stringsIn } from '../../agent/safe.ts';
import type { PageState } from '../../contract.ts';

const MAX_FUNCTIONS = 5_000;
const MAX_FEATURES = 100;
const MAX_FRAMES = 50;

/** The contents of the namespace. Reading them runs the page's getters, as for any caller. */
export interface Found {
  platform: PageState['platform'];
  detail?: string;
  run?: { fn: Fn; self: object; features: string[] };
  functions?: object;
  /** Whether the page has `App.Actions.get()`. */
  hasActions?: boolean;
  frames?: PageState['frames'];
}

export function findPlatform(namespace: string, handles: Handles): Found {
  let functions: object | undefined;
  let hasActions = false;
  try {
    const root = readNamespace(namespace);
    if (root === undefined || root === null) return { platform: 'absent', frames: framesWith(namespace) };
    if (!isObject(root)) return { platform: 'not-an-object', detail: typeof root };
    functions = member(root, 'Functions');
    const actions = member(member(root, 'App'), 'Actions');
    hasActions = typeof readProperty(actions, 'get') === 'function';
    const pipeline = member(actions, 'Pipeline') as Record<string, unknown> | undefined;
    const run = pipeline?.run;
    if (!pipeline || typeof run !== 'function') return { platform: 'no-pipeline', functions, hasActions };
    const features = stringsIn(pipeline.features, MAX_FEATURES);
    return { platform: 'ready', functions, hasActions, run: { fn: run as Fn, self: pipeline, features } };
  } catch (thrown) {
    return { platform: 'throws', detail: summarize(thrown, handles), functions, hasActions };
  }
}

/** Where the namespace may be if the page itself lacks it. Undefined without frames. */
function framesWith(namespace: string): PageState['frames'] {
  const count = readProperty(globalThis, 'length');
  if (typeof count !== 'number' || !(count > 0)) return undefined;
  let unchecked = 0;
  for (let i = 0; i < count && i < MAX_FRAMES; i++) {
    const frame = readProperty(globalThis, `${i}`);
    // The browser refuses to read anything of a frame of another origin.
    const isReadable = attempt(() => (frame as Window).location.href) !== undefined;
    if (!isReadable) unchecked++;
    else if (isObject(readProperty(frame, namespace)))
      return { withNamespace: cut((frame as Window).location.href, 2_000), unchecked };
  }
  return { withNamespace: null, unchecked };
}

/** The packages that the runtime lists, or null if it has no `list`. */
export function listFunctions(functions: object | undefined): { name: string; url: string | null }[] | null {
  try {
    const list = functions && (functions as Record<string, unknown>).list;
    if (typeof list !== 'function') return null;
    const listed: unknown = apply(list as Fn, functions, []);
    if (!isArray(listed)) return null;
    const found: { name: string; url: string | null }[] = [];
    for (let i = 0; i < (listed as unknown[]).length && i < MAX_FUNCTIONS; i++) {
      const item = (listed as unknown[])[i];
      if (!isObject(item) && typeof item !== 'string') continue;
      const { name, url } = typeof item === 'string' ? { name: item, url: null } : (item as Record<string, unknown>);
      if (typeof name === 'string')
        found[found.length] = { name: cut(name, 300), url: typeof url === 'string' ? cut(url, 2_000) : null };
    }
    return found;
  } catch {
    return null;
  }
}

export function getFunction(functions: object | undefined, name: string): unknown {
  return attempt(() => {
    const get = functions && (functions as Record<string, unknown>).get;
    return typeof get === 'function' ? apply(get as Fn, functions, [name]) : undefined;
  });
}

/** A script’s `const ENV` isn’t a property of the window. */
declare const ENV: unknown;

/** The page’s `ENV`, or null if it isn't an object. */
export function findEnv(): object | null {
  const env = readProperty(globalThis, 'ENV') ?? attempt(() => ENV);
  return isObject(env) ? env : null;
}

/** Null if neither `ENV` nor the URL identifies the page’s app. */
export function describeEnv(env: object | null): PageState['env'] {
  const ids = pageIds(env);
  if (env === null) return ids.appId === null ? null : { ...ids, organizationId: null, mode: null };
  const mode = readProperty(env, 'mode');
  return {
    ...ids,
    organizationId: readId(env, 'organizationId'),
    mode: typeof mode === 'string' ? cut(mode, 100) : null,
  };
}

/**
 * The IDs of the page's app and action. The specification shows only `taskPipeline` in `ENV`, so a debug page's URL
 * gives what is missing.
 */
export function pageIds(env: object | null): { appId: number | null; taskId: number | null } {
  const ofUrl = idsOfDebugPage(location.pathname);
  const appId = (env && readId(env, 'appId')) ?? ofUrl.appId;
  const taskId = (env && readId(env, 'taskId')) ?? (appId === ofUrl.appId ? ofUrl.taskId : null);
  return { appId, taskId };
}

/** Of a path that ends like `/v1/apps/7/tasks/9/compile` (specification, "REST API"). */
function idsOfDebugPage(path: string): { appId: number | null; taskId: number | null } {
  const parts = split(path, '/');
  const end = parts.length - (parts[parts.length - 1] === '' ? 2 : 1);
  const appId = idOf(parts[end - 3]);
  const taskId = idOf(parts[end - 1]);
  const isDebugPage =
    parts[end] === 'compile' && parts[end - 2] === 'tasks' && parts[end - 4] === 'apps' && parts[end - 5] === 'v1';
  return isDebugPage && appId !== null && taskId !== null ? { appId, taskId } : { appId: null, taskId: null };
}

function idOf(text: string | undefined): number | null {
  const id = toNumber(text);
  return isSafeInteger(id) && id > 0 && text === `${id}` ? id : null;
}

function readId(env: object, key: string): number | null {
  const value = readProperty(env, key);
  return typeof value === 'number' && isSafeInteger(value) ? value : null;
}

/** A property whose value is an object. Throws whatever its getter throws. */
function member(object: object | undefined, key: string): object | undefined {
  const value = object && (object as Record<string, unknown>)[key];
  return isObject(value) ? value : undefined;
}

/** A short description of a thrown value. */
export function summarize(thrown: unknown, handles: Handles): string {
  const value = describe(thrown, { nodes: 5, chars: 300, depth: 1 }, handles);
  if (value.t === 'error') return cut(`${value.name}: ${value.message}`, 300);
  return 'v' in value ? `${value.v}` : value.t;
}
