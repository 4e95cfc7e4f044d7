/** Entry point of `npm run migrate`: reads the arguments, migrates, and prints what was found. */
import { toErrorValue, type ErrorValue } from '../../platform-api/coded-error.ts';
import { HELP, readArguments } from './arguments.ts';
import { migrateApp } from './migrate-app.ts';
import { exitCodeOf, summaryOf } from './output/summary.ts';
import type { Arguments } from './arguments.ts';

export interface Streams {
  out(text: string): void;
  error(text: string): void;
}

const NOTHING_MIGRATED = 5;
const WRONG_ARGUMENTS = 64;

/** Resolves with the exit code. */
export async function main(args: string[], env: NodeJS.ProcessEnv, streams: Streams): Promise<number> {
  let given: Arguments | 'help';
  try {
    given = await readArguments(args, env);
  } catch (error) {
    return report(toErrorValue(error), args.includes('--json'), streams, WRONG_ARGUMENTS);
  }
  if (given === 'help') {
    streams.out(HELP);
    return 0;
  }
  const migrated = await migrateApp(given);
  if (!migrated.ok) return report(migrated.error, given.json, streams, NOTHING_MIGRATED);
  const actions = migrated.value;
  streams.out(given.json ? `${JSON.stringify({ actions })}\n` : summaryOf(actions, given.out));
  return exitCodeOf(actions);
}

function report(error: ErrorValue, json: boolean, { out, error: print }: Streams, code: number): number {
  if (json) out(`${JSON.stringify({ error })}\n`);
  else print(`${error.message}${error.hint === undefined ? '' : ` ${error.hint}`} (${error.code})\n`);
  return code;
}

if (import.meta.main) {
  const streams: Streams = {
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
  };
  process.exitCode = await main(process.argv.slice(2), process.env, streams);
}
