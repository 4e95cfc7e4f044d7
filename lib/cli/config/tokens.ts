/** Finds and stores tokens: in the system’s keychain, or else in a file that only its owner can read. Each belongs to one base URL. */
import { join } from 'node:path';
import * as v from 'valibot';
import { homeFolder } from '../../local-platform/installation.ts';
import { isOwnSecret } from '../../local-platform/own-secrets.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import type { CliContext } from '../command/context.ts';
import type { Host } from '../command/host.ts';
import { readText } from '../files.ts';
import { type ChosenEnvironment, LOCAL_URL } from './environments.ts';
import { tokensFile } from './home.ts';
import { changeJsonFile, accessOfOthers, type JsonFile, readJsonFile } from './json-file.ts';
import { systemKeychain, unusable, writableKeychain } from './keychain.ts';

const Token = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,4096}$/, 'A token has no spaces or control characters.'));
const Tokens = v.record(v.string(), Token);

const tokensOf = (env: NodeJS.ProcessEnv): JsonFile<Record<string, string>> => ({
  path: tokensFile(env),
  schema: Tokens,
  code: 'TOKENS_INVALID',
  empty: {},
});

/** Where the local platform stores its token, from the current folder. A repository can contain one of someone else. */
const LOCAL_TOKEN_FILE = join('.platform', 'auth-token');

export type TokenPlace = '--token-file' | 'PLATFORM_TOKEN' | 'keychain' | 'file' | 'data folder';

export interface FoundToken {
  token: string;
  place: TokenPlace;
}

/** As all commands name it. */
export const placeText = (place: TokenPlace, env: NodeJS.ProcessEnv): string =>
  ({
    '--token-file': '--token-file',
    PLATFORM_TOKEN: 'PLATFORM_TOKEN',
    keychain: 'the system’s keychain',
    file: tokensFile(env),
    'data folder': 'the data folder of the local platform',
  })[place];

/**
 * In this order: `--token-file`, `PLATFORM_TOKEN`, the keychain, the file of tokens, and the local platform’s data
 * folder.
 * @throws CodedError `TOKEN_MISSING`, `TOKENS_INVALID`, `FILE_NOT_READ`
 */
export async function findToken(environment: ChosenEnvironment, context: CliContext): Promise<FoundToken> {
  const found = await readToken(environment, context);
  context.host.tokens.add(found.token);
  return found;
}

async function readToken(environment: ChosenEnvironment, context: CliContext): Promise<FoundToken> {
  const { baseUrl } = environment;
  const { env, cwd } = context.host;
  const { tokenFile } = context.options;
  if (tokenFile !== undefined)
    return { token: parseToken(await readText(tokenFile), `The file ${tokenFile}`), place: '--token-file' };
  if (env.PLATFORM_TOKEN) return { token: parseToken(env.PLATFORM_TOKEN, 'PLATFORM_TOKEN'), place: 'PLATFORM_TOKEN' };
  const keychain = systemKeychain(context.host);
  if (keychain) context.progress('Reading the system’s keychain…');
  let isReadable = true;
  const fromKeychain = await keychain?.get(baseUrl).catch((error: unknown) => {
    isReadable = false;
    return unusable(error);
  });
  context.endProgress();
  if (fromKeychain) return { token: fromKeychain, place: 'keychain' };
  const all = await readJsonFile(tokensOf(env));
  context.host.tokens.add(...Object.values(all));
  const stored = all[baseUrl];
  if (stored !== undefined) {
    if ((await accessOfOthers(tokensFile(env))) !== 'none')
      context.warn(`Other users of this machine can read ${tokensFile(env)}. Run chmod 600 on it.`);
    return { token: stored, place: 'file' };
  }
  const local =
    baseUrl === LOCAL_URL ? await readText(join(cwd, LOCAL_TOKEN_FILE), { within: cwd }).catch(() => '') : '';
  const isOwn = await isOwnSecret(homeFolder(env), 'token', local.trim());
  if (isOwn) return { token: local.trim(), place: 'data folder' };
  throw tokenMissing(environment, isReadable);
}

function tokenMissing({ name, baseUrl }: ChosenEnvironment, isReadable: boolean): CodedError {
  const message = `Couldn’t find a token for ${name}${isReadable ? '' : ': the system’s keychain, which might have one, can’t be used here'}.`;
  const hint =
    baseUrl === LOCAL_URL
      ? 'Run platform-devtools platform in this folder, or add your platform with platform-devtools environments add.'
      : 'Run platform-devtools environments login, set PLATFORM_TOKEN, or pass a file with the token with --token-file.';
  return new CodedError({ code: 'TOKEN_MISSING', message, hint });
}

/** @param source such as “PLATFORM_TOKEN” @throws CodedError `TOKEN_MISSING` */
export function parseToken(given: string, source: string): string {
  const token = v.safeParse(Token, given.trim());
  if (token.success) return token.output;
  throw new CodedError({
    code: 'TOKEN_MISSING',
    message: `${source} has no valid token.`,
    hint: 'A token has 1 to 4,096 characters without spaces. Copy it again.',
  });
}

/** Resolves with where it was stored. @throws CodedError `FILES_NOT_WRITTEN`, `TOKENS_INVALID` */
export async function storeToken(baseUrl: string, token: string, host: Host): Promise<'keychain' | 'file'> {
  const { env } = host;
  const keychain = await writableKeychain(host);
  if (keychain) {
    const isStored = await keychain.set(baseUrl, token).then(() => true, unusable);
    if (isStored) {
      // The one in the keychain is used first, whatever is left in the file.
      await removeFromFile(baseUrl, env).catch(() => false);
      return 'keychain';
    }
    // It’s used before the one in the file.
    await keychain.delete(baseUrl).catch(() => undefined);
  }
  await changeJsonFile(tokensOf(env), (tokens) => ({ ...tokens, [baseUrl]: token }));
  return 'file';
}

export interface RemovedToken {
  /** Null if the keychain can’t be used, so that it’s unknown what it has. */
  keychain: boolean | null;
  file: boolean;
}

/** Removes the token from all places that `storeToken` uses. Resolves with where there was one. */
export async function removeToken(baseUrl: string, host: Host): Promise<RemovedToken> {
  const keychain = systemKeychain(host);
  return {
    keychain: keychain && (await keychain.delete(baseUrl).catch(unusable)),
    file: await removeFromFile(baseUrl, host.env),
  };
}

async function removeFromFile(baseUrl: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const stored = await readJsonFile(tokensOf(env));
  if (stored[baseUrl] === undefined) return false;
  await changeJsonFile(tokensOf(env), ({ [baseUrl]: _removed, ...others }) => others);
  return true;
}
