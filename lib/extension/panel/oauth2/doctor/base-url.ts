/** Finds mistakes in how `baseUrl` and a path were joined, based on the resulting URL. */
import { withoutEnd } from '../../../../shared/text-end.ts';

export const BASE_URL_EXAMPLE = 'https://…/api';

export interface JoinFault {
  cause: string;
  fix: string;
  /** The path to call `api()` with; null if `baseUrl` must change. */
  path: string | null;
}

/**
 * Returns null if the URL looks right.
 * @param isAnswered whether the service reported that the URL doesn't exist
 */
export function joinFault(baseUrl: string, callUrl: string, isAnswered = true): JoinFault | null {
  if (!URL.canParse(baseUrl) || !URL.canParse(callUrl)) return null;
  const base = new URL(baseUrl);
  const url = new URL(callUrl);
  if (base.origin !== url.origin) return null;
  if (isAppended(base, url))
    return {
      cause: 'The path was appended to the query or the fragment of baseUrl.',
      fix: 'Remove the query and the fragment from baseUrl, and send the query as data.',
      path: null,
    };
  const start = withoutEnd(base.pathname, '/');
  const isBelow = url.pathname.startsWith(`${start}/`);
  if (!isBelow && url.pathname.startsWith(start) && url.pathname !== start)
    return {
      cause: 'The slash between baseUrl and the path is missing.',
      fix: 'Add a slash to the end of baseUrl.',
      path: null,
    };
  const rest = isBelow ? segments(url.pathname.slice(start.length)) : [];
  const repeated = repeatedSegments(segments(start), rest);
  if (repeated !== null)
    return {
      cause: `/${repeated.join('/')} is in baseUrl and in the path, so it appears twice.`,
      fix: 'Remove it from the path, which is relative to baseUrl.',
      path: rest.slice(repeated.length).join('/'),
    };
  if (url.pathname.includes('//'))
    return {
      cause: 'The URL has two slashes in a row.',
      fix: 'Remove the slash at the end of baseUrl or at the start of the path.',
      path: null,
    };
  if (isAnswered && !isBelow && url.pathname !== start)
    return {
      cause: `The URL doesn’t include ${start} from baseUrl. The call used a full URL, or its path started with a slash.`,
      fix: 'Call api() with a path relative to baseUrl, without a slash at the start.',
      path: segments(url.pathname).join('/'),
    };
  return null;
}

/** Whether the path is in the query or the fragment. The values of the call’s query are hidden. */
function isAppended(base: URL, url: URL): boolean {
  const isSamePath = url.pathname === base.pathname && url.searchParams.size === base.searchParams.size;
  return base.hash !== '' || (base.search !== '' && isSamePath);
}

/** The longest suffix of `base` that `rest` starts with; null if there is none. */
function repeatedSegments(base: string[], rest: string[]): string[] | null {
  for (let count = Math.min(base.length, rest.length); count > 0; count--) {
    const end = base.slice(-count);
    if (end.every((segment, index) => segment === rest[index])) return end;
  }
  return null;
}

const segments = (path: string): string[] => path.split('/').filter(Boolean);
