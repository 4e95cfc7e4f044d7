/** Owns the numbered, bounded log of what happened in the document; events are kept as the text that travels. */
import type { AgentEventBody } from '../contract.ts';
import { slice, stringify } from './pristine.ts';
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
  /** A ring: event `n` stands at `n % MOST_EVENTS`. */
  const texts: string[] = [];
  let oldest = 1;
  let last = 0;
  let chars = 0;
  return {
    add(runId, at, body) {
      last++;
      if (last - oldest >= MOST_EVENTS) chars -= texts[oldest++ % MOST_EVENTS]!.length;
      const text = `{"n":${last},"runId":${stringify(runId)},"at":${at},${slice(write(body), 1)}`;
      texts[last % MOST_EVENTS] = text;
      chars += text.length;
      while (chars > MOST_CHARS && oldest < last) {
        chars -= texts[oldest % MOST_EVENTS]!.length;
        texts[oldest++ % MOST_EVENTS] = '';
      }
    },
    read(after, most) {
      const first = after < oldest ? oldest : after + 1;
      let events = '';
      for (let n = first; n <= last && (events === '' || events.length < most); n++) events += `${events === '' ? '' : ','}${texts[n % MOST_EVENTS]!}`;
      return { events: `[${events}]`, dropped: after < oldest - 1 ? oldest - 1 - after : 0 };
    },
    last: () => last,
  };
}
