/** The error reference’s text for one code. */
export interface ErrorText {
  /** What happened, in one sentence. */
  meaning: string;
  /** One suggested next step. The local platform sends it as `hint` if an error has no hint of its own. */
  fix: string;
}
