/** Owns the numbered, bounded log of what happens to logins in the document; events are kept as the text that travels. */
import { slice, stringify, wallClock } from '../../agent/pristine.ts';
import { write } from '../../agent/json.ts';
import type { FlowDetail, SeenDetail } from '../contract.ts';

const MOST_EVENTS = 5_000;
const MOST_CHARS = 4 * 1024 * 1024;

export interface FlowLog {
  /** @param service as it is told @param at epoch milliseconds; now when left out */
  add(service: string, detail: FlowDetail | SeenDetail, at?: number): void;
  read(after: number, chars: number): { events: string; dropped: number };
  last(): number;
}

export function createFlowLog(): FlowLog {
  /** A ring: event `n` stands at `n % MOST_EVENTS`. */
  const texts: string[] = [];
  let oldest = 1;
  let last = 0;
  let chars = 0;
  function forget(): void {
    chars -= texts[oldest % MOST_EVENTS]!.length;
    texts[oldest++ % MOST_EVENTS] = '';
  }
  return {
    add(service, detail, at = wallClock()) {
      const text = `{"n":${++last},"at":${at},"service":${stringify(service)},${slice(write(detail), 1)}`;
      if (last - oldest >= MOST_EVENTS) forget();
      texts[last % MOST_EVENTS] = text;
      chars += text.length;
      while (chars > MOST_CHARS && oldest < last) forget();
    },
    read(after, most) {
      let events = '';
      for (let n = after < oldest ? oldest : after + 1; n <= last && (events === '' || events.length < most); n++) events += `${events === '' ? '' : ','}${texts[n % MOST_EVENTS]!}`;
      return { events: `[${events}]`, dropped: after < oldest - 1 ? oldest - 1 - after : 0 };
    },
    last: () => last,
  };
}
