/** The parameters that all REST client operations share. */

/** The platform’s base URL and the token, which is sent only to that URL. */
export interface Connection {
  /** Without a trailing slash and without `/v1`. */
  baseUrl: string;
  token: string;
}

export interface CallOptions {
  /** Aborting rejects the call with `ABORTED`. */
  signal?: AbortSignal | undefined;
  /** For the whole call, including retries and reading the body, in milliseconds. Default: 20 s. */
  timeoutMs?: number | undefined;
}
