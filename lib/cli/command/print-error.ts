/** Prints an error: one line with a hint and the code, or JSON. */
import type { ErrorValue } from '../../platform-api/coded-error.ts';
import type { Host } from './host.ts';
import { oneLine, printableJson } from './text.ts';

/** A failed validation has a line for each invalid value. */
export function printError(error: ErrorValue, { out, error: print }: Host, json: boolean): void {
  if (json) return out(`${printableJson({ error })}\n`);
  const hint = error.hint === undefined ? '' : ` ${error.hint}`;
  const details = (error.details ?? [])
    .map(({ path, message }) => `${oneLine(`  ${path || '/'}: ${message}`)}\n`)
    .join('');
  print(`${oneLine(`${error.message}${hint} (${error.code})`)}\n${details}`);
}
