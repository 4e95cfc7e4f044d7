/** Opens the popup of a login and waits for the callback of the redirect page in it. */
import type { OAuth2ErrorCode } from '../types.ts';

/** Milliseconds. */
const POPUP_POLL_INTERVAL = 200;

/** The type of the message in which a redirect page posts its callback. */
const CALLBACK_MESSAGE = 'platform-oauth2:callback';

/** Query and fragment of the redirect page’s URL. */
export interface Callback {
  query: string;
  fragment: string;
}

type Outcome = Callback | OAuth2ErrorCode;

/**
 * Opens an empty popup: browsers allow one only in the click itself, before the URL of the service is known.
 * @param timeout milliseconds
 * @param onEnd called once, after the popup was closed
 * @returns null when the browser blocked the popup
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
      // Users can reopen a closed window with its URL, so remove the code from it (RFC 9700 section 4.3.2).
      popup!.history.replaceState(null, '', pathname);
    } catch {
      // A redirect page of another origin does so itself.
    }
    popup!.close();
    onEnd(outcome);
  }

  // Any page may post messages, so accept those of this popup and of the redirect page’s origin only.
  function onMessage(event: MessageEvent<(Partial<Callback> & { type?: unknown }) | null>): void {
    const { source, data } = event;
    if (source === popup && event.origin === origin && data?.type === CALLBACK_MESSAGE) end(data as Callback);
  }

  let last: Callback | 'POPUP_CLOSED' | null = null;
  const poll = setInterval(() => {
    const previous = last;
    last = popup.closed ? 'POPUP_CLOSED' : readPopup(popup, origin + pathname);
    // Wait for a second poll: the message of a page that closed itself may not have arrived yet.
    if (previous && last) end(last);
  }, POPUP_POLL_INTERVAL);
  const timer = setTimeout(end, timeout, 'LOGIN_TIMEOUT');
  window.addEventListener('message', onMessage);
  return popup;
}

/** The callback in the URL of a redirect page of our own origin. Null while the popup shows another page. */
function readPopup(popup: Window, redirectUrl: string): Callback | null {
  try {
    const { location, document } = popup;
    return location.origin + location.pathname === redirectUrl && document.readyState === 'complete'
      ? { query: location.search, fragment: location.hash }
      : null;
  } catch {
    // On a page of another origin, reading the properties throws.
    return null;
  }
}

/** In a redirect page: posts the callback to the window that opened it, if that has the same origin. */
export function postCallback({ location, opener }: Window): void {
  const { search, hash, origin } = location;
  if (/[?#&](code|access_token|error)=/.test(search + hash))
    (opener as Window | null)?.postMessage({ type: CALLBACK_MESSAGE, query: search, fragment: hash }, origin);
}
