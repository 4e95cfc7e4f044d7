/** Runs one command, and turns errors into one line with a hint and an exit code. */
import { CommanderError } from 'commander';
import { toErrorValue } from '../platform-api/coded-error.ts';
import { EXIT, exitCodeOf } from './command/exit-codes.ts';
import { type Host, Interruption, lostOutputCode } from './command/host.ts';
import { safely } from './command/output.ts';
import { commandName, createProgram } from './command/program.ts';
import { commandSignal } from './command/signal.ts';
import { printError } from './command/print-error.ts';
import { usageError } from './command/usage.ts';

/**
 * Resolves with the exit code.
 * @param args without the names of Node and of the program
 */
export async function main(args: readonly string[], given: Host): Promise<number> {
  const { host, end } = safely(given);
  if (host.env.PLATFORM_TOKEN) host.tokens.add(host.env.PLATFORM_TOKEN.trim());
  let code: number | undefined;
  const program = await createProgram(host, (ended) => (code = ended), args[0]);
  try {
    if (args.length === 0) program.outputHelp();
    else await commandSignal.run(host.signal, () => program.parseAsync(args, { from: 'user' }));
    return lostOutputCode(host.signal) ?? code ?? interruptedCode(host) ?? EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const value =
      error instanceof CommanderError ? usageError(error, commandName(program, args)).value : toErrorValue(error);
    printError(value, host, args.includes('--json'));
    return interruptedCode(host) ?? exitCodeOf(value);
  } finally {
    end();
  }
}

const interruptedCode = ({ signal }: Host): number | undefined =>
  signal.reason instanceof Interruption ? signal.reason.exitCode : undefined;
