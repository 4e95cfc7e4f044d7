/** Owns the query parameter `payload` in the page's address: the one way in that every runtime has. */
import { encodeUri, historyState, indexOf, join, replaceState, slice, split } from '../../agent/pristine.ts';

/** The address with this payload; null takes the parameter away. Everything else stays as it is written. */
export function withPayload(href: string, payload: string | null): string {
  const hashAt = indexOf(href, '#');
  const hash = hashAt < 0 ? '' : slice(href, hashAt);
  const rest = hashAt < 0 ? href : slice(href, 0, hashAt);
  const queryAt = indexOf(rest, '?');
  const path = queryAt < 0 ? rest : slice(rest, 0, queryAt);
  const given = queryAt < 0 || queryAt === rest.length - 1 ? [] : split(slice(rest, queryAt + 1), '&');
  const kept: string[] = [];
  for (let i = 0; i < given.length; i++)
    if (given[i] !== 'payload' && indexOf(given[i]!, 'payload=') !== 0) kept[kept.length] = given[i]!;
  if (payload !== null) kept[kept.length] = parameter(payload);
  return path + (kept.length ? `?${join(kept, '&')}` : '') + hash;
}

/** As a browser writes it into an address. */
function parameter(payload: string): string {
  return `payload=${join(split(encodeUri(payload), "'"), '%27')}`;
}

/**
 * Writes the payload into the address, without a navigation.
 * @returns how to write back what was there before, unless the page has changed its address meanwhile. Only the run sees
 * the payload: a reload afterwards does not silently keep it.
 * null: the address stays as it was, because a browser ignores a page that writes it too often.
 */
export function setPayload(payload: string): (() => void) | null {
  const before = location.href;
  replaceState(historyState(), '', withPayload(before, payload));
  const during = location.href;
  if (indexOf(during, parameter(payload)) < 0) return null;
  return () => {
    try {
      if (location.href === during) replaceState(historyState(), '', before);
    } catch {
      // The browser limits how often an address may be replaced; the payload then stays in it.
    }
  };
}
