/** Writes the `payload` query parameter into the page's URL, the only input that every runtime reads. */
import { encodeUri, historyState, indexOf, replaceState, slice, split } from '../../agent/pristine.ts';
import { attempt, join } from '../../agent/safe.ts';

/** The URL with this payload. Null removes the parameter. The rest of the URL is preserved verbatim. */
export function withPayload(href: string, payload: string | null): string {
  const hashAt = indexOf(href, '#');
  const hash = hashAt < 0 ? '' : slice(href, hashAt);
  const url = hashAt < 0 ? href : slice(href, 0, hashAt);
  const queryAt = indexOf(url, '?');
  const path = queryAt < 0 ? url : slice(url, 0, queryAt);
  const given = queryAt < 0 || queryAt === url.length - 1 ? [] : split(slice(url, queryAt + 1), '&');
  const parameters: string[] = [];
  for (let i = 0; i < given.length; i++)
    if (given[i] !== 'payload' && indexOf(given[i]!, 'payload=') !== 0) parameters[parameters.length] = given[i]!;
  if (payload !== null) parameters[parameters.length] = parameterOf(payload);
  return path + (parameters.length ? `?${join(parameters, '&')}` : '') + hash;
}

/** Escapes the payload the way browsers escape it in URLs. */
function parameterOf(payload: string): string {
  return `payload=${join(split(encodeUri(payload), "'"), '%27')}`;
}

/**
 * Writes the payload into the URL without a navigation.
 * @returns a function that restores the URL, unless the page has changed it in the meantime. The payload must not stay
 * in the URL, or a later reload would silently reuse it. Returns null if the URL didn't change, since browsers ignore
 * pages that change it too often.
 */
export function setPayload(payload: string): (() => void) | null {
  const before = location.href;
  // A page that was loaded with the payload needs no change. A sandboxed page can't make one.
  if (withPayload(before, payload) === before) return () => {};
  attempt(() => replaceState?.(historyState(), '', withPayload(before, payload)));
  const during = location.href;
  // Without the parameter, the payload is an empty object (decisions, "REST").
  if (payload === '{}' && during === before && withPayload(before, null) === before) return () => {};
  if (indexOf(during, parameterOf(payload)) < 0) return null;
  return () => {
    // Browsers limit how often a page can replace its URL. At the limit, the payload stays in the URL.
    if (location.href === during) attempt(() => replaceState?.(historyState(), '', before));
  };
}
