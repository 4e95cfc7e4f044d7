/** Rejects arguments that can’t be sent over HTTP, using the platform’s error codes and messages. */
import { escapeToken } from '../shared/json-pointer.ts';
import { invalidMessage, referenceProblem } from '../platform-api/actions/names.ts';
import { JSON_DEPTH } from '../platform-api/limits.ts';
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

/**
 * Converts a value to plain JSON data.
 * @throws RequestError `INVALID` if the value can’t be converted, for example because it contains a cycle
 */
export function plain(value: unknown): unknown {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? null : (JSON.parse(text) as unknown);
  } catch (error) {
    throw invalid(
      '',
      `Couldn’t convert the value to JSON: ${(error as Error).message.split('\n')[0]!.replace(/\.$/, '')}.`,
    );
  }
}

/**
 * Rejects functions, which JSON would silently omit.
 * @throws RequestError `INVALID` with the path of the first function
 */
export function refuseFunctions(value: unknown, path: string, levels = JSON_DEPTH): void {
  if (typeof value === 'function')
    throw invalid(path, 'A function can’t be stored with an action. Write the condition as an expression in a string.');
  // The platform refuses what is nested deeper.
  if (typeof value !== 'object' || value === null || levels === 0) return;
  for (const [key, each] of Object.entries(value)) refuseFunctions(each, `${path}/${escapeToken(key)}`, levels - 1);
}
