/** Finds the page's namespace, `ENV`, and registered functions. */
import { describe } from '../../agent/describe.ts';
import { cut } from '../../agent/describe-cursor.ts';
import type { Handles } from '../../agent/handles.ts';
import { apply, isArray, isSafeInteger } from '../../agent/pristine.ts';
import { attempt, type Fn, isObject, readProperty, stringsIn } from '../../agent/safe.ts';
import type { PageState } from '../../contract.ts';

const MAX_FUNCTIONS = 5_000;
const MAX_FEATURES = 100;

/** The contents of the namespace. Reading them runs the page's getters, as for any caller. */
export interface Found {
  platform: PageState['platform'];
  detail?: string;
  run?: { fn: Fn; self: object; features: string[] };
  functions?: object;
  /** Whether the page has `App.Actions.get()`. */
  hasActions?: boolean;
}

export function findPlatform(namespace: string, handles: Handles): Found {
  let functions: object | undefined;
  let hasActions = false;
  try {
    const root = (globalThis as unknown as Record<string, unknown>)[namespace];
    if (root === undefined || root === null) return { platform: 'absent' };
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

/** `window.ENV`, or null if it isn't an object. */
export function findEnv(): object | null {
  const env = readProperty(globalThis, 'ENV');
  return isObject(env) ? env : null;
}

export function describeEnv(env: object | null): PageState['env'] {
  if (env === null) return null;
  const mode = readProperty(env, 'mode');
  return {
    appId: readId(env, 'appId'),
    taskId: readId(env, 'taskId'),
    organizationId: readId(env, 'organizationId'),
    mode: typeof mode === 'string' ? cut(mode, 100) : null,
  };
}

export function readId(env: object, key: string): number | null {
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
