/** Reads the arguments of the command `migrate`. */
import { parseArgs } from 'node:util';
import { readText } from './inputs/files.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import type { MigrateOptions } from './types.ts';

export const HELP = `Usage: npm run migrate -- --app ID [options]
       npm run migrate -- --action-file FILE [options]

Migrates the V2 actions of an app to V3, and proves on recorded runs that they behave alike.

  --app ID            the app
  --action NAME       only this action (repeatable; default: all actions of the app)
  --url URL           the platform (default http://localhost:4400)
  --token-file FILE   a file with the token (default: the environment variable PLATFORM_TOKEN)
  --action-file FILE  an action from a file instead of a platform (repeatable)
  --source PACKAGE=FILE  the source code of a function package (repeatable)
  --recordings FOLDER  recordings of runs, as the panel exports them
  --effects           also run both versions on two local platforms, and compare what they do
  --out FOLDER        where to write (default migrated)
  --prove             prove the edited code in the folder again, and don’t write it
  --force             overwrite files that something else has written or changed
  --json              print JSON instead of a table
  --help              print this help

Each action gets a folder with action.v3.js, action.v3.json, and report.json.

Exit codes, of which the highest applies:

  0  every action is proved
  1  an action is equal so far, or faithful
  2  an action needs a person, or is blocked
  3  an action differs
  4  an action couldn’t be migrated
  5  nothing could be migrated
  64  an argument is wrong
`;

export const DEFAULT_URL = 'http://localhost:4400';

export type Arguments = Omit<MigrateOptions, 'timeLimit'> & { json: boolean };

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  app: text,
  action: texts,
  url: text,
  'token-file': text,
  'action-file': texts,
  source: texts,
  recordings: text,
  out: text,
  prove: flag,
  effects: flag,
  force: flag,
  json: flag,
  help: flag,
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** @throws CodedError `ARGUMENT_INVALID`, `TOKEN_MISSING`, `FILE_NOT_READ` */
export async function readArguments(args: string[], env: NodeJS.ProcessEnv): Promise<Arguments | 'help'> {
  const values = parsed(args);
  if (values.help) return 'help';
  for (const name of ['out', 'recordings', 'token-file'] as const)
    if (values[name] === '') throw invalid(`--${name} must not be empty.`);
  return {
    from: await sourceOf(values, env),
    sources: new Map((values.source ?? []).map(packageAndFile)),
    recordings: values.recordings ?? null,
    out: values.out ?? 'migrated',
    force: values.force ?? false,
    prove: values.prove ?? false,
    effects: values.effects ?? false,
    json: values.json ?? false,
  };
}

function parsed(args: string[]): Values {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    throw invalid(
      `${(error as Error).message
        .split('. ')[0]!
        .replace(/\.$/, '')
        .replaceAll(/'([^']*)'/g, '“$1”')}.`,
    );
  }
}

async function sourceOf(values: Values, env: NodeJS.ProcessEnv): Promise<Arguments['from']> {
  const { app, action: names = [], 'action-file': files = [] } = values;
  if (files.length > 0) {
    const other = (['action', 'url', 'token-file'] as const).find((name) => values[name] !== undefined);
    if (other) throw invalid(`--${other} can’t be used with --action-file.`);
    return { files };
  }
  if (app === undefined) throw invalid('Either --app or --action-file is required.');
  if (!/^[1-9]\d{0,14}$/.test(app)) throw invalid(`--app must be an ID such as 101, not “${app}”.`);
  return {
    connection: { baseUrl: baseUrlOf(values.url), token: await tokenOf(values, env) },
    appId: Number(app),
    names,
  };
}

/** Without a trailing slash and without `/v1`. */
function baseUrlOf(given = DEFAULT_URL): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.username || url.password || url.search || url.hash)
    throw invalid(`--url must be an http or https URL such as ${DEFAULT_URL}.`);
  return url.href.replace(/\/+(v1\/*)?$/, '');
}

async function tokenOf({ 'token-file': file }: Values, { PLATFORM_TOKEN }: NodeJS.ProcessEnv): Promise<string> {
  const token = (file === undefined ? (PLATFORM_TOKEN ?? '') : await readText(file)).trim();
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new CodedError({
    code: 'TOKEN_MISSING',
    message: file === undefined ? 'PLATFORM_TOKEN isn’t set to a token.' : `The file ${file} has no valid token.`,
    hint: 'Set PLATFORM_TOKEN, or pass a file with the token with --token-file.',
  });
}

function packageAndFile(given: string): [name: string, file: string] {
  const at = given.indexOf('=');
  if (at <= 0 || at === given.length - 1)
    throw invalid(`--source must be a package and its file, such as com.acme.function.double=double.js.`);
  return [given.slice(0, at), given.slice(at + 1)];
}

const invalid = (message: string): CodedError =>
  new CodedError({ code: 'ARGUMENT_INVALID', message, hint: 'Try --help to see all options.' });
