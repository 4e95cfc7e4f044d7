/** Counts of messages that the background worker refused, by reason. */
export interface Refusal {
  /** For example, `SENDER_REFUSED`. */
  code: string;
  /** Never contains text from the message. */
  reason: string;
  count: number;
  /** Time of the latest refusal, in epoch milliseconds. */
  last: number;
}

/** Newest first; `since` in epoch milliseconds. */
export interface RefusedMessages {
  since: number;
  refusals: Refusal[];
}
