/** Owns the numbered, bounded log of what happened in the document; events are kept as the text that travels. */
import type { AgentEventBody } from '../contract.ts';
import { mapDelete, mapGet, MapOf, mapSet } from './pristine.ts';
import { write } from './json.ts';

const MOST_EVENTS = 100_000;
const MOST_CHARS = 24 * 1024 * 1024;

export interface Log {
  add(runId: string, at: number, body: AgentEventBody): void;
  /** JSON text of the array of events after `after`, at most about `chars` long, but at least one event. */
  read(after: number, chars: number): { events: string; dropped: number };
  last(): number;
}

export function createLog(): Log {
  const texts = new MapOf<number, string>();
  let oldest = 1;
  let last = 0;
  let chars = 0;
  return {
    add(runId, at, body) {
      last++;
      const text = write({ __proto__: null, n: last, runId, at, ...body });
      mapSet(texts, last, text);
      chars += text.length;
      while (last - oldest >= MOST_EVENTS || (chars > MOST_CHARS && oldest < last)) {
        chars -= mapGet(texts, oldest)!.length;
        mapDelete(texts, oldest);
        oldest++;
      }
    },
    read(after, most) {
      const first = after < oldest ? oldest : after + 1;
      let events = '';
      for (let n = first; n <= last && (events === '' || events.length < most); n++) events += events === '' ? mapGet(texts, n)! : `,${mapGet(texts, n)!}`;
      return { events: `[${events}]`, dropped: after < oldest - 1 ? oldest - 1 - after : 0 };
    },
    last: () => last,
  };
}
