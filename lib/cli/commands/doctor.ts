/** `doctor`: checks what the other commands need. */
import { EXIT } from '../command/exit-codes.ts';
import type { AddCommand } from '../command/program.ts';
import { type Color, oneLine } from '../command/text.ts';

const COLORS = { ok: 'green', problem: 'red', skipped: 'dim' } as const satisfies Record<string, Color>;

export const addDoctor: AddCommand = (program, run) => {
  program
    .command('doctor')
    .description('Check the browser, the configuration, the environment, and the token')
    .action(
      run(async (context) => {
        context.progress('Checking…');
        const { examine } = await import('../operations/doctor.ts');
        const checks = await examine(context);
        if (context.signal.aborted) return;
        const problems = checks.filter(({ state }) => state === 'problem').length;
        context.print({ checks, problems }, () =>
          checks
            .map(({ name, state, message, hint }) => {
              const text = hint === undefined ? message : `${message} ${hint}`;
              return `${context.paint(COLORS[state], state.padEnd(7))}  ${name.padEnd(13)}  ${oneLine(text)}\n`;
            })
            .join(''),
        );
        return problems > 0 ? EXIT.negative : undefined;
      }),
    );
};
