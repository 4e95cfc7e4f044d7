/** Owns a numbered, bounded log in the document: its events are kept as the text that travels. */

export interface TextLog {
  /** @param text of the event with this number */
  add(text: (n: number) => string): void;
  /** JSON text of the array of events after `after`, at most about `chars` long, but at least one event; `dropped` counts those that found no room. */
  read(after: number, chars: number): { events: string; dropped: number };
  last(): number;
  /** Forgets the events that were read: those up to the highest `after` that was asked with. They do not count as dropped. */
  forgetRead(): void;
}

export function createTextLog(mostEvents: number, mostChars: number): TextLog {
  /** A ring: event `n` stands at `n % mostEvents`. */
  const texts: string[] = [];
  let oldest = 1;
  let last = 0;
  let chars = 0;
  let taken = 0;
  let forgotten = 0;
  function forget(): void {
    chars -= texts[oldest % mostEvents]!.length;
    texts[oldest++ % mostEvents] = '';
  }
  return {
    add(write) {
      const text = write(++last);
      if (last - oldest >= mostEvents) forget();
      texts[last % mostEvents] = text;
      chars += text.length;
      while (chars > mostChars && oldest < last) forget();
    },
    read(after, most) {
      if (after > taken && after <= last) taken = after;
      let events = '';
      for (let n = after < oldest ? oldest : after + 1; n <= last && (events === '' || events.length < most); n++)
        events += `${events === '' ? '' : ','}${texts[n % mostEvents]!}`;
      const known = after < forgotten ? forgotten : after;
      return { events: `[${events}]`, dropped: known < oldest - 1 ? oldest - 1 - known : 0 };
    },
    last: () => last,
    forgetRead() {
      while (oldest <= taken) forget();
      if (taken > forgotten) forgotten = taken;
    },
  };
}
