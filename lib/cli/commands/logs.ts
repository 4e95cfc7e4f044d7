/** `logs`: prints an app’s log records, and follows new ones. */
import { Option } from 'commander';
import * as v from 'valibot';
import { LOG_OUTCOMES, type LogOutcome, LogQuery, type LogRecord } from '../../platform-api/index.ts';
import { isRecord } from '../../shared/objects.ts';
import type { CliContext } from '../command/context.ts';
import { EXIT } from '../command/exit-codes.ts';
import { Interruption } from '../command/host.ts';
import type { AddCommand } from '../command/program.ts';
import { oneLine, printableJson } from '../command/text.ts';
import { invalidArgument, parseInteger } from '../command/usage.ts';
import { findAction } from '../operations/find-action.ts';
import { listActions } from '../operations/list-actions.ts';
import { followLogs, type LogsArgs, readLogs } from '../operations/logs.ts';

interface Options {
  app?: string;
  action?: string;
  state?: LogOutcome;
  where?: string;
  since?: string;
  limit: string;
  interval: string;
  follow?: boolean;
}

export const addLogs: AddCommand = (program, run) => {
  program
    .command('logs')
    .description('Print the log records of an app, newest last')
    .option('--app <id>', 'the app (default: the project’s)')
    .option('--action <action>', 'only of this action, by name or ID')
    .addOption(new Option('--state <state>', 'only of runs that ended like this').choices(LOG_OUTCOMES))
    .option('--where <json>', 'only records with these fields, such as {"type": "app.publish"}')
    .option('--since <time>', 'only since then: 30s, 10m, 2h, 1d, or a time such as 2026-11-23T14:03:00Z')
    .option('--limit <number>', 'at most this many records; with --follow, to start with', '50')
    .option('--follow', 'keep printing new records until Ctrl+C')
    .option('--interval <ms>', 'with --follow, the time between two requests', '2000')
    .action(run(printLogs));
};

async function printLogs(context: CliContext, options: Options): Promise<number | void> {
  const appId = await context.app(options.app);
  const limit = parseInteger(options.limit, '--limit', options.follow ? 0 : 1, 100_000);
  const interval = parseInteger(options.interval, '--interval', 100, 3_600_000);
  const query = queryOf(options, Date.now());
  const { connection } = await context.connect();
  const names = await namesOf(context, { connection, appId }, options.action !== undefined);
  const id = options.action === undefined ? undefined : idOf(options.action, names);
  const args: LogsArgs = { connection, appId, query: { ...query, ...(id !== undefined && { id }) }, limit };
  if (options.follow) return follow(context, args, interval, names);
  const found = await readLogs(args, context);
  context.print(found, () =>
    found.logs.length === 0 ? 'No log records.\n' : found.logs.map((log) => lineOf(context, log, names)).join(''),
  );
}

/** Resolves with 0 after Ctrl+C, which is how following ends. */
async function follow(
  context: CliContext,
  args: LogsArgs,
  interval: number,
  names: ReadonlyMap<number, string>,
): Promise<number | void> {
  const { host, json, signal } = context;
  const onOutage = (error: { message: string } | null): void =>
    context.warn(error ? `${error.message} Trying again…` : 'The platform responds again.');
  for await (const logs of followLogs(args, { signal, interval, onOutage })) {
    if (signal.aborted) break;
    const lines = logs.map((log) => (json ? `${printableJson(log)}\n` : lineOf(context, log, names)));
    host.out(lines.join(''));
  }
  const { reason } = signal as { reason: unknown };
  return reason instanceof Interruption && reason.exitCode === EXIT.interrupted ? EXIT.done : undefined;
}

/** Names of actions by ID. Empty if the platform doesn’t list them, unless one must be found. */
async function namesOf(
  context: CliContext,
  { connection, appId }: Pick<LogsArgs, 'connection' | 'appId'>,
  isRequired: boolean,
): Promise<Map<number, string>> {
  if (context.json && !isRequired) return new Map();
  const actions = await listActions(connection, appId, context).catch((error: unknown) => {
    if (isRequired || context.signal.aborted) throw error;
    return [];
  });
  return new Map(actions.map(({ id, name }) => [id, name]));
}

const idOf = (wanted: string, names: ReadonlyMap<number, string>): number =>
  findAction(
    [...names].map(([id, name]) => ({ id, name })),
    wanted,
  ).id;

/** @throws CodedError `ARGUMENT_INVALID` */
export function queryOf(
  { state, where, since }: Pick<Options, 'state' | 'where' | 'since'>,
  now: number,
): v.InferInput<typeof LogQuery> {
  const query = {
    ...(state && { outcome: state }),
    ...(where !== undefined && { where: whereOf(where) }),
    ...(since !== undefined && { from: timeOf(since, now) }),
  };
  const parsed = v.safeParse(LogQuery, query);
  if (!parsed.success) throw invalidArgument(`--where can’t be used: ${parsed.issues[0].message}`);
  return query;
}

function whereOf(text: string): Record<string, unknown> {
  try {
    const where: unknown = JSON.parse(text);
    if (isRecord(where)) return where;
  } catch {
    // Not JSON.
  }
  throw invalidArgument('--where must be a JSON object, such as {"type": "app.publish"}.');
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function timeOf(text: string, now: number): string {
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);
  const time = unit ? now - Number(amount) * UNITS[unit]! : isTime ? Date.parse(text) : NaN;
  // Before the year 0, a time has another form.
  if (!(time > -6e13))
    throw invalidArgument(`--since must be a time such as 10m or 2026-11-23T14:03:00Z, not “${text}”.`);
  return new Date(time).toISOString();
}

function lineOf(context: CliContext, log: LogRecord, names: ReadonlyMap<number, string>): string {
  const data = log.data ?? {};
  const { actionId, mode, duration, result } = data as Record<string, unknown>;
  const isFailed = log.type.endsWith('.failed');
  const name = typeof actionId === 'number' ? (names.get(actionId) ?? `action ${actionId}`) : undefined;
  const failure = isFailed && isRecord(result) ? `${text(result.errorType)}: ${text(result.errorMessage)}` : undefined;
  const parts = [
    log.createdAt,
    log.type,
    name,
    mode,
    typeof duration === 'number' ? `${duration} ms` : undefined,
    failure,
    // A record that isn’t a run’s.
    name === undefined && Object.keys(data).length > 0 ? JSON.stringify(data) : undefined,
  ];
  const line = oneLine(
    parts
      .filter((part) => part !== undefined)
      .map(text)
      .join('  '),
  );
  return `${isFailed ? context.paint('red', line) : line}\n`;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
