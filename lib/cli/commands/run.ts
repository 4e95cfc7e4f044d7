/** `run`: runs an action on its debug page in an installed browser. */
import { resolve } from 'node:path';
import { Option } from 'commander';
import type { Engine } from '../../extension/inspector/index.ts';
import { toErrorValue } from '../../platform-api/coded-error.ts';
import { formatCount, formatDuration, plural, truncate } from '../../shared/format.ts';
import type { CliContext } from '../command/context.ts';
import { EXIT } from '../command/exit-codes.ts';
import type { AddCommand } from '../command/program.ts';
import { oneLine } from '../command/text.ts';
import { visible } from '../../shared/invisible.ts';
import { parseInteger } from '../command/usage.ts';
import { type Place, placeOf } from '../files.ts';
import type { ActionRun, RunProgress, RunQuestion, RunReport } from '../operations/run.ts';
import { type PayloadOptions, payloadText, requireWritable, saveRecording } from '../run/files.ts';
import { resultText, stepText } from '../run/texts.ts';
import { collect } from './platform.ts';

interface Options extends PayloadOptions {
  app?: string;
  action: string;
  engine: Engine;
  mocks?: string[];
  dryRun?: boolean;
  record?: string;
  timeout?: string;
  namespace?: string;
  headed?: boolean;
}

const HELP = `
The functions of the action really run, unless mocks replace them. Production environments ask first.
Needs Chrome, Chromium, or Edge. CHROME_PATH is the path of another one.

Values that look like credentials are masked in the output and in the recording, as in the panel’s exports.

Exit codes of a run:

  0   the action completed
  2   the action failed or was stopped
  74  the recording couldn’t be written
  75  unknown what the action has done: its page was left, crashed, or didn’t respond
`;

export const addRun: AddCommand = (program, run) => {
  program
    .command('run')
    .description('Run an action on its debug page in the installed browser')
    .option('--app <id>', 'the app (default: the project’s)')
    .requiredOption('--action <action>', 'the action, by name or ID')
    .option('--payload <json>', 'the payload, a JSON object (default: {})')
    .option('--payload-file <file>', 'a file with the payload; - reads standard input')
    .addOption(
      new Option('--engine <engine>', 'the platform’s runtime, or our engine with the page’s functions')
        .choices(['platform', 'ours'])
        .default('platform'),
    )
    .option('--mocks <file>', 'mocks that the panel exported; all of its sets apply (repeatable)', collect)
    .option('--dry-run', 'also mock what sends or changes something, except your own function packages')
    .option('--record <file>', 'write a recording (.run.json), to a file or into a folder')
    .option('--timeout <seconds>', 'stop the action after this time (default: 120)')
    .option('--namespace <name>', 'the pages’ global namespace (default: the environment’s, or Platform)')
    .option('--headed', 'show the browser')
    .addHelpText('after', HELP)
    .action(
      run(async (context, options: Options) => {
        const { done, exit } = await runWith(context, options);
        context.print({ run: done }, () => reportText(done, context));
        return exit;
      }),
    );
};

async function runWith(context: CliContext, options: Options): Promise<{ done: Printed; exit: number }> {
  const appId = await context.app(options.app);
  const payload = await payloadText(options, context);
  const timeout = options.timeout === undefined ? undefined : parseInteger(options.timeout, '--timeout', 1, 86_400);
  const place = options.record === undefined ? null : placeOf(options.record, context.host.cwd);
  if (place !== null) await requireWritable(place);
  const { mocksOfFile } = await import('../run/mocks.ts');
  const mocks = await Promise.all((options.mocks ?? []).map((file) => mocksOfFile(resolve(context.host.cwd, file))));
  const { environment, connection } = await context.connect();
  const { runAction } = await import('../operations/run.ts');
  const { action, engine, dryRun, headed, namespace = environment.namespace } = options;
  const args = { connection, appId, action, payload, engine, mocks: mocks.flat(), dryRun, namespace, headed };
  const ran = await runAction(
    { ...args, timeout: timeout && timeout * 1_000, mustRecord: place !== null },
    {
      signal: context.signal,
      startBrowser: context.host.startBrowser,
      onProgress: (progress) => show(progress, context),
      confirm: (question) => context.confirmChange(environment, questionText(question)),
    },
  );
  const saved = await savedRecording(ran, place, context);
  for (const warning of ran.run.warnings) context.warn(warning);
  return { done: { ...ran.run, recording: saved.path }, exit: saved.isLost ? EXIT.files : exitOf(ran.run) };
}

/** What is printed as JSON. */
interface Printed extends RunReport {
  /** The path of the file. */
  recording: string | null;
}

/** The run is over, so that how it ended is printed even if its recording can’t be written. */
async function savedRecording(
  { run, recording }: ActionRun,
  place: Place | null,
  context: CliContext,
): Promise<{ path: string | null; isLost: boolean }> {
  if (place === null) return { path: null, isLost: false };
  try {
    if (recording) return { path: await saveRecording(place, recording, context), isLost: false };
    run.warnings.push(
      'Couldn’t read the recording of the run: its page is gone or didn’t respond, or the recording is too large.',
    );
  } catch (error) {
    run.warnings.push(toErrorValue(error).message);
  }
  return { path: null, isLost: true };
}

function exitOf({ state }: RunReport): number {
  if (state === 'completed') return EXIT.done;
  return state === 'interrupted' ? EXIT.unknownOutcome : EXIT.negative;
}

function questionText({ action, called, replaced }: RunQuestion): string {
  const really = called.length > 0 ? ` Its functions really run: ${called.join(', ')}.` : '';
  const mocked = replaced.length > 0 ? ` Mocked: ${replaced.join(', ')}.` : '';
  return `Run “${action}”?${really}${mocked}`;
}

const PHASES = { browser: 'Starting the browser…', page: 'Opening the debug page…', run: 'Running…' };

/** On a terminal, steps are printed as they end. */
const isLive = ({ json, host }: CliContext): boolean => !json && host.isTerminal.out && host.isTerminal.error;

function show(progress: RunProgress, context: CliContext): void {
  if (progress.kind !== 'step') return context.progress(PHASES[progress.kind]);
  if (!isLive(context)) return;
  context.endProgress();
  context.host.out(`${stepText(progress.step)}\n`);
  context.progress(PHASES.run);
}

/** Longer lists of steps are cut. All of them are in the JSON. */
const SHOWN_STEPS = 500;
/** In characters. */
const SHOWN_RESULT = 5_000;
const COLORS = { completed: 'green', failed: 'red', stopped: 'yellow', interrupted: 'yellow' } as const;

function reportText(run: Printed, context: CliContext): string {
  const { state, durationMs, steps, mocks, failure, recording } = run;
  const lines = isLive(context) ? [] : steps.slice(0, SHOWN_STEPS).map(stepText);
  if (!isLive(context) && steps.length > SHOWN_STEPS)
    lines.push(`… ${plural(steps.length - SHOWN_STEPS, 'more step')}. Use --json to see all of them.`);
  const facts = [formatDuration(durationMs), plural(steps.length, 'step')];
  if (mocks > 0) facts.push(plural(mocks, 'mock'));
  lines.push(`${context.paint(COLORS[state], state)}: ${facts.join(', ')}`);
  if (run.result !== undefined) lines.push(`Result: ${shownResult(resultText(run.result), context)}`);
  if (failure) lines.push(...failureLines(failure));
  if (recording !== null) lines.push(`Recording: ${visible(recording)}`);
  return `${lines.join('\n')}\n`;
}

/** A long one would fill a terminal. */
function shownResult(text: string, { host }: CliContext): string {
  if (!host.isTerminal.out || text.length <= SHOWN_RESULT) return text;
  return `${truncate(text, SHOWN_RESULT)}\n${formatCount(text.length)} characters. Use --json to see all of them.`;
}

function failureLines({ code, message, hint, trace }: NonNullable<RunReport['failure']>): string[] {
  return [
    oneLine(`${message}${code === null ? '' : ` (${code})`}`),
    ...trace.map((line) => `  ${oneLine(line)}`),
    ...(hint === undefined ? [] : [oneLine(hint)]),
  ];
}
