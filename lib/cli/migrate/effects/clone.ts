/** A local platform for one version of an action, with a stopped clock and without chance. Its requests to other hosts go nowhere. */
import type { RecordedRequest } from '../../../debugging/recording/format.ts';
import type { StoredEffect } from '../../../local-platform/effects.ts';
import { startPlatform, type Platform } from '../../../local-platform/index.ts';
import type { NetworkRequest, NetworkResponse } from '../../../local-platform/network.ts';
import type { ProfileName } from '../../../platform-api/actions-v3/profiles.ts';

export interface CloneOptions {
  profile: ProfileName;
  clock: Date;
  /** For each run, in milliseconds. */
  timeLimit: number;
}

/** A request that a run has sent to another host. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Something that a run has done: a message, an entry of a data source, or a request to another host. */
export type Effect = StoredEffect | { what: 'request'; value: SentRequest };

export interface Response {
  status: number;
  body: unknown;
}

/** Both platforms have the same. */
const SEED = 1;
const NO_LIMIT = 1_000_000;

export class Clone {
  /** Of all kinds, in the order in which they happened. */
  readonly effects: Effect[] = [];
  /** The source code of function packages, by name. */
  sources: ReadonlyMap<string, string> = new Map();
  #answers: RecordedRequest[] = [];
  #platform: Platform | undefined;

  async start({ profile, clock, timeLimit }: CloneOptions): Promise<void> {
    this.#platform = await startPlatform({
      port: 0,
      oauthDemoPort: null,
      v3Profile: profile,
      // With a stopped clock, its minute never ends.
      v3RunLimit: NO_LIMIT,
      clock,
      seed: SEED,
      sources: () => this.sources,
      limits: { time: timeLimit },
      network: async (request) => this.#answer(request),
      onEffect: (effect) => void this.effects.push(effect),
    });
  }

  get apps(): Platform['apps'] {
    return this.#platform?.apps ?? [];
  }

  /** Recorded requests whose responses answer the same requests again. */
  answerLike(requests: readonly RecordedRequest[]): void {
    this.#answers = [...requests];
  }

  async ask(method: string, path: string, body?: unknown): Promise<Response> {
    const { baseUrl, authToken } = this.#platform!;
    const response = await fetch(baseUrl + path, {
      method,
      headers: { 'Auth-token': authToken, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }

  async close(): Promise<void> {
    await this.#platform?.close();
  }

  /** With the recorded response, or an empty object. The last response is used again. */
  #answer({ method, url, headers, body }: NetworkRequest): NetworkResponse {
    const sent = { method, url: url.href, headers: Object.fromEntries(headers), body: body?.toString() ?? null };
    this.effects.push({ what: 'request', value: sent });
    const isSame = (each: RecordedRequest): boolean => each.method === method && each.url === url.href;
    const at = this.#answers.findIndex(isSame);
    const { status = 200, responseHeaders, responseBody } = this.#answers[at] ?? {};
    if (at >= 0 && this.#answers.filter(isSame).length > 1) this.#answers.splice(at, 1);
    return {
      status,
      statusText: '',
      headers: responseHeaders ?? [['content-type', 'application/json']],
      body: Buffer.from(responseBody?.text ?? '{}'),
    };
  }
}
