/** Owns the look at what the page offers: its namespace, `ENV`, the pipeline and the registered functions. */
import type { ErrorValue } from '../../../../platform-api/index.ts';
import type { PageState } from '../../contract.ts';
import { cut, ownValue } from '../../agent/describe-cursor.ts';
import { describe } from '../../agent/describe.ts';
import type { Handles } from '../../agent/handles.ts';
import { utf8Length, writeForeign } from '../../agent/json.ts';
import { apply, isArray, isSafeInteger, parseJson } from '../../agent/pristine.ts';

type Fn = (...args: unknown[]) => unknown;
const MOST_FUNCTIONS = 5_000;
const LONGEST_PIPELINE = 8 * 1024 * 1024;
const DEEPEST_PIPELINE = 200;

/** What was found under the namespace. Reading it runs the page's getters, as any caller would. */
export interface Found {
  platform: PageState['platform'];
  detail?: string;
  run?: { fn: Fn; self: object; features: string[] };
  functions?: object;
}

export function findPlatform(namespace: string, handles: Handles): Found {
  let functions: object | undefined;
  try {
    const root = (globalThis as unknown as Record<string, unknown>)[namespace];
    if (root === undefined || root === null) return { platform: 'absent' };
    if (!isObject(root)) return { platform: 'not-an-object', detail: typeof root };
    functions = member(root, 'Functions');
    const pipeline = member(member(member(root, 'App'), 'Actions'), 'Pipeline');
    const run = pipeline && (pipeline as Record<string, unknown>).run;
    if (!pipeline || typeof run !== 'function') return { platform: 'no-pipeline', functions };
    return {
      platform: 'ready',
      functions,
      run: { fn: run as Fn, self: pipeline, features: texts((pipeline as Record<string, unknown>).features) },
    };
  } catch (thrown) {
    return { platform: 'throws', detail: short(thrown, handles), functions };
  }
}

/** The page's `App.Analytics.pageView` or `.event`, or why there is none. */
export function findAnalytics(
  namespace: string,
  method: 'pageView' | 'event',
  handles: Handles,
): { ok: true; fn: Fn; self: object } | { ok: false; why: string } {
  try {
    const root = (globalThis as unknown as Record<string, unknown>)[namespace];
    const self = isObject(root) ? member(member(root, 'App'), 'Analytics') : undefined;
    const fn = self && (self as Record<string, unknown>)[method];
    return self && typeof fn === 'function'
      ? { ok: true, fn: fn as Fn, self }
      : { ok: false, why: `The page has no ${namespace}.App.Analytics.${method}().` };
  } catch (thrown) {
    return { ok: false, why: `Reading ${namespace}.App.Analytics throws: ${short(thrown, handles)}` };
  }
}

/** The packages that the runtime lists; null when it has no `list`. */
export function listFunctions(functions: object | undefined): { name: string; url: string | null }[] | null {
  try {
    const list = functions && (functions as Record<string, unknown>).list;
    if (typeof list !== 'function') return null;
    const given: unknown = apply(list as Fn, functions, []);
    if (!isArray(given)) return null;
    const found: { name: string; url: string | null }[] = [];
    for (let i = 0; i < (given as unknown[]).length && i < MOST_FUNCTIONS; i++) {
      const item = (given as unknown[])[i];
      if (!isObject(item)) continue;
      const name = (item as Record<string, unknown>).name;
      const url = (item as Record<string, unknown>).url;
      if (typeof name === 'string')
        found[found.length] = { name: cut(name, 300), url: typeof url === 'string' ? cut(url, 2_000) : null };
    }
    return found;
  } catch {
    return null;
  }
}

export function getFunction(functions: object | undefined, name: string): unknown {
  try {
    const get = functions && (functions as Record<string, unknown>).get;
    return typeof get === 'function' ? apply(get as Fn, functions, [name]) : undefined;
  } catch {
    return undefined;
  }
}

/** `window.ENV`, or null when there is no such object. */
export function findEnv(): object | null {
  try {
    const env = (globalThis as unknown as Record<string, unknown>).ENV;
    return isObject(env) ? env : null;
  } catch {
    return null;
  }
}

export function describeEnv(env: object | null): PageState['env'] {
  if (env === null) return null;
  const mode = data(env, 'mode');
  return {
    appId: id(env, 'appId'),
    taskId: id(env, 'taskId'),
    organizationId: id(env, 'organizationId'),
    mode: typeof mode === 'string' ? cut(mode, 100) : null,
  };
}

/** The pipeline's JSON text, kept under one handle as long as the text stays the same. */
export function createPipelineReader(handles: Handles): (env: object | null) => PageState['pipeline'] {
  let text = '';
  let known: PageState['pipeline'] | null = null;
  return (env) => {
    const value = env === null ? undefined : data(env, 'taskPipeline');
    if (value === undefined)
      return refused('PIPELINE_MISSING', 'The page has no ENV.taskPipeline.', 'Open the debug page of an action.');
    if (!listLike(value))
      return refused(
        'PIPELINE_INVALID',
        `ENV.taskPipeline is no array, but ${value === null ? 'null' : typeof value}.`,
        'Save the action with a list of steps, then open its debug page again.',
      );
    const written = writeForeign(value, { chars: LONGEST_PIPELINE, depth: DEEPEST_PIPELINE }, 'source');
    if (!written.ok) return refusedPipeline(written.why, written.path);
    if (known === null || written.text !== text || (known.ok && handles.get(known.handle) === undefined)) {
      text = written.text;
      known = { ok: true, steps: countSteps(parseJson(text)), handle: handles.add(text), bytes: utf8Length(text) };
    }
    return known;
  };
}

function refusedPipeline(why: 'cycle' | 'too-large' | 'not-json' | 'unreadable', path: string): PageState['pipeline'] {
  const at = path === '' ? '' : ` at ${cut(path, 300)}`;
  const next = 'The pipeline can still be run, but not shown.';
  if (why === 'cycle') return refused('PIPELINE_CYCLIC', `ENV.taskPipeline contains itself${at}.`, next);
  if (why === 'too-large')
    return refused('PIPELINE_TOO_LARGE', `ENV.taskPipeline is too large or too deep to show${at}.`, next);
  return refused('PIPELINE_UNREADABLE', `ENV.taskPipeline holds something that is no data${at}.`, next);
}

function refused(code: string, message: string, hint: string): { ok: false; error: ErrorValue } {
  return { ok: false, error: { code, message, hint } };
}

/** Steps of a pipeline with those inside loops, conditions and other steps. */
function countSteps(steps: unknown): number {
  let count = 0;
  if (!isArray(steps)) return 0;
  const list = steps as unknown[];
  for (let i = 0; i < list.length; i++) {
    const step = list[i];
    if (!isObject(step)) continue;
    count += 1 + countSteps(ownValue(step, 'functions')) + countSteps(ownValue(step, 'elseFunctions'));
    const blocks = ownValue(step, 'conditions');
    if (!isArray(blocks)) continue;
    for (let j = 0; j < (blocks as unknown[]).length; j++) {
      const block = (blocks as unknown[])[j];
      if (isObject(block)) count += countSteps(ownValue(block, 'functions'));
    }
  }
  return count;
}

function listLike(value: unknown): boolean {
  try {
    return isArray(value);
  } catch {
    return false;
  }
}

/** A property's value as a reader of the page would get it; undefined when reading throws. */
function data(object: object, key: string): unknown {
  try {
    return (object as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function id(env: object, key: string): number | null {
  const value = data(env, key);
  return typeof value === 'number' && isSafeInteger(value) ? value : null;
}

function member(object: object | undefined, key: string): object | undefined {
  const value = object && (object as Record<string, unknown>)[key];
  return isObject(value) ? value : undefined;
}

function texts(value: unknown): string[] {
  const list: string[] = [];
  if (!isArray(value)) return list;
  for (let i = 0; i < (value as unknown[]).length && i < 100; i++) {
    const item = (value as unknown[])[i];
    if (typeof item === 'string') list[list.length] = item;
  }
  return list;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** A thrown value in some words. */
function short(thrown: unknown, handles: Handles): string {
  const told = describe(thrown, { nodes: 5, chars: 300, depth: 1 }, handles);
  if (told.t === 'error') return cut(`${told.name}: ${told.message}`, 300);
  return 'v' in told ? `${told.v}` : told.t;
}
