/** Errors that prevent or end the local platform, shown to the person who started it. */

/** Printed on one line, without a stack: what happened, and one step that helps. */
export class StartProblem extends Error {
  override name = 'StartProblem';
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
