/** Owns the file that carries environments from one browser to another: without tokens (version 1), or with them under a passphrase of its own (version 2). */
import * as v from 'valibot';
import { CodedError, EnvironmentInput, issueDetails } from '../../platform-api/index.ts';
import { Base64, toBase64 } from './bytes.ts';
import { DERIVATION, deriveKey, newDerivation, newIv } from './passphrase.ts';

const FORMAT = 'platform-devtools-environments';
const PLAIN = 1;
const SEALED = 2;
/** In characters; a hundred environments with the longest tokens need two thirds of it. */
const SIZE_LIMIT = 1024 * 1024;
const MOST = 100;
const TAG_BYTES = 16;
const TOKEN_BYTES = 4096;

const Entry = v.omit(EnvironmentInput, ['id', 'token']);
/** An environment in a file: all but its id and its token. */
export type Entry = v.InferOutput<typeof Entry>;
export interface TokenEntry extends Entry {
  token?: string | undefined;
}

const Head = v.looseObject({ format: v.literal(FORMAT), version: v.number() });
const TOO_MANY = `At most ${MOST} environments.`;
const PlainFile = v.object({ environments: v.pipe(v.array(Entry), v.maxLength(MOST, TOO_MANY)) });
const SealedToken = v.object({ iv: Base64(12, 12), sealed: Base64(TAG_BYTES + 1, TAG_BYTES + TOKEN_BYTES) });
const SealedFile = v.object({
  seal: v.object({ ...DERIVATION, salt: Base64(16, 64) }),
  environments: v.pipe(
    v.array(v.object({ ...Entry.entries, token: v.optional(SealedToken) })),
    v.maxLength(MOST, TOO_MANY),
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

/** What a file holds, before anything of it is unsealed. */
export interface FileRead {
  hasTokens: boolean;
  /** @throws CodedError `IMPORT_PASSPHRASE_NEEDED`, `IMPORT_PASSPHRASE_WRONG`, `IMPORT_INVALID` */
  entries(passphrase: string | undefined): Promise<TokenEntry[]>;
}

/** @throws CodedError `IMPORT_TOO_LARGE`, `IMPORT_NOT_JSON`, `IMPORT_OTHER_FILE`, `IMPORT_NEWER`, `IMPORT_INVALID` */
export function readFile(text: string): FileRead {
  if (text.length > SIZE_LIMIT)
    throw refused('IMPORT_TOO_LARGE', 'The file is larger than 1 MB, so it is no list of environments.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused('IMPORT_NOT_JSON', 'The file is no JSON.');
  }
  const head = v.safeParse(Head, value);
  if (!head.success) throw refused('IMPORT_OTHER_FILE', 'The file is not one that this page exported.');
  const { version } = head.output;
  if (version === PLAIN) {
    const { environments } = parse(PlainFile, value);
    return { hasTokens: false, entries: () => Promise.resolve(environments) };
  }
  if (version !== SEALED)
    throw refused(
      'IMPORT_NEWER',
      `The file has version ${version}; this extension reads versions ${PLAIN} and ${SEALED}.`,
      'Update the extension.',
    );
  const file = parse(SealedFile, value);
  const hasTokens = file.environments.some(({ token }) => token !== undefined);
  return { hasTokens, entries: (passphrase) => unsealed(file, hasTokens ? passphrase : '') };
}

async function unsealed(
  { seal, environments }: v.InferOutput<typeof SealedFile>,
  passphrase: string | undefined,
): Promise<TokenEntry[]> {
  if (passphrase === undefined)
    throw new CodedError({
      code: 'IMPORT_PASSPHRASE_NEEDED',
      message: 'The file holds tokens, which are sealed.',
      hint: 'Enter the passphrase that it was exported with.',
    });
  const key = await deriveKey(passphrase, seal);
  const entries = await Promise.all(
    environments.map(async ({ token, ...entry }) => {
      if (!token) return entry;
      const opened = await crypto.subtle.decrypt(parameters(token.iv, entry), key, token.sealed).catch(() => {
        throw new CodedError({
          code: 'IMPORT_PASSPHRASE_WRONG',
          message:
            'The passphrase is not the one of this file, or the file was changed after it was exported. Nothing was imported.',
          hint: 'Try the passphrase again, or export the file anew.',
        });
      });
      return { ...entry, token: new TextDecoder().decode(opened) };
    }),
  );
  return entries.map((entry) => ('token' in entry ? { ...entry, ...parse(Token, entry) } : entry));
}

/** What a sealed token is bound to: it opens in no other format, version, environment or address. */
function parameters(iv: Uint8Array<ArrayBuffer>, entry: Entry): AesGcmParams {
  return {
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(JSON.stringify([FORMAT, SEALED, plain(entry)])),
  };
}

/** In one order, without what does not belong in a file. */
const plain = ({ name, preset, baseUrl, namespace, production }: Entry): Entry => ({
  name,
  preset,
  baseUrl,
  namespace,
  production,
});

function written(file: { format: string; version: number; seal?: unknown; environments: readonly unknown[] }): string {
  const text = `${JSON.stringify(file, null, 2)}\n`;
  // What could not be read back is not handed out.
  if (file.environments.length <= MOST && text.length <= SIZE_LIMIT) return text;
  throw new CodedError({
    code: 'EXPORT_TOO_LARGE',
    message: `A file holds at most ${MOST} environments, and 1 MB; these are ${file.environments.length}.`,
    hint: 'Remove those that nobody needs, and export again.',
  });
}

function parse<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const details = issueDetails(parsed.issues);
  throw new CodedError({
    code: 'IMPORT_INVALID',
    message: 'Something in the file is invalid, so nothing was imported.',
    hint: 'Correct what is listed, or export the file anew.',
    details,
  });
}

function refused(
  code: string,
  message: string,
  hint = 'Choose a file that was exported on an options page of this extension.',
): CodedError {
  return new CodedError({ code, message, hint });
}
