/** Rejects arguments that can’t be sent over HTTP, using the platform’s error codes and messages. */
import { escapeToken } from '../shared/json-pointer.ts';
import { invalidMessage, referenceProblem } from '../platform-api/actions/names.ts';
import { readEnv } from './environment.ts';
import { RequestError } from './request.ts';

/** The error that the platform returns for an invalid request. */
export const invalid = (path: string, message: string): RequestError =>
  new RequestError('INVALID', 422, invalidMessage(message), { details: [{ path, message }] });

/**
 * The path of the page’s app.
 * @throws RequestError `NO_APP`
 */
export function appPath(): string {
  const appId = readEnv()?.appId;
  if (typeof appId === 'number') return `apps/${appId}`;
  throw new RequestError(
    'NO_APP',
    null,
    'This page doesn’t belong to an app: it has no ENV.appId. Open it from the platform.',
  );
}

/**
 * The path of an action, given its ID (a number) or name (a string).
 * @throws RequestError `INVALID`
 */
export function actionPath(idOrName: unknown, rest = ''): string {
  const problem = referenceProblem(idOrName);
  if (problem !== null) throw invalid('', problem);
  return `${appPath()}/actions/${String(idOrName)}${rest}?by=${typeof idOrName === 'number' ? 'id' : 'name'}`;
}

/** What JSON can hold, with class instances. Others would lose all or most of their data, such as a File or a Map. */
const JSON_KINDS = /^(Object|Array|String|Boolean|Null|Undefined)$/;

/**
 * Converts a value to plain JSON data. Omits undefined, as JSON does.
 * @param path where the value is in the request, as a JSON Pointer
 * @throws RequestError `INVALID` with the path of what JSON can’t hold, such as a File, a function, or NaN
 */
export function plain(value: unknown, path = ''): unknown {
  const paths = new Map<unknown, string>();
  function check(this: Record<string, unknown>, key: string, each: unknown): unknown {
    const at = paths.size === 0 ? path : `${paths.get(this)}/${escapeToken(key)}`;
    paths.set(each, at);
    // `toJSON` of an invalid date returns null.
    refuseOpaque(each ?? this[key], at);
    return each;
  }
  try {
    const text = JSON.stringify(value, check) as string | undefined;
    return text === undefined ? null : (JSON.parse(text) as unknown);
  } catch (error) {
    if (error instanceof RequestError) throw error;
    const [cause = ''] = (error as Error).message.split('\n');
    throw invalid(path, `Couldn’t convert the value to JSON: ${cause.replace(/\.$/, '')}.`);
  }
}

function refuseOpaque(value: unknown, path: string): void {
  // Doesn’t use instanceof: the value might come from a frame.
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind === 'Number' ? Number.isFinite(Number(value)) : JSON_KINDS.test(kind)) return;
  const problem = `JSON can’t hold ${path || 'this value'} (${kind === 'Number' ? String(value) : kind}).`;
  const isInStep = typeof value === 'function' && path.startsWith('/functions/');
  throw invalid(path, isInStep ? `${problem} Write a condition as an expression in a string.` : problem);
}

/** The query of a request. What isn’t text has the form that it has in JSON. */
export function queryOf(options: object): string {
  const given = Object.entries(plain(options) as object);
  return new URLSearchParams(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  ).toString();
}
