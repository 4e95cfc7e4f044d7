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
  /** Deletes the events that have been read: those up to the highest `after` so far. They don't count as dropped. */
  forgetRead(): void;
}

export function createEventLog(maxEvents: number, maxChars: number): EventLog {
  /** A ring buffer: event `n` is at index `n % maxEvents`. */
  const texts: string[] = [];
  let oldest = 1;
  let lastSeq = 0;
  let chars = 0;
  let readUpTo = 0;
  let forgottenUpTo = 0;

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
      if (after > readUpTo && after <= lastSeq) readUpTo = after;
      let events = '';
      for (let n = after < oldest ? oldest : after + 1; n <= lastSeq && (events === '' || events.length < most); n++)
        events += `${events === '' ? '' : ','}${texts[n % maxEvents]!}`;
      const known = after < forgottenUpTo ? forgottenUpTo : after;
      return { events: `[${events}]`, dropped: known < oldest - 1 ? oldest - 1 - known : 0 };
    },
    lastSeq: () => lastSeq,
    forgetRead() {
      while (oldest <= readUpTo) dropOldest();
      if (readUpTo > forgottenUpTo) forgottenUpTo = readUpTo;
    },
  };
}
