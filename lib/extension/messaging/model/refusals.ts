/** Messages that the background worker refused for one reason. */
export interface Refusal {
  /** Such as `SENDER_REFUSED`. */
  code: string;
  /** Contains nothing from the message. */
  reason: string;
  count: number;
  /** When the last message was refused, in epoch milliseconds. */
  last: number;
}

/** Newest first; `since` in epoch milliseconds. */
export interface RefusedMessages {
  since: number;
  refusals: Refusal[];
}
