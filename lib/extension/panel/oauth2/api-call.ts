/** Validates API calls so that the panel can explain a problem before the page's library rejects the call. */
import type { OAuth2Page } from './types.ts';

/** From the specification, section "Options of `api(options)`". */
const SPECIFIED = ['get', 'post', 'put', 'delete'];

type Library = Pick<OAuth2Page, 'tracing'> | null;

/** Platform.OAuth2 accepts the specified methods. Other libraries might accept more. */
export function methodsOf(page: Library): readonly string[] {
  return isPlatformLibrary(page) ? SPECIFIED : [...SPECIFIED, 'patch', 'head'];
}

/** What's wrong with a call's data, or null. `text` is JSON, or blank for no data. */
export function dataProblem(page: Library, method: string, text: string): string | null {
  if (text.trim() === '') return null;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return `Data must be JSON: ${(error as Error).message}`;
  }
  if (!isPlatformLibrary(page) || data === null) return null;
  if (method === 'delete') return 'A DELETE call can’t send data. Remove the data.';
  return typeof data === 'object' ? null : 'Data must be an object or an array, such as {"name": "value"}.';
}

const isPlatformLibrary = (page: Library): boolean => page?.tracing === 'observed';
