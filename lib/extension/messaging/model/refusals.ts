/** Messages that the background worker refused. */

/** Messages refused for one reason. */
export interface Refusal {
  /** Such as `SENDER_REFUSED`. */
  code: string;
  /** In words of ours alone: nothing of the message stands in it. */
  reason: string;
  count: number;
  /** Of the last one, in epoch milliseconds. */
  last: number;
}

/** Newest first; `since` in epoch milliseconds. */
export interface RefusedMessages {
  since: number;
  refusals: Refusal[];
}
