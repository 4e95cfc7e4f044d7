/** Owns looking at an address from the page, on a person's word: whether its host answers, and what this page may read there. */
import { describe } from '../../agent/describe.ts';
import { createHandles } from '../../agent/handles.ts';
import {
  abortTimeout,
  indexOf,
  mapDelete,
  mapGet,
  MapOf,
  mapSet,
  nativeFetch,
  now,
  optionalGetter,
  optionalMethod,
  parseJson,
  responseText,
} from '../../agent/pristine.ts';
import { attempt, isObject } from '../../agent/safe.ts';
import type { ProbeResult, ProbeRequest } from '../contract.ts';
import type { Mask } from './mask.ts';

const LIMIT = 10_000;
const LONGEST_JSON = 200_000;
const MOST_PROBES = 20;
const DOCUMENT = { nodes: 1_000, chars: 50_000, depth: 5 };
const status = optionalGetter<number>(globalThis.Response, 'status');
const headers = optionalGetter<Headers>(globalThis.Response, 'headers');
const header = optionalMethod<(self: object, name: string) => string | null>(globalThis.Headers, 'get');

export function createProbes(mask: Mask) {
  const answers = new MapOf<number, ProbeResult | 'pending'>();
  let count = 0;

  async function ask(id: number, { url, mode }: ProbeRequest): Promise<void> {
    const started = now();
    let answer: ProbeResult = { answered: false, status: null, date: null, json: null, milliseconds: 0 };
    try {
      const response = await nativeFetch!(url, {
        mode,
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        signal: abortTimeout?.(LIMIT) ?? null,
        ...(mode === 'cors' && { headers: { accept: 'application/json' } }),
      });
      answer = { ...answer, answered: true };
      if (mode === 'cors')
        answer = {
          ...answer,
          status: status!(response),
          date: header!(headers!(response), 'date'),
          json: jsonOf(await responseText!(response)),
        };
    } catch {
      // No answer, or none that this page may see.
    }
    mapSet(answers, id, { ...answer, milliseconds: now() - started });
  }
  function jsonOf(text: string): ProbeResult['json'] {
    if (text.length > LONGEST_JSON) return null;
    const value = attempt(() => parseJson(text));
    return isObject(value) ? mask.value(describe(value, DOCUMENT, createHandles())) : null;
  }

  return {
    start(request: ProbeRequest): number {
      const id = ++count;
      mapDelete(answers, id - MOST_PROBES);
      mapSet(answers, id, 'pending');
      if (indexOf(request.url, 'https://') === 0 || indexOf(request.url, 'http://') === 0) void ask(id, request);
      else mapSet(answers, id, { answered: false, status: null, date: null, json: null, milliseconds: 0 });
      return id;
    },
    result: (id: number): ProbeResult | 'pending' | null => mapGet(answers, id) ?? null,
  };
}
