/** Owns telling from an address how `baseUrl` and a path were joined wrongly. */

export const BASE_URL_EXAMPLE = 'https://…/api';

export interface JoinFault {
  cause: string;
  fix: string;
  /** What `api()` should be given; null where `baseUrl` is to be changed. */
  path: string | null;
}

/** Null when nothing about the address is strange. @param isAnswered whether the service said that there is nothing at the address */
export function joinFault(baseUrl: string, address: string, isAnswered = true): JoinFault | null {
  if (!URL.canParse(baseUrl) || !URL.canParse(address)) return null;
  const base = new URL(baseUrl);
  const url = new URL(address);
  if (base.origin !== url.origin) return null;
  if (base.search || base.hash)
    return {
      cause: 'baseUrl has a query or a fragment, and the path is put behind it.',
      fix: 'Leave both out of baseUrl; give the query as data.',
      path: null,
    };
  const start = base.pathname.replace(/\/+$/, '');
  if (start && url.pathname.startsWith(start) && !/^(\/|$)/.test(url.pathname.slice(start.length)))
    return {
      cause: 'There is no slash between baseUrl and the path.',
      fix: 'End baseUrl with a slash, or begin the path with one.',
      path: null,
    };
  const repeated = repetition(segments(start), segments(url.pathname.slice(start.length)));
  if (url.pathname.startsWith(`${start}/`) && repeated !== null)
    return {
      cause: `/${repeated.join('/')} is in baseUrl and in the path, so it came twice.`,
      fix: 'Leave it out of the path, which is relative to baseUrl.',
      path: segments(url.pathname.slice(start.length)).slice(repeated.length).join('/'),
    };
  if (/\/\//.test(url.pathname))
    return {
      cause: 'The address has two slashes in a row.',
      fix: 'Leave one out: at the end of baseUrl, or at the beginning of the path.',
      path: null,
    };
  if (isAnswered && start && !url.pathname.startsWith(`${start}/`))
    return {
      cause: `The call left out ${start} of baseUrl: it was given as a full address, or joined as browsers join a path that begins with a slash.`,
      fix: 'Give api() a path relative to baseUrl, without a slash before it.',
      path: segments(url.pathname).join('/'),
    };
  return null;
}

/** The last segments of `base` that `rest` begins with; the longest such run, null when there is none. */
function repetition(base: string[], rest: string[]): string[] | null {
  for (let count = Math.min(base.length, rest.length); count > 0; count--) {
    const end = base.slice(-count);
    if (end.every((segment, index) => segment === rest[index])) return end;
  }
  return null;
}

const segments = (path: string): string[] => path.split('/').filter(Boolean);
