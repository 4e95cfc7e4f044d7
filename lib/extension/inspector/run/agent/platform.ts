/** Finds the page's namespace, `ENV`, pipeline, and registered functions. */
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { describe } from '../../agent/describe.ts';
import { cut, ownValue } from '../../agent/describe-cursor.ts';
import { type RejectionReason, writeForeign } from '../../agent/foreign-json.ts';
import type { Handles } from '../../agent/handles.ts';
import { utf8Length } from '../../agent/json.ts';
import { apply, isArray, isSafeInteger, parseJson } from '../../agent/pristine.ts';
import { attempt, type Fn, isObject, readProperty, stringsIn } from '../../agent/safe.ts';
import type { PageState } from '../../contract.ts';

const MAX_FUNCTIONS = 5_000;
const MAX_FEATURES = 100;
const PIPELINE = { maxChars: 8 * 1024 * 1024, maxDepth: 200, functions: 'source' } as const;

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

/** Reads the pipeline as JSON text, and keeps the same handle while the text doesn't change. */
export class PipelineReader {
  readonly #handles: Handles;
  #text = '';
  #known: PageState['pipeline'] | null = null;

  constructor(handles: Handles) {
    this.#handles = handles;
  }

  read(env: object | null): PageState['pipeline'] {
    const pipeline = readProperty(env, 'taskPipeline');
    if (pipeline === undefined)
      return rejected('PIPELINE_MISSING', 'The page has no ENV.taskPipeline.', 'Open the debug page of an action.');
    // Revoked proxies throw.
    if (!attempt(() => isArray(pipeline)))
      return rejected(
        'PIPELINE_INVALID',
        `ENV.taskPipeline must be an array. This one is ${pipeline === null ? 'null' : typeof pipeline}.`,
        'Update the action with an array of steps, then open its debug page again.',
      );
    const written = writeForeign(pipeline, PIPELINE);
    return written.ok ? this.#keep(written.text) : pipelineError(written.why, written.path);
  }

  #keep(text: string): PageState['pipeline'] {
    const known = this.#known;
    if (known?.ok && text === this.#text && this.#handles.get(known.handle) !== undefined) return known;
    this.#text = text;
    const steps = countSteps(parseJson(text));
    return (this.#known = { ok: true, steps, handle: this.#handles.add(text), bytes: utf8Length(text) });
  }
}

function pipelineError(why: RejectionReason, path: string): PageState['pipeline'] {
  const at = path === '' ? '' : ` at ${cut(path, 300)}`;
  const hint = 'Try running the action anyway: only the pipeline view needs plain data.';
  if (why === 'cycle') return rejected('PIPELINE_CYCLIC', `ENV.taskPipeline contains itself${at}.`, hint);
  if (why === 'too-large')
    return rejected('PIPELINE_TOO_LARGE', `ENV.taskPipeline is too large or too deep to show${at}.`, hint);
  return rejected('PIPELINE_UNREADABLE', `ENV.taskPipeline contains something that isn’t plain data${at}.`, hint);
}

function rejected(code: string, message: string, hint: string): { ok: false; error: ErrorValue } {
  return { ok: false, error: { code, message, hint } };
}

/** Counts a pipeline's steps, including nested steps in loops, conditions, and other steps. */
function countSteps(steps: unknown): number {
  if (!isArray(steps)) return 0;
  let count = 0;
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
