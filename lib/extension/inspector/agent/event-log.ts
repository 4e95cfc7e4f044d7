/** A numbered, bounded event log in the document. Stores events as the JSON text that the panel reads. */

export interface EventLog {
  /** @param text returns the event as JSON for the given sequence number */
  add(text: (seq: number) => string): void;
  /**
   * `events`: JSON text of the array of events after a sequence number. About `maxChars` long, but with at least one
   * event.
   * `dropped`: the number of requested events that the log no longer has.
   */
  read(after: number, maxChars: number): { events: string; dropped: number };
  lastSeq(): number;
}

export function createEventLog(maxEvents: number, maxChars: number): EventLog {
  /** A ring buffer: event `n` is at index `n % maxEvents`. */
  const texts: string[] = [];
  let oldest = 1;
  let lastSeq = 0;
  let chars = 0;

  function dropOldest(): void {
    chars -= texts[oldest % maxEvents]!.length;
    texts[oldest++ % maxEvents] = '';
  }

  return {
    add(text) {
      const event = text(++lastSeq);
      if (lastSeq - oldest >= maxEvents) dropOldest();
      texts[lastSeq % maxEvents] = event;
      chars += event.length;
      while (chars > maxChars && oldest < lastSeq) dropOldest();
    },
    read(after, most) {
      let events = '';
      for (let n = after < oldest ? oldest : after + 1; n <= lastSeq && (events === '' || events.length < most); n++)
        events += `${events === '' ? '' : ','}${texts[n % maxEvents]!}`;
      return { events: `[${events}]`, dropped: after < oldest - 1 ? oldest - 1 - after : 0 };
    },
    lastSeq: () => lastSeq,
  };
}
