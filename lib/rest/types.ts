/** The parameters that every operation of the REST client takes. */

/** The platform’s base URL, and the token, which is sent only there. */
export interface Connection {
  /** Without a trailing slash and without `/v1`. */
  baseUrl: string;
  token: string;
}

export interface CallOptions {
  /** Aborting ends the call with `ABORTED`. */
  signal?: AbortSignal | undefined;
  /** For the whole call with its retries and body, in milliseconds. Default 20 s. */
  timeoutMs?: number | undefined;
}
