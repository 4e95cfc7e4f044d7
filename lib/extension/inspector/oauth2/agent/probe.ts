/** Requests a URL from the page for the user, to find out whether its host responds and what this page can read. */
import { describe } from '../../agent/describe/describe.ts';
import { createHandles } from '../../agent/handles.ts';
import {
  abortTimeout,
  headerGet,
  indexOf,
  mapDelete,
  mapGet,
  MapOf,
  mapSet,
  nativeFetch,
  now,
  parseJson,
  responseHeaders,
  responseStatus,
  responseText,
} from '../../agent/pristine.ts';
import { attempt, isObject } from '../../agent/safe.ts';
import type { ProbeRequest, ProbeResult } from '../contract.ts';
import type { Mask } from './mask.ts';

const TIMEOUT = 10_000;
const MAX_JSON = 200_000;
const MAX_PROBES = 20;
const BODY = { nodes: 1_000, chars: 50_000, depth: 5 };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const NO_RESPONSE: ProbeResult = { answered: false, status: null, date: null, json: null, milliseconds: 0 };

export class Probes {
  readonly #mask: Mask;
  readonly #results = new MapOf<number, ProbeResult | 'pending'>();
  #count = 0;

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  start(request: ProbeRequest): number {
    const id = ++this.#count;
    const isHttp = indexOf(request.url, 'https://') === 0 || indexOf(request.url, 'http://') === 0;
    mapDelete(this.#results, id - MAX_PROBES);
    mapSet(this.#results, id, isHttp ? 'pending' : NO_RESPONSE);
    if (isHttp) void this.#send(id, request);
    return id;
  }

  result(id: number): ProbeResult | 'pending' | null {
    return mapGet(this.#results, id) ?? null;
  }

  async #send(id: number, { url, mode, form }: ProbeRequest): Promise<void> {
    const startedAt = now();
    let result = NO_RESPONSE;
    try {
      const response = await nativeFetch!(url, {
        mode,
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        signal: abortTimeout?.(TIMEOUT) ?? null,
        ...(mode === 'cors' && { headers: { accept: 'application/json', ...(form !== undefined && FORM) } }),
        ...(form !== undefined && { method: 'POST', body: form }),
      });
      result = { ...result, answered: true };
      if (mode === 'cors') result = await this.#read(response);
    } catch {
      // There was no response, or this page can't read it.
    }
    mapSet(this.#results, id, { ...result, milliseconds: now() - startedAt });
  }

  async #read(response: Response): Promise<ProbeResult> {
    const status = responseStatus!(response);
    const date = headerGet!(responseHeaders!(response), 'date');
    const text = await responseText!(response);
    const json = text.length > MAX_JSON ? null : attempt(() => parseJson(text));
    const described = isObject(json) ? this.#mask.value(describe(json, BODY, createHandles())) : null;
    return { answered: true, status, date, json: described, milliseconds: 0 };
  }
}
