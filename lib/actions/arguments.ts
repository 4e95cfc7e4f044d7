/** Owns checking arguments that HTTP cannot carry, with the codes and sentences of the platform's own refusals. */
import { invalidMessage, referenceProblem } from '../platform-api/names.ts';
import { readEnv } from './environment.ts';
import { RequestError } from './request.ts';

/** What the platform answers to an invalid request. */
export const invalid = (path: string, message: string): RequestError =>
  new RequestError('INVALID', 422, invalidMessage(message), { details: [{ path, message }] });

/** The page's app. @throws RequestError `NO_APP` */
export function appPath(): string {
  const appId = readEnv()?.appId;
  if (typeof appId === 'number') return `apps/${appId}`;
  throw new RequestError(
    'NO_APP',
    null,
    'This page belongs to no app: it has no ENV.appId. Open it from the platform.',
  );
}

/** The address of one action; a number is an id, a text a name. @throws RequestError `INVALID` */
export function actionPath(idOrName: unknown, rest = ''): string {
  const problem = referenceProblem(idOrName);
  if (problem !== null) throw invalid('', problem);
  return `${appPath()}/actions/${String(idOrName)}${rest}?by=${typeof idOrName === 'number' ? 'id' : 'name'}`;
}

/** A value as JSON holds it. @throws RequestError `INVALID` when it cannot be written, such as one that holds itself */
export function plain(value: unknown): unknown {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? null : (JSON.parse(text) as unknown);
  } catch (error) {
    throw invalid(
      '',
      `The value cannot be sent as JSON: ${(error as Error).message.split('\n')[0]!.replace(/\.$/, '')}.`,
    );
  }
}

/** A pipeline's functions would silently be left out of its JSON. @throws RequestError `INVALID` with the place of the first */
export function refuseCode(value: unknown, path: string): void {
  if (typeof value === 'function')
    throw invalid(path, 'A function cannot be stored with an action; write the condition as an expression in a text.');
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value))
    refuseCode(each, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}
