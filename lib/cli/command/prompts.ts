/** Asks on the terminal. Questions go to standard error, so that the output of a command stays clean. */
import { confirm, isCancel, password } from '@clack/prompts';
import { CodedError } from '../../platform-api/coded-error.ts';

const aborted = (): CodedError => new CodedError({ code: 'ABORTED', message: 'Nothing was changed.' });

export async function confirmOnTerminal(message: string, signal: AbortSignal): Promise<boolean> {
  const answer = await confirm({ message, initialValue: false, output: process.stderr, signal });
  return answer === true;
}

/** Asks for a secret, which isn’t shown. @throws CodedError `ABORTED` */
export async function secretFromTerminal(message: string, signal: AbortSignal): Promise<string> {
  const answer = await password({ message, output: process.stderr, signal });
  if (isCancel(answer)) throw aborted();
  return answer;
}
