/** Owns the failures that end or prevent the local platform: one sentence each, for the person who started it. */

/** Shown as it is, without a stack: the message says what happened, to what, and what to do. */
export class StartProblem extends Error {
  override name = 'StartProblem';
}
