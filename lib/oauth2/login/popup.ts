/** Opens a login’s popup, and waits for the callback from the redirect page. */
import type { OAuth2ErrorCode } from '../types.ts';
import { type Callback, isCallback, rankCallback } from './callback.ts';

/** Milliseconds. A redirect page might remove the callback from its URL soon after it has loaded. */
const POPUP_POLL_INTERVAL = 20;
/** How long a message, or a better callback, can arrive after the popup has closed or shown one. Milliseconds. */
const SETTLING_TIME = 200;

/** The type of message that redirect pages use to post the callback. */
const CALLBACK_MESSAGE = 'platform-oauth2:callback';

type Outcome = Callback | OAuth2ErrorCode;

/**
 * Opens an empty popup. Browsers allow popups only during a click, when the service’s URL isn’t known yet. The best
 * callback that its redirect page shows or posts counts, whatever the page does afterwards; of equal ones, the first.
 * @param timeout milliseconds
 * @param onEnd called once, after the popup has been closed. CALLBACK_INVALID means that the redirect page was seen
 * without a callback
 * @param state the one that the login sends
 * @returns null if the browser blocked the popup
 */
export function openPopup(
  window: Window,
  redirectUrl: string,
  timeout: number,
  onEnd: (outcome: Outcome) => void,
  state: string,
): Window | null {
  const popup = window.open('about:blank', '_blank', 'popup,width=520,height=680');
  if (!popup || popup.closed) return null;
  const page = new URL(redirectUrl);
  let best: Callback | null = null;
  let bestRank = 0;
  let settling: ReturnType<typeof setTimeout> | undefined;

  function end(outcome: Outcome): void {
    clearInterval(poll);
    clearTimeout(timer);
    clearTimeout(settling);
    window.removeEventListener('message', onMessage);
    try {
      // Users can reopen a closed window at its URL, so remove the code from the URL (RFC 9700 section 4.3.2).
      popup!.history.replaceState(null, '', page.pathname);
    } catch {
      // A redirect page on another origin does that itself.
    }
    popup!.close();
    onEnd(outcome);
  }

  function keepBest(callback: Callback): void {
    const rank = rankCallback(callback, state);
    if (rank > bestRank) [best, bestRank] = [callback, rank];
  }

  const bestOr = (other: Outcome) => (bestRank > 1 ? best! : other);

  // Any page can post messages, so accept only those from this popup that come from the redirect page’s origin.
  function onMessage(event: MessageEvent<(Partial<Callback> & { type?: unknown }) | null>): void {
    const { source, data } = event;
    if (source !== popup || event.origin !== page.origin || data?.type !== CALLBACK_MESSAGE) return;
    const posted = { query: data.query ?? '', fragment: data.fragment ?? '' };
    keepBest(posted);
    end(bestOr(posted));
  }

  const poll = setInterval(() => {
    const shown = readPopup(popup, page);
    if (shown) keepBest(shown);
    if (bestRank > 1 || popup.closed)
      settling ??= setTimeout(() => end(bestOr(bestRank ? 'CALLBACK_INVALID' : 'POPUP_CLOSED')), SETTLING_TIME);
  }, POPUP_POLL_INTERVAL);
  const timer = setTimeout(() => end(bestOr('LOGIN_TIMEOUT')), timeout);
  window.addEventListener('message', onMessage);
  return popup;
}

/** What a redirect page on our own origin has in its URL. Null while the popup shows another page. */
function readPopup({ location }: Window, page: URL): Callback | null {
  try {
    return pageOf(location) === pageOf(page) ? { query: location.search, fragment: location.hash } : null;
  } catch {
    // Reading these properties throws while a page on another origin is shown.
    return null;
  }
}

/** Servers redirect between `/callback`, `/callback/`, `/callback.html`, and `/callback/index.html`. */
const pageOf = ({ origin, pathname }: URL | Location) => origin + pathname.replace(/(\/index)?(\.html?)?\/?$/, '');

/** Called in a redirect page: posts the callback to the window that opened the page, if both have the same origin. */
export function postCallback({ location, opener }: Window): void {
  const callback = { query: location.search, fragment: location.hash };
  if (isCallback(callback))
    (opener as Window | null)?.postMessage({ type: CALLBACK_MESSAGE, ...callback }, location.origin);
}
