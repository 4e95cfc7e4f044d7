/** Errors that prevent the local platform from starting or make it stop, shown to the user who started it. */

/** Printed on one line without a stack: what happened, and one next step. */
export class StartProblem extends Error {
  override name = 'StartProblem';
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
