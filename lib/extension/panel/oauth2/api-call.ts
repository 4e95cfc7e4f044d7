/** Owns what a service's API can be asked with from the panel: the methods, and what is wrong with the data. */
import type { OAuth2Page } from './types.ts';

/** Of the specification, "Options of `api(options)`". */
const SPECIFIED = ['get', 'post', 'put', 'delete'];

/** Our library keeps to the specification; another that has its calls may take more. */
export const methodsOf = (page: Pick<OAuth2Page, 'tracing'> | null): readonly string[] =>
  isOurs(page) ? SPECIFIED : [...SPECIFIED, 'patch', 'head'];

/** Why a call with this data can't be made; null when it can. `text` is JSON, or blank for none. */
export function dataProblem(page: Pick<OAuth2Page, 'tracing'> | null, method: string, text: string): string | null {
  if (text.trim() === '') return null;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (thrown) {
    return `Not JSON: ${(thrown as Error).message}`;
  }
  if (!isOurs(page) || data === null) return null;
  if (method === 'delete') return 'Data goes with GET, POST and PUT alone: clear it.';
  return typeof data === 'object' ? null : 'Data is an object or a list, such as {"name": "value"}.';
}

const isOurs = (page: Pick<OAuth2Page, 'tracing'> | null): boolean => page?.tracing === 'observed';
