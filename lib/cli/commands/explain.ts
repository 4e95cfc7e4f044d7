/** `explain`: says why the `if` steps of a recorded run took their branches, and why the run failed. */
import { plural } from '../../shared/format.ts';
import type { CliContext } from '../command/context.ts';
import type { AddCommand } from '../command/program.ts';
import { oneLine } from '../command/text.ts';
import { invalidArgument } from '../command/usage.ts';
import { requireShortLoops } from '../operations/empty-loops.ts';
import type { Explained, ExplainedCondition, ExplainedPart, ExplainedStep } from '../operations/explain.ts';
import { type LogOptions, recordingsFor } from '../run/chosen-recordings.ts';
import { branchText, endText, placeText, replacedText, valueText } from '../run/texts.ts';

interface Options extends LogOptions {
  step?: string;
  iteration?: string;
}

export const addExplain: AddCommand = (program, run) => {
  program
    .command('explain [file]')
    .description('Explain why a recorded run took its branches, and why it failed')
    .option('--app <id>', 'the app of --log (default: the project’s)')
    .option('--log <id>', 'the recording that the platform stored for a log record')
    .option('--step <path>', 'only this step, with the value of each part; a step that isn’t an if: those around it')
    .option('--iteration <numbers>', 'with --step: only this iteration, from 1, such as 3 or 3,1 in nested loops')
    .action(
      run(async (context, file: string | undefined, options: Options) => {
        const { step } = options;
        const iteration = iterationOf(options);
        const [chosen] = await recordingsFor(file === undefined ? [] : [file], options, context);
        const recording = await chosen!.read();
        requireShortLoops(recording.pipeline);
        const { explainRecording } = await import('../operations/explain.ts');
        const explained = await explainRecording(recording, { step, iteration }, context);
        context.print({ explanation: explained }, () => explanationText(explained, options, context));
      }),
    );
};

/** Starts at 0. @throws CodedError `ARGUMENT_INVALID` */
function iterationOf({ step, iteration }: Options): number[] | undefined {
  if (iteration === undefined) return undefined;
  if (step === undefined) throw invalidArgument('--iteration needs --step.');
  const numbers = iteration.split(',').map((text) => (/^[1-9]\d{0,8}$/.test(text.trim()) ? Number(text) - 1 : NaN));
  if (numbers.some(Number.isNaN))
    throw invalidArgument(`--iteration must be numbers from 1 on, such as 3 or 3,1, not “${iteration}”.`);
  return numbers;
}

/** Longer lists are cut. All of it is in the JSON. */
const SHOWN = { lines: 500, details: 20 };

function explanationText(explained: Explained, { step }: Options, context: CliContext): string {
  const { end, failure, steps, ran } = explained;
  const limit = step === undefined ? SHOWN.lines : SHOWN.details;
  const lines = [endText(end)];
  if (failure !== null && end.state === 'failed' && failure !== end.error.message) lines.push(oneLine(failure));
  if (step !== undefined && ran === false) lines.push(`${step} didn’t run.`);
  if (step !== undefined && ran === null) lines.push(`Unknown whether ${step} ran.`);
  const part = end.state === 'interrupted' ? 'recorded part' : 'run';
  if (steps.length === 0)
    lines.push(step === undefined ? `The ${part} has no if steps.` : 'No if step that ran decides about it.');
  for (const one of steps.slice(0, limit))
    lines.push(...(step === undefined ? [lineOf(one)] : detailsOf(one, context)));
  if (steps.length > limit)
    lines.push(`… ${plural(steps.length - limit, 'more step')}. Use --json to see all of them.`);
  return `${lines.join('\n')}\n`;
}

function lineOf(step: ExplainedStep): string {
  const why = step.conditions.map(({ state, text = '' }) => `${state}: ${text}`).join(' | ') || (step.why ?? '');
  const hints = [...new Set(step.conditions.flatMap((condition) => condition.hints))];
  return oneLine([`${placeText(step)}: ${outcomeText(step)}`, why, ...hints].join('  '));
}

function outcomeText({ state, branch, why, conditions }: ExplainedStep): string {
  if (state === 'forced') return `${branchText(branch)}, ${replacedText(why ?? 'an observer', 'completed')}`;
  if (branch === undefined) return conditions.some((one) => one.state === 'failed') ? 'failed' : 'unknown';
  return branchText(branch);
}

function detailsOf(step: ExplainedStep, context: CliContext): string[] {
  return [
    context.paint('bold', oneLine(`${placeText(step)}: ${outcomeText(step)}`)),
    ...(step.state === 'unknown' ? [oneLine(`  ${step.why ?? ''}`)] : []),
    ...step.conditions.flatMap(conditionLines),
  ];
}

function conditionLines(
  { state, source = 'a function', hints, parts = [] }: ExplainedCondition,
  index: number,
): string[] {
  const label = index === 0 ? 'when' : 'or when';
  return [
    `  ${label} ${oneLine(source)}: ${state}`,
    ...parts.map(partLine),
    ...hints.map((hint) => `  ${oneLine(hint)}`),
  ];
}

function partLine({ level, text, state, value, why }: ExplainedPart): string {
  const shown =
    state === 'evaluated' && value !== undefined ? valueText(value) : [state, why].filter(Boolean).join(': ');
  return oneLine(`    ${'  '.repeat(level)}${text}  →  ${shown}`);
}
