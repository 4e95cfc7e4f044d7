/** The parameters that all REST client operations share. */
import type { Unreadable } from '../platform-api/lists/unreadable.ts';

/** The platform’s base URL and the token, which is sent only to that URL. */
export interface Connection {
  /** Without a trailing slash and without `/v1`. */
  baseUrl: string;
  token: string;
  /** How changes are sent. Default: with `fetch`. */
  changes?: ChangeChannel | undefined;
  /** Every request beyond the specification goes through it. Default: they’re all sent. */
  gate?: EndpointGate | undefined;
  /** Called with what couldn’t be read of a list, such as `list of apps`. */
  onUnreadable?: ((list: string, unreadable: readonly Unreadable[]) => void) | undefined;
}

/** Decides whether a request beyond the specification is sent, and learns from its response. */
export interface EndpointGate {
  /** Resolves and rejects like `send`. @throws CodedError `ENDPOINT_MISSING` */
  pass<T>(request: GatedRequest, send: () => Promise<T>): Promise<T>;
}

export interface GatedRequest {
  isRead: boolean;
  /** Whether a successful response is a page. Otherwise, it’s the data that only this endpoint sends. */
  isPage: boolean;
  signal: AbortSignal | undefined;
}

/** Sends one request, like `fetch`. Never follows a redirect. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Sends changes in a way that keeps the browser from sending them again: browsers repeat any request, including POST,
 * whose reused connection ends before the first byte of the response.
 */
export interface ChangeChannel {
  /**
   * Runs `work` once earlier changes have ended. `work` sends one request, and reads the response before it resolves.
   * Rejects without calling `work` if `signal` is aborted first. Such an error means that nothing was sent.
   */
  run<T>(work: (send: SendRequest) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface CallOptions {
  /** Aborting rejects the call with `ABORTED`. */
  signal?: AbortSignal | undefined;
  /**
   * For the whole call, including retries and reading the body, in milliseconds. Default: 20 s. A change’s time starts
   * when it’s sent, not while earlier changes are sent.
   */
  timeoutMs?: number | undefined;
}
