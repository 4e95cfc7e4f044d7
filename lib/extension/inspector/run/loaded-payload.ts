/**
 * Decides whether a page has to be loaded with a payload before it can run with it. A runtime may read `payload` while
 * its page loads (decisions, "A platform that offers only what the specification shows").
 */
import type { Engine, PageState } from '../contract.ts';

/** A runtime with an observer reads the URL at the run, unless its page is sandboxed, so that nothing can change the URL. */
export function mustLoadWith(
  { tracing, isSandboxed, loadedUrl, url }: PageState,
  engine: Engine,
  payload: string,
): boolean {
  if (engine === 'ours' || (tracing === 'observed' && !isSandboxed)) return false;
  return compact(payload) !== compact(payloadIn(loadedUrl ?? url));
}

/** The query parameter, or an empty object. */
function payloadIn(url: string): string {
  const given = URL.canParse(url) ? new URL(url).searchParams.get('payload') : null;
  return given || '{}';
}

/** As the agent writes it into the URL. */
export function compact(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload));
  } catch {
    return payload;
  }
}
