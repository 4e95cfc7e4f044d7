/** Owns what every operation of the REST client takes. */

/** Where to ask, and as whom. The token is sent to this address alone. */
export interface Connection {
  /** Without a slash at its end, and without `/v1`. */
  baseUrl: string;
  token: string;
}

export interface CallOptions {
  /** Aborting ends the call with `ABORTED`. */
  signal?: AbortSignal | undefined;
  /** For the whole call with its retries and its body, in milliseconds; 20 s unless told otherwise. */
  timeoutMs?: number | undefined;
}
