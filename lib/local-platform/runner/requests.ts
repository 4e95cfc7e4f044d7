/** Forwards a run’s requests to the platform, which sends them, within the run’s limits. */
import { AddressRefused } from './addresses.ts';
import type { RunFetch, RunRequestMessage } from './fetch.ts';

const MAX_REQUESTS = 1_000;
const MAX_CONCURRENT_REQUESTS = 32;
/** Maximum size of all responses that a run hasn’t received yet, in bytes. They are in the platform’s memory. */
const PENDING_LIMIT = 24 * 1024 * 1024;

export class RunRequests {
  readonly #fetch: RunFetch;
  readonly #respond: (id: number, content: object) => Promise<void>;
  readonly #abort = new AbortController();
  #count = 0;
  #concurrent = 0;
  /** Bytes of responses that the run hasn’t received yet. */
  #pending = 0;

  constructor(fetch: RunFetch, respond: (id: number, content: object) => Promise<void>) {
    this.#fetch = fetch;
    this.#respond = respond;
  }

  abort(): void {
    this.#abort.abort();
  }

  async forward(request: RunRequestMessage): Promise<void> {
    if (this.#abort.signal.aborted) return;
    const refusal = this.#refusal();
    if (refusal !== null) return this.#respond(request.id, { error: refusal });
    this.#concurrent += 1;
    let size = 0;
    const take = (bytes: number): void => {
      size += bytes;
      this.#pending += bytes;
      if (this.#pending <= PENDING_LIMIT) return;
      const limit = `${PENDING_LIMIT / 1024 / 1024} MB`;
      throw new Error(`A run’s pending responses are limited to ${limit}. Await some of them first.`);
    };
    try {
      await this.#respond(request.id, await this.#fetch(request, this.#abort.signal, take));
    } catch (error) {
      await this.#respond(request.id, { error: textOf(error) });
    } finally {
      this.#concurrent -= 1;
      this.#pending -= size;
    }
  }

  #refusal(): string | null {
    this.#count += 1;
    if (this.#count > MAX_REQUESTS) return `A run is limited to ${MAX_REQUESTS} requests.`;
    if (this.#concurrent < MAX_CONCURRENT_REQUESTS) return null;
    return `A run is limited to ${MAX_CONCURRENT_REQUESTS} concurrent requests. Await some of them first.`;
  }
}

/** A failed request’s message, with the hint if there is one. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.';
  return error instanceof AddressRefused ? `${error.message} ${error.hint}` : error.message;
}
