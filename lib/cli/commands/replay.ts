/** `replay`: replays recordings offline, as they are or with changes. */
import { resolve } from 'node:path';
import { DIVERGENCE_TEXTS } from '../../debugging/replay/divergence-texts.ts';
import type { Recording } from '../../debugging/recording/format.ts';
import type { RecordedValue } from '../../debugging/recording/values.ts';
import type { Context } from '../../pipeline/index.ts';
import { type ErrorValue, toErrorValue } from '../../platform-api/coded-error.ts';
import { isRecord } from '../../shared/objects.ts';
import { plural } from '../../shared/format.ts';
import type { CliContext } from '../command/context.ts';
import { EXIT, exitCodeOf } from '../command/exit-codes.ts';
import type { AddCommand } from '../command/program.ts';
import { oneLine } from '../command/text.ts';
import { invalidArgument } from '../command/usage.ts';
import { placeOf } from '../files.ts';
import { requireShortLoops } from '../operations/empty-loops.ts';
import type { ReplayChange, Replayed, ReplayedChange } from '../operations/replay.ts';
import { type LogOptions, recordingsFor } from '../run/chosen-recordings.ts';
import { parsedJson, type PayloadOptions, payloadText, pipelineOfFile, saveRecording } from '../run/files.ts';
import { parseSet, withValues, type SetValue } from '../run/set-values.ts';
import { branchText, endText, placeText, valueText } from '../run/texts.ts';
import { collect } from './platform.ts';

interface Options extends PayloadOptions, LogOptions {
  pipeline?: string;
  mocks?: string[];
  set?: string[];
  out?: string;
}

/** What is printed of one recording. */
type Entry = { name: string } & (
  | Replayed
  | ({ outcome: 'changed' } & Omit<ReplayedChange, 'recording'>)
  | { outcome: 'error'; error: ErrorValue }
);

const HELP = `
Conditions and loops are really evaluated, and no function of an app is called. Each has its recorded outcome. With a
change, that counts only if the function gets what it got when it was recorded. Otherwise, its outcome is unknown, and the
replay ends there. Of the platform’s packages, set-context, return-string, fail, if, and wait are evaluated then. Limits of
time and size aren’t applied.

Exit codes, of which the highest applies:

  0  without a change: each replay had the recorded steps, branches, and end
  0  with a change: each replay completed
  2  any other end
`;

export const addReplay: AddCommand = (program, run) => {
  program
    .command('replay [files...]')
    .description('Replay recordings offline, as they are or with changes')
    .option('--app <id>', 'the app of --log (default: the project’s)')
    .option('--log <id>', 'the recording that the platform stored for a log record')
    .option('--payload <json>', 'replay with this payload')
    .option('--payload-file <file>', 'replay with the payload in a file; - reads standard input')
    .option(
      '--set <pointer=json>',
      'change one value of the recorded payload, such as /user/age=18 (repeatable)',
      collect,
    )
    .option('--pipeline <file>', 'replay with the pipeline in a file: an array of steps, or an action')
    .option('--mocks <file>', 'replay with mocks that the panel exported (repeatable)', collect)
    .option('--out <file>', 'write the run of a replay with changes as a recording')
    .addHelpText('after', HELP)
    .action(
      run(async (context, files: string[], options: Options) => {
        const change = await changeOf(options, context);
        const entries: Entry[] = [];
        for (const { name, read } of await recordingsFor(files, options, context)) {
          context.progress(`Replaying ${name}…`);
          entries.push(await entryOf(name, read, change, { options, context, isOnly: files.length < 2 }));
        }
        context.print({ replays: entries }, () => entries.map((entry) => entryText(entry, context)).join(''));
        return Math.max(...entries.map(exitOf));
      }),
    );
};

interface Change extends ReplayChange {
  set: SetValue[];
}

/** Null without a change. */
async function changeOf(options: Options, context: CliContext): Promise<Change | null> {
  const set = (options.set ?? []).map(parseSet);
  const text = await payloadText(options, context);
  if (text !== undefined && set.length > 0)
    throw invalidArgument('--set changes the recorded payload, so it can’t be used with --payload.');
  const payload = text === undefined ? undefined : parsedJson(text, 'The payload isn’t JSON.');
  if (payload !== undefined && !isRecord(payload)) throw invalidArgument('The payload must be an object.');
  const file = (name: string): string => resolve(context.host.cwd, name);
  const pipeline = options.pipeline === undefined ? undefined : await pipelineOfFile(file(options.pipeline));
  const { mocksOfFile } = await import('../run/mocks.ts');
  const mocks = options.mocks && (await Promise.all(options.mocks.map((name) => mocksOfFile(file(name))))).flat();
  const isChange = [payload, pipeline, mocks].some((one) => one !== undefined) || set.length > 0;
  if (!isChange && options.out !== undefined) throw invalidArgument('--out needs a change, such as --set.');
  return isChange ? { payload, pipeline, mocks, set } : null;
}

/** Far above those of recordings. Without them, nothing could stop an endless loop of a changed pipeline. */
const LIMITS = { maxSteps: 300_000, maxTime: 60_000 };

interface EntryOptions {
  options: Options;
  context: CliContext;
  /** An error of the only recording is the command’s error. */
  isOnly: boolean;
}

async function entryOf(
  name: string,
  read: () => Promise<Recording>,
  change: Change | null,
  { options, context, isOnly }: EntryOptions,
): Promise<Entry> {
  const { replayRecording, replayChanged } = await import('../operations/replay.ts');
  try {
    const recording = await read();
    requireShortLoops(change?.pipeline ?? recording.pipeline);
    if (!change) return { name, ...(await replayRecording(recording, context)) };
    const { set, ...rest } = change;
    const payload = set.length > 0 ? withValues(recording.payload, set) : rest.payload;
    const changed = await replayChanged(
      recording,
      { ...rest, payload: payload as Context | undefined },
      { signal: context.signal, ...LIMITS },
    );
    if (options.out !== undefined)
      await saveRecording(placeOf(options.out, context.host.cwd), changed.recording, context);
    const { recording: _, ...shown } = changed;
    return { name, outcome: 'changed', ...shown };
  } catch (error) {
    if (isOnly || context.signal.aborted) throw error;
    return { name, outcome: 'error', error: toErrorValue(error) };
  }
}

function exitOf(entry: Entry): number {
  if (entry.outcome === 'error') return exitCodeOf(entry.error);
  if (entry.outcome === 'changed') return entry.replayed.end.state === 'completed' ? EXIT.done : EXIT.negative;
  return entry.outcome === 'same' ? EXIT.done : EXIT.negative;
}

function entryText(entry: Entry, context: CliContext): string {
  const lines = linesOf(entry, context);
  return `${[`${context.paint(exitOf(entry) === EXIT.done ? 'green' : 'red', entry.outcome)}  ${oneLine(entry.name)}`, ...lines].join('\n')}\n`;
}

function linesOf(entry: Entry, context: CliContext): string[] {
  switch (entry.outcome) {
    case 'same':
      return [`  ${plural(entry.steps, 'step')}, ${endText(entry.end)}`];
    case 'unknown':
      return [oneLine(`  Couldn’t replay further than ${placeText(entry.place)}. ${entry.reason}`)];
    case 'different':
      return differenceLines(entry.divergence);
    case 'changed':
      return changeLines(entry, context);
    case 'error':
      return [oneLine(`  ${entry.error.message} ${entry.error.hint ?? ''} (${entry.error.code})`)];
  }
}

function differenceLines(divergence: Extract<Replayed, { outcome: 'different' }>['divergence']): string[] {
  const { what, recorded, replayed } = divergence;
  return [
    `  The replay first differs at ${placeText(divergence)}: ${DIVERGENCE_TEXTS[what]}.`,
    `    recorded: ${sideText(what, recorded)}`,
    `    replayed: ${what === 'context' ? 'no such place' : sideText(what, replayed)}`,
  ];
}

/** Places and states aren’t values of the run, so they aren’t quoted. */
function sideText(what: keyof typeof DIVERGENCE_TEXTS, value: RecordedValue): string {
  if (what === 'branch') return branchText(value as number | 'else' | null);
  if (what === 'result') return valueText(value);
  if (value === null) return 'no step';
  return typeof value === 'string' ? oneLine(value) : valueText(value);
}

function changeLines(
  { recorded, replayed, branches, assumes }: ReplayedChange | Extract<Entry, { outcome: 'changed' }>,
  context: CliContext,
): string[] {
  return [
    `  recorded: ${plural(recorded.steps, 'step')}, ${endText(recorded.end)}`,
    `  replayed: ${plural(replayed.steps, 'step')}, ${endText(replayed.end)}`,
    ...branches.map(
      (one) =>
        `  ${context.paint('yellow', placeText(one))}: ${branchText(one.recorded)} → ${branchText(one.replayed)}`,
    ),
    ...assumes.map((one) => oneLine(`  ${one}`)),
  ];
}
