/** Errors that prevent the local platform from starting or make it stop, shown to the user who started it. */
import { CodedError } from '../platform-api/coded-error.ts';

/** What happened, and one next step. */
export class StartProblem extends CodedError {
  override name = 'StartProblem';
  constructor(message: string, hint: string) {
    super({ code: 'PLATFORM_NOT_STARTED', message, hint });
  }
  get hint(): string {
    return this.value.hint!;
  }
}
