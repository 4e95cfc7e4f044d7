/** Checks arguments that HTTP can’t carry, with the codes and messages of the platform. */
import { escapeToken } from '../shared/json-pointer.ts';
import { invalidMessage, referenceProblem } from '../platform-api/actions/names.ts';
import { readEnv } from './environment.ts';
import { RequestError } from './request.ts';

/** The platform’s error for an invalid request. */
export const invalid = (path: string, message: string): RequestError =>
  new RequestError('INVALID', 422, invalidMessage(message), { details: [{ path, message }] });

/** The page’s app. @throws RequestError `NO_APP` */
export function appPath(): string {
  const appId = readEnv()?.appId;
  if (typeof appId === 'number') return `apps/${appId}`;
  throw new RequestError(
    'NO_APP',
    null,
    'This page doesn’t belong to an app: it has no ENV.appId. Open it from the platform.',
  );
}

/** The path of an action, by id (a number) or name (a string). @throws RequestError `INVALID` */
export function actionPath(idOrName: unknown, rest = ''): string {
  const problem = referenceProblem(idOrName);
  if (problem !== null) throw invalid('', problem);
  return `${appPath()}/actions/${String(idOrName)}${rest}?by=${typeof idOrName === 'number' ? 'id' : 'name'}`;
}

/** Converts a value to plain JSON data. @throws RequestError `INVALID` when that fails, such as for a cycle */
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

/** JSON would silently omit functions. @throws RequestError `INVALID` with the path of the first one */
export function refuseFunctions(value: unknown, path: string): void {
  if (typeof value === 'function')
    throw invalid(
      path,
      'A function can’t be stored with an action. Write the condition as an expression, in a string.',
    );
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) refuseFunctions(each, `${path}/${escapeToken(key)}`);
}
