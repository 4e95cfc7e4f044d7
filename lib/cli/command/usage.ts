/** Turns mistakes in arguments, as Commander finds them, into errors with a code and a hint. */
import type { CommanderError } from 'commander';
import { CodedError } from '../../platform-api/coded-error.ts';

const SEE_HELP = 'Try --help to see all options.';

export const invalidArgument = (message: string, hint = SEE_HELP): CodedError =>
  new CodedError({ code: 'ARGUMENT_INVALID', message, hint });

/** @param name of the command, such as “actions push” */
export function usageError({ message }: CommanderError, name: string): CodedError {
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const text = first.replaceAll(/'([^']*)'/g, '“$1”').replace(/\.$/, '');
  const meant = /Did you mean (?:one of )?(.+)\?\)/.exec(suggestion ?? '')?.[1];
  return invalidArgument(
    `${text.charAt(0).toUpperCase()}${text.slice(1)}.${meant ? ` Did you mean ${quoted(meant)}?` : ''}`,
    `Try platform-devtools ${name ? `${name} ` : ''}--help.`,
  );
}

const quoted = (names: string): string =>
  names
    .split(', ')
    .map((name) => `“${name}”`)
    .join(', ');

/** Parses an ID such as 101. @throws CodedError `ARGUMENT_INVALID` */
export function parseId(given: string, option: string): number {
  if (!/^[1-9]\d{0,14}$/.test(given)) throw invalidArgument(`${option} must be an ID such as 101, not “${given}”.`);
  return Number(given);
}

/** Parses an integer within limits. @throws CodedError `ARGUMENT_INVALID` */
export function parseInteger(given: string, option: string, from: number, to: number): number {
  const value = /^\d+$/.test(given) ? Number(given) : NaN;
  if (!(value >= from && value <= to))
    throw invalidArgument(`${option} must be an integer from ${from} to ${to}, not “${given}”.`);
  return value;
}
