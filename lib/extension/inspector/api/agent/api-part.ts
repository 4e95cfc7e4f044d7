/** The API part of the agent: calls allow-listed functions of the page, and stores their outcomes. */
import { cut } from '../../agent/describe/describe-cursor.ts';
import { type ForeignJsonOptions, writeForeign } from '../../agent/foreign-json.ts';
import { createHandles } from '../../agent/handles.ts';
import { readNamespace } from '../../agent/namespace.ts';
import {
  apply,
  create,
  isSafeInteger,
  later,
  mapDelete,
  mapGet,
  MapOf,
  mapSet,
  parseJson,
  slice,
  split,
  toText,
  trim,
} from '../../agent/pristine.ts';
import { attempt, bareList, type Fn, includes, isObject, readProperty } from '../../agent/safe.ts';
import { findEnv, pageIds, summarize } from '../../run/agent/platform.ts';
import {
  API_PATHS,
  type ApiAgent,
  type ApiOutcome,
  type ApiPath,
  type ApiRejection,
  type ApiTarget,
} from '../contract.ts';

/** How many IDs the agent remembers, and of how many it has the text. The panel reads each text once, soon. */
const MAX_IDS = 2_000;
const MAX_TEXTS = 20;
/** In characters. `text` returns the rest of a value in pieces. */
const MAX_PIECE = 500_000;
const VALUE = { maxChars: 8 * 1024 * 1024, maxDepth: 200, functions: 'omit', lenient: true } as const;
/** The fields of actions, log records, and functions (specification, "Resources and their fields"). */
const FIELDS = split(
  'id name active frequency timezone environment triggers functions lastRunAt nextRunAt createdAt updatedAt appId ' +
    'pageId count logs type data organizationId dataSourceId dataSourceEntryId appNotificationId sessionId package ' +
    'description actions pagination total hasMore action code dependencies assets actionVersion',
  ' ',
);
const ITEM = { ...VALUE, inherited: FIELDS } as const;
/** An item of a list that can't be read must not hide the others. */
const LIST = { ...ITEM, skipsItems: true } as const;
/** The specification doesn't say what these resolve with, so the value can be anything. */
const NO_VALUE: readonly ApiPath[] = [
  'App.Actions.remove',
  'App.Actions.publish',
  'App.Actions.run',
  'App.V3.Actions.remove',
  'App.V3.Actions.run',
  'App.V3.Actions.unpublish',
];
const ONE_ACTION: readonly ApiPath[] = [
  'App.Actions.create',
  'App.Actions.update',
  'App.V3.Actions.getById',
  'App.V3.Actions.create',
  'App.V3.Actions.update',
  'App.V3.Actions.publish',
];
const DETAILS = { ...VALUE, maxChars: 20_000 } as const;
const RUN_FAILURE = ['errorType', 'errorMessage', 'trace'];

const NEVER_RECEIVED: ApiOutcome = { state: 'not-called', why: 'never-received' };
const OTHER_PAGE: ApiOutcome = { state: 'not-called', why: 'other-page' };

export class ApiPart implements ApiAgent {
  readonly #documentId: string;
  /** The text of a fulfilled call is in `#texts`. */
  readonly #outcomes = new MapOf<string, ApiOutcome>();
  readonly #texts = new MapOf<string, string>();
  /** Rings of the newest IDs. */
  readonly #ids = bareList<string>();
  readonly #textIds = bareList<string>();
  #idCount = 0;
  #textCount = 0;

  constructor(documentId: string) {
    this.#documentId = documentId;
  }

  call(id: string, path: ApiPath, args: string, target: ApiTarget): ApiOutcome {
    const known = mapGet(this.#outcomes, id);
    if (known) return this.#withText(id, known);
    if (target.documentId !== this.#documentId || target.appId !== pageIds(findEnv()).appId)
      return this.#keep(id, OTHER_PAGE);
    const found = includes(API_PATHS, path)
      ? findFunction(target.namespace, path)
      : { ok: false as const, message: `The panel can’t call ${path}().` };
    if (!found.ok) return this.#keep(id, { state: 'not-called', why: 'missing', message: cut(found.message, 500) });
    // Runs in a separate task, so that the panel gets its response even if page code then blocks the page.
    later(() => void this.#run(id, path, () => apply(found.fn, found.self, parseJson(args) as unknown[])));
    return this.#keep(id, { state: 'pending' });
  }

  outcome(id: string, documentId: string): ApiOutcome | null {
    if (documentId !== this.#documentId) return null;
    const known = mapGet(this.#outcomes, id);
    return known ? this.#withText(id, known) : this.#keep(id, NEVER_RECEIVED);
  }

  text(id: string, from: number, length: number): string | null {
    const text = mapGet(this.#texts, id);
    return text === undefined ? null : slice(text, from, from + (length < MAX_PIECE ? length : MAX_PIECE));
  }

  #withText(id: string, outcome: ApiOutcome): ApiOutcome {
    return outcome.state === 'fulfilled' ? { ...outcome, text: this.text(id, 0, MAX_PIECE) ?? '' } : outcome;
  }

  async #run(id: string, path: ApiPath, call: Fn): Promise<void> {
    let outcome: ApiOutcome;
    try {
      const value = await call();
      outcome = this.#fulfilled(id, includes(NO_VALUE, path) ? null : value, optionsOf(path));
    } catch (thrown) {
      outcome = rejection(thrown);
    }
    mapSet(this.#outcomes, id, outcome);
  }

  #fulfilled(id: string, value: unknown, options: ForeignJsonOptions): ApiOutcome {
    const written = value === undefined ? ({ ok: true, text: 'null' } as const) : writeForeign(value, options);
    if (!written.ok) return { state: 'unreadable', why: written.why, path: cut(written.path, 300) };
    const { text } = written;
    this.#keepText(id, text);
    return { state: 'fulfilled', text: '', length: text.length };
  }

  #keep(id: string, outcome: ApiOutcome): ApiOutcome {
    const at = this.#idCount++ % MAX_IDS;
    const oldest = this.#ids[at];
    if (oldest !== undefined) mapDelete(this.#outcomes, oldest);
    this.#ids[at] = id;
    mapSet(this.#outcomes, id, outcome);
    return outcome;
  }

  #keepText(id: string, text: string): void {
    const at = this.#textCount++ % MAX_TEXTS;
    const oldest = this.#textIds[at];
    if (oldest !== undefined) mapDelete(this.#texts, oldest);
    this.#textIds[at] = id;
    mapSet(this.#texts, id, text);
  }
}

function optionsOf(path: ApiPath): ForeignJsonOptions {
  if (path === 'App.Actions.runWithResult') return VALUE;
  return includes(ONE_ACTION, path) ? ITEM : LIST;
}

/** The function and the object that has it, or why it's missing. Runs the page's getters, as for any caller. */
function findFunction(
  namespace: string,
  path: ApiPath,
): { ok: true; fn: Fn; self: object } | { ok: false; message: string } {
  try {
    const names = split(path, '.');
    let self: unknown;
    let value: unknown = readNamespace(namespace);
    for (let i = 0; i < names.length; i++) {
      self = value;
      value = isObject(self) ? (self as Record<string, unknown>)[names[i]!] : undefined;
    }
    return isObject(self) && typeof value === 'function'
      ? { ok: true, fn: value as Fn, self }
      : { ok: false, message: `The page has no ${namespace}.${path}().` };
  } catch (thrown) {
    const why = attempt(() => summarize(thrown, createHandles())) ?? 'unreadable';
    return { ok: false, message: `Reading ${namespace}.${path} threw an exception: ${why}` };
  }
}

function rejection(thrown: unknown): ApiRejection {
  const code = stringAt(thrown, 'code');
  return {
    state: 'rejected',
    code: code === null ? null : cut(code, 100),
    status: statusOf(thrown),
    message: attempt(() => messageOf(thrown)) ?? null,
    details: attempt(() => detailsOf(thrown)) ?? null,
  };
}

/** What an error, a response, or any other reason says. Null if it says nothing. */
function messageOf(thrown: unknown): string | null {
  if (thrown === undefined || thrown === null) return null;
  if (!isObject(thrown)) return cut(toText(thrown), 1_000);
  const said =
    stringAt(thrown, 'message') ||
    stringAt(thrown, 'errorMessage') ||
    stringAt(readProperty(thrown, 'responseJSON'), 'message') ||
    stringAt(thrown, 'error');
  return said ? cut(said, 1_000) : responseText(thrown);
}

/** Such as `401 Unauthorized`, for a response. */
function responseText(thrown: object): string | null {
  const status = statusOf(thrown);
  const text = cut(stringAt(thrown, 'statusText') ?? '', 200);
  return status === null ? text || null : trim(`${status} ${text}`);
}

function statusOf(thrown: unknown): number | null {
  const status = readProperty(thrown, 'status');
  return typeof status === 'number' && isSafeInteger(status) ? status : null;
}

function stringAt(value: unknown, key: string): string | null {
  const found = readProperty(value, key);
  return typeof found === 'string' ? found : null;
}

/** The `details` of an error of our runtime, or a run's failure (specification, "Action log record"). */
function detailsOf(thrown: unknown): string | null {
  let details = readProperty(thrown, 'details');
  if (!isObject(details)) {
    const failure = create(null) as Record<string, unknown>;
    for (let i = 0; i < RUN_FAILURE.length; i++) failure[RUN_FAILURE[i]!] = readProperty(thrown, RUN_FAILURE[i]!);
    if (typeof failure.errorMessage !== 'string') return null;
    details = failure;
  }
  const written = writeForeign(details, DETAILS);
  return written.ok ? written.text : null;
}
