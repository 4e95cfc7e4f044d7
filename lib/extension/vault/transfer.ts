/** Reads and writes environment files: version 1 has no tokens, version 2 has tokens encrypted with a passphrase. */
import * as v from 'valibot';
import { CodedError, issueDetails } from '../../platform-api/index.ts';
import { Base64, toBase64 } from './bytes.ts';
import { DERIVATION, deriveKey, newDerivation, newIv } from './passphrase.ts';
import { truncate } from '../../shared/format.ts';
import { visible } from '../../shared/invisible.ts';
import { EnvironmentInput } from '../messaging/model/environment.ts';

const FORMAT = 'platform-devtools-environments';
const PLAIN = 1;
const SEALED = 2;
/** In characters. 100 environments with tokens of the maximum length take up two thirds of this. */
const SIZE_LIMIT = 1024 * 1024;
const ENVIRONMENT_LIMIT = 100;
const TAG_BYTES = 16;
const TOKEN_BYTES = 4096;

const Entry = v.omit(EnvironmentInput, ['id', 'token']);
/** An environment in a file, without its ID and token. */
export type Entry = v.InferOutput<typeof Entry>;
export interface TokenEntry extends Entry {
  token?: string | undefined;
}

const Head = v.looseObject({ format: v.literal(FORMAT), version: v.number() });
const TOO_MANY = `A file is limited to ${ENVIRONMENT_LIMIT} environments.`;
const PlainFile = v.object({ environments: v.pipe(v.array(Entry), v.maxLength(ENVIRONMENT_LIMIT, TOO_MANY)) });
const SealedToken = v.object({ iv: Base64(12, 12), sealed: Base64(TAG_BYTES + 1, TAG_BYTES + TOKEN_BYTES) });
const SealedFile = v.object({
  seal: v.object({ ...DERIVATION, salt: Base64(16, 64) }),
  environments: v.pipe(
    v.array(v.object({ ...Entry.entries, token: v.optional(SealedToken) })),
    v.maxLength(ENVIRONMENT_LIMIT, TOO_MANY),
  ),
});
const Token = v.required(v.pick(EnvironmentInput, ['token']));

/** @throws CodedError `EXPORT_TOO_LARGE` */
export function writeFile(entries: readonly Entry[]): string {
  return written({ format: FORMAT, version: PLAIN, environments: entries.map(plain) });
}

/** @throws CodedError `EXPORT_TOO_LARGE` */
export async function writeSealedFile(
  entries: readonly TokenEntry[],
  passphrase: string,
  iterations: number,
): Promise<string> {
  const seal = newDerivation(iterations);
  const key = await deriveKey(passphrase, seal);
  const environments = await Promise.all(
    entries.map(async ({ token, ...entry }) => {
      if (token === undefined) return plain(entry);
      const iv = newIv();
      const sealed = await crypto.subtle.encrypt(parameters(iv, entry), key, new TextEncoder().encode(token));
      return { ...plain(entry), token: { iv: toBase64(iv), sealed: toBase64(new Uint8Array(sealed)) } };
    }),
  );
  return written({ format: FORMAT, version: SEALED, seal: { ...seal, salt: toBase64(seal.salt) }, environments });
}

/** A file with tokens that haven’t been decrypted yet. */
export interface FileRead {
  hasTokens: boolean;
  environments: readonly (Entry & { token?: unknown })[];
  /** @throws CodedError `IMPORT_PASSPHRASE_NEEDED`, `IMPORT_PASSPHRASE_WRONG`, `IMPORT_INVALID` */
  entries(passphrase: string | undefined): Promise<TokenEntry[]>;
}

/** @throws CodedError `IMPORT_TOO_LARGE`, `IMPORT_NOT_JSON`, `IMPORT_OTHER_FILE`, `IMPORT_NEWER`, `IMPORT_INVALID` */
export function readFile(text: string): FileRead {
  if (text.length > SIZE_LIMIT)
    throw refused('IMPORT_TOO_LARGE', 'Couldn’t import the file: files are limited to 1 MB.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused('IMPORT_NOT_JSON', 'Couldn’t import the file: it isn’t JSON.');
  }
  const head = v.safeParse(Head, value);
  if (!head.success)
    throw refused('IMPORT_OTHER_FILE', 'Couldn’t import the file: it wasn’t exported by this extension.');
  const { version } = head.output;
  if (version === PLAIN) {
    const { environments } = parse(PlainFile, value);
    return { hasTokens: false, environments, entries: () => Promise.resolve(environments) };
  }
  if (version !== SEALED)
    throw refused(
      'IMPORT_NEWER',
      `Couldn’t import the file: its format version is ${version}. This extension reads versions ${PLAIN} and ${SEALED}.`,
      'Update the extension.',
    );
  const file = parse(SealedFile, value);
  const hasTokens = file.environments.some(({ token }) => token !== undefined);
  const { environments } = file;
  return { hasTokens, environments, entries: (passphrase) => unsealed(file, hasTokens ? passphrase : '') };
}

async function unsealed(
  { seal, environments }: v.InferOutput<typeof SealedFile>,
  passphrase: string | undefined,
): Promise<TokenEntry[]> {
  if (passphrase === undefined)
    throw new CodedError({
      code: 'IMPORT_PASSPHRASE_NEEDED',
      message: 'Couldn’t import the file: its tokens are encrypted.',
      hint: 'Enter the passphrase that was set when the file was exported.',
    });
  const key = await deriveKey(passphrase, seal);
  const entries = await Promise.all(
    environments.map(async ({ token, ...entry }) => {
      if (!token) return entry;
      const opened = await crypto.subtle.decrypt(parameters(token.iv, entry), key, token.sealed).catch(() => {
        throw new CodedError({
          code: 'IMPORT_PASSPHRASE_WRONG',
          message: 'Couldn’t decrypt the file: the passphrase is wrong, or the file was changed. Nothing was imported.',
          hint: 'Try the passphrase again, or export the file again.',
        });
      });
      return { ...entry, token: new TextDecoder().decode(opened) };
    }),
  );
  return entries.map((entry) => ('token' in entry ? { ...entry, ...parse(Token, entry) } : entry));
}

/** Binds an encrypted token to its format, version, environment, and base URL. */
function parameters(iv: Uint8Array<ArrayBuffer>, entry: Entry): AesGcmParams {
  return {
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(JSON.stringify([FORMAT, SEALED, plain(entry)])),
  };
}

/** Selects the fields to write to a file, in a fixed order. */
const plain = ({ name, preset, baseUrl, namespace, production, pageUrls }: Entry): Entry => ({
  name,
  preset,
  baseUrl,
  namespace,
  production,
  // Files of earlier versions don’t have it, and their tokens are bound to that.
  ...(pageUrls?.length && { pageUrls }),
});

function written(file: { format: string; version: number; seal?: unknown; environments: readonly Entry[] }): string {
  // Never write a file that couldn’t be imported. Earlier versions took environments that this one doesn’t.
  const invalid = v.safeParse(v.array(Entry), file.environments).issues?.[0];
  if (invalid)
    throw new CodedError({
      code: 'EXPORT_INVALID',
      message: `Couldn’t export the environments: ${invalidText([{ key: 'environments' }, ...(invalid.path ?? [])])}`,
      hint: 'Edit the environment, then export again.',
      details: issueDetails([invalid]),
    });
  const text = `${JSON.stringify(file, null, 2)}\n`;
  if (file.environments.length <= ENVIRONMENT_LIMIT && text.length <= SIZE_LIMIT) return text;
  throw new CodedError({
    code: 'EXPORT_TOO_LARGE',
    message: `Couldn’t export the environments: a file is limited to ${ENVIRONMENT_LIMIT} environments and 1 MB. You have ${file.environments.length} environments.`,
    hint: 'Remove environments you don’t need, then export again.',
  });
}

function parse<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  throw new CodedError({
    code: 'IMPORT_INVALID',
    message: `Couldn’t import the file: ${invalidText(parsed.issues[0].path ?? [])} Nothing was imported.`,
    hint: 'Correct it in the browser that the file is from, then export it again.',
    details: issueDetails(parsed.issues),
  });
}

const FIELDS: Record<string, string> = {
  name: 'name',
  preset: 'preset',
  baseUrl: 'base URL',
  namespace: 'namespace',
  production: 'production mark',
  pageUrls: 'page URLs',
  token: 'token',
};

/** Names the environment and its field, if the path leads to one. */
function invalidText(path: readonly { key: unknown; value?: unknown }[]): string {
  const [list, environment, field] = path;
  const what = FIELDS[String(field?.key)];
  if (list?.key !== 'environments' || what === undefined) return 'some values are invalid.';
  const { name } = environment!.value as { name?: unknown };
  const which = typeof name === 'string' ? ` (“${visible(truncate(name, 80))}”)` : '';
  return `the ${what} of environment ${Number(environment!.key) + 1}${which} ${field!.key === 'pageUrls' ? 'are' : 'is'} invalid.`;
}

function refused(
  code: string,
  message: string,
  hint = 'Choose a file exported from this extension’s options page.',
): CodedError {
  return new CodedError({ code, message, hint });
}
