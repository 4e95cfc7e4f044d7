/** Reads the options of the command `migrate`. */
import { resolve } from 'node:path';
import type { CliContext } from '../command/context.ts';
import { invalidArgument } from '../command/usage.ts';
import { placeOf } from '../files.ts';
import { requireTrust } from './trust.ts';
import type { MigrateOptions } from './types.ts';

/** As Commander has them. */
export interface MigrateFlags {
  app?: string;
  action?: string[];
  actionFile?: string[];
  source?: string[];
  recordings?: string;
  out?: string;
  prove?: boolean;
  effects?: boolean;
  force?: boolean;
  trust?: boolean;
}

/** @throws CodedError `ARGUMENT_INVALID`, and those of `requireTrust`, `CliContext.connect`, and `CliContext.app` */
export async function readMigrateOptions(
  flags: MigrateFlags,
  context: CliContext,
): Promise<Omit<MigrateOptions, 'timeLimit'>> {
  for (const name of ['out', 'recordings'] as const)
    if (flags[name] === '') throw invalidArgument(`--${name} must not be empty.`);
  const sources = new Map((flags.source ?? []).map(packageAndFile));
  const { cwd } = context.host;
  const out = placeOf(flags.out ?? 'migrated', cwd);
  const foreign = [...[...sources.values()].map((file) => resolve(cwd, file)), ...(flags.prove ? [out.path] : [])];
  await requireTrust(context, foreign, flags.trust ?? false);
  return {
    from: await sourceOf(flags, context),
    sources,
    recordings: flags.recordings ?? null,
    out,
    force: flags.force ?? false,
    prove: flags.prove ?? false,
    effects: flags.effects ?? false,
    signal: context.signal,
    tokens: context.host.tokens,
  };
}

async function sourceOf(
  { app, action: names = [], actionFile: files = [] }: MigrateFlags,
  context: CliContext,
): Promise<MigrateOptions['from']> {
  if (files.length === 0) {
    const appId = await context.app(app);
    const { connection } = await context.connect();
    return { connection, appId, names };
  }
  const { env, url, tokenFile } = context.options;
  const other = Object.entries({ app, action: names[0], env, url, 'token-file': tokenFile }).find(
    ([, value]) => value !== undefined,
  );
  if (other) throw invalidArgument(`--${other[0]} can’t be used with --action-file.`);
  return { files };
}

function packageAndFile(given: string): [name: string, file: string] {
  const at = given.indexOf('=');
  if (at <= 0 || at === given.length - 1)
    throw invalidArgument(`--source must be a package and its file, such as com.acme.function.double=double.js.`);
  return [given.slice(0, at), given.slice(at + 1)];
}
