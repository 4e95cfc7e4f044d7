/** Owns the file that carries environments from one browser to another: never their tokens. */
import * as v from 'valibot';
import type { Environment } from '../../lib/contract/index.ts';
import { CodedError, EnvironmentInput, issueDetails } from '../../lib/contract/index.ts';

const FORMAT = 'platform-devtools-environments';
const VERSION = 1;
/** In characters; a hundred environments need a fraction of it. */
const SIZE_LIMIT = 1024 * 1024;

const Head = v.looseObject({ format: v.literal(FORMAT), version: v.number() });
const Entry = v.omit(EnvironmentInput, ['id', 'token']);
const File = v.looseObject({ environments: v.pipe(v.array(Entry), v.maxLength(100, 'At most 100 environments.')) });
export type Entry = v.InferOutput<typeof Entry>;

export function exportEnvironments(environments: readonly Environment[]): string {
  const entries = environments.map(({ name, preset, baseUrl, namespace, production }) => ({ name, preset, baseUrl, namespace, production }));
  return `${JSON.stringify({ format: FORMAT, version: VERSION, environments: entries }, null, 2)}\n`;
}

/** @throws CodedError `IMPORT_TOO_LARGE`, `IMPORT_NOT_JSON`, `IMPORT_OTHER_FILE`, `IMPORT_NEWER`, `IMPORT_INVALID` */
export function readImport(text: string): Entry[] {
  if (text.length > SIZE_LIMIT) throw refused('IMPORT_TOO_LARGE', 'The file is larger than 1 MB, so it is no list of environments.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused('IMPORT_NOT_JSON', 'The file is no JSON.');
  }
  const head = v.safeParse(Head, value);
  if (!head.success) throw refused('IMPORT_OTHER_FILE', 'The file is not one that this page exported.');
  if (head.output.version !== VERSION) throw refused('IMPORT_NEWER', `The file has version ${head.output.version}; this extension reads version ${VERSION}.`, 'Update the extension.');
  const file = v.safeParse(File, value);
  if (file.success) return file.output.environments;
  const details = issueDetails(file.issues);
  throw new CodedError({ code: 'IMPORT_INVALID', message: 'An environment in the file is invalid, so nothing was imported.', next: 'Correct what is listed, and choose the file again.', details });
}

/** Those that are not there yet, by name and address. */
export function newOnes(entries: readonly Entry[], environments: readonly Environment[]): Entry[] {
  const key = ({ name, baseUrl }: { name: string; baseUrl: string }): string => JSON.stringify([name, baseUrl]);
  const there = new Set(environments.map(key));
  return entries.filter((entry) => !there.has(key(entry)) && there.add(key(entry)));
}

function refused(code: string, message: string, next = 'Choose a file that was exported on an options page of this extension.'): CodedError {
  return new CodedError({ code, message, next });
}
