/** What the error reference says about a code. */
export interface ErrorText {
  /** What happened, in one sentence. */
  meaning: string;
  /** One suggested next step. The local platform sends it as `hint` when a refusal has no hint. */
  fix: string;
}
