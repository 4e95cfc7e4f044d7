/** Writes an API call as a cURL command for POSIX shells. The token stays in the page, so it’s a shell variable. */
import { withoutEnd } from '../../../shared/text-end.ts';
import type { PageService } from './types.ts';

export interface CurlCall {
  method: string;
  path: string;
  /** JSON text, or null. */
  data: string | null;
}

/** Null if the URL is unknown: the path is relative, and `baseUrl` is missing or not a full URL. */
export function curlOf({ options }: Pick<PageService, 'options'>, { method, path, data }: CurlCall): string | null {
  const baseUrl = options?.find(({ name }) => name === 'baseUrl')?.value;
  const verb = method.toUpperCase();
  const hasBody = data !== null && verb !== 'GET' && verb !== 'HEAD';
  const joined = isFullUrl(path)
    ? path
    : typeof baseUrl === 'string'
      ? `${withoutEnd(baseUrl, '/')}/${path.replace(/^[\n/]+/, '')}`
      : '';
  if (!isFullUrl(joined) || !URL.canParse(joined)) return null;
  const url = new URL(joined);
  if (data !== null && !hasBody) addQuery(url.searchParams, JSON.parse(data));
  return [
    // Without it, cURL reads brackets and braces in a URL as patterns.
    `curl --globoff${verb === 'HEAD' ? ' --head' : verb === 'GET' ? '' : ` --request ${verb}`} ${quote(url.href)}`,
    '--header "Authorization: Bearer $ACCESS_TOKEN"',
    ...(hasBody ? [`--header 'Content-Type: application/json'`, `--data-raw ${quote(data)}`] : []),
  ].join(' \\\n  ');
}

const isFullUrl = (text: string): boolean => /^https?:\/\//i.test(text);
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** As the library does: arrays repeat the name, and null is omitted. */
function addQuery(query: URLSearchParams, data: unknown): void {
  for (const [name, value] of Object.entries(data ?? {}))
    for (const item of [value].flat() as unknown[])
      if (item !== null) query.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item));
}
