/** Opens a login’s popup, and waits for the callback from the redirect page. */
import type { OAuth2ErrorCode } from '../types.ts';

/** Milliseconds. */
const POPUP_POLL_INTERVAL = 200;

/** The type of message that redirect pages use to post the callback. */
const CALLBACK_MESSAGE = 'platform-oauth2:callback';

/** Query and fragment of the redirect page’s URL. */
export interface Callback {
  query: string;
  fragment: string;
}

type Outcome = Callback | OAuth2ErrorCode;

/**
 * Opens an empty popup. Browsers allow popups only during a click, when the service’s URL isn’t known yet.
 * @param timeout milliseconds
 * @param onEnd called once, after the popup has been closed
 * @returns null if the browser blocked the popup
 */
export function openPopup(
  window: Window,
  redirectUrl: string,
  timeout: number,
  onEnd: (outcome: Outcome) => void,
): Window | null {
  const popup = window.open('about:blank', '_blank', 'popup,width=520,height=680');
  if (!popup || popup.closed) return null;
  const { origin, pathname } = new URL(redirectUrl);

  function end(outcome: Outcome): void {
    clearInterval(poll);
    clearTimeout(timer);
    window.removeEventListener('message', onMessage);
    try {
      // Users can reopen a closed window at its URL, so remove the code from the URL (RFC 9700 section 4.3.2).
      popup!.history.replaceState(null, '', pathname);
    } catch {
      // A redirect page on another origin does that itself.
    }
    popup!.close();
    onEnd(outcome);
  }

  // Any page can post messages, so accept only those from this popup that come from the redirect page’s origin.
  function onMessage(event: MessageEvent<(Partial<Callback> & { type?: unknown }) | null>): void {
    const { source, data } = event;
    if (source === popup && event.origin === origin && data?.type === CALLBACK_MESSAGE) end(data as Callback);
  }

  let last: Callback | 'POPUP_CLOSED' | null = null;
  const poll = setInterval(() => {
    const previous = last;
    last = popup.closed ? 'POPUP_CLOSED' : readPopup(popup, origin + pathname);
    // Wait for a second poll: if the page closed itself, its message might not have arrived yet.
    if (previous && last) end(last);
  }, POPUP_POLL_INTERVAL);
  const timer = setTimeout(end, timeout, 'LOGIN_TIMEOUT');
  window.addEventListener('message', onMessage);
  return popup;
}

/** The callback in the URL of a redirect page on our own origin. Null while the popup shows another page. */
function readPopup(popup: Window, redirectUrl: string): Callback | null {
  try {
    const { location, document } = popup;
    return location.origin + location.pathname === redirectUrl && document.readyState === 'complete'
      ? { query: location.search, fragment: location.hash }
      : null;
  } catch {
    // Reading these properties throws while a page on another origin is shown.
    return null;
  }
}

/** Called in a redirect page: posts the callback to the window that opened the page, if both have the same origin. */
export function postCallback({ location, opener }: Window): void {
  const { search, hash, origin } = location;
  if (/[?#&](code|access_token|error\w*)=/.test(search + hash))
    (opener as Window | null)?.postMessage({ type: CALLBACK_MESSAGE, query: search, fragment: hash }, origin);
}
