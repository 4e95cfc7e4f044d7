/** Owns the popup of a login: opening it, and hearing what the redirect page in it was told. */
import { INTERVAL } from './limits.ts';
import type { OAuth2ErrorCode } from './types.ts';

/** The type of the message by which a redirect page hands over. */
const CALLBACK = 'platform-oauth2:callback';

/** What stood in the redirect page's address. */
export interface Callback {
  query: string;
  fragment: string;
}

/**
 * Opens a popup, empty, since a browser allows it in the click itself alone; it goes to the service when the address is known. Null when it is blocked.
 * @param limit milliseconds
 * @param ended called once, with what the redirect page was told or why that will not come; the popup is closed by then
 */
export function openPopup(
  window: Window,
  redirectUrl: string,
  limit: number,
  ended: (outcome: Callback | OAuth2ErrorCode) => void,
): Window | null {
  const popup = window.open('about:blank', '_blank', 'popup,width=520,height=680');
  if (!popup || popup.closed) return null;
  const { origin, pathname } = new URL(redirectUrl);

  function end(outcome: Callback | OAuth2ErrorCode): void {
    clearInterval(timer);
    clearTimeout(clock);
    window.removeEventListener('message', hear);
    try {
      // A closed window can be opened again, with its address (RFC 9700 section 4.3.2).
      popup!.history.replaceState(null, '', pathname);
    } catch {
      // A page of another origin does it itself.
    }
    popup!.close();
    ended(outcome);
  }
  /** From this window, and from the redirect page's origin, alone: anybody may post to a page. */
  function hear({ source, origin: from, data }: MessageEvent<(Partial<Callback> & { type?: unknown }) | null>): void {
    if (source === popup && from === origin && data?.type === CALLBACK) end(data as Callback);
  }
  let seen: Callback | 'POPUP_CLOSED' | null = null;
  const timer = setInterval(() => {
    const before = seen;
    seen = popup.closed ? 'POPUP_CLOSED' : lookInto(popup, origin + pathname);
    // Twice, since the message of a page that closed or cleaned itself may still be under way.
    if (before && seen) end(seen);
  }, INTERVAL);
  const clock = setTimeout(end, limit, 'LOGIN_TIMEOUT');
  window.addEventListener('message', hear);
  return popup;
}

/** What a redirect page of our own origin was told, which need not even have the library; null while the popup is elsewhere. */
function lookInto(popup: Window, redirect: string): Callback | null {
  try {
    // In here, since on a page of another origin the reading alone throws.
    const { location, document } = popup;
    return location.origin + location.pathname === redirect && document.readyState === 'complete'
      ? { query: location.search, fragment: location.hash }
      : null;
  } catch {
    return null;
  }
}

/** In a redirect page of the app's own origin: hands what stands in its address to the window that opened it, if that is of the same origin. */
export function handOver({ location, opener }: Window): void {
  const { search, hash, origin } = location;
  if (/[?#&](code|access_token|error)=/.test(search + hash))
    (opener as Window | null)?.postMessage({ type: CALLBACK, query: search, fragment: hash }, origin);
}
