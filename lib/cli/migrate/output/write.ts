/** Writes the files of a migrated action. Never overwrites what something else has written or changed. */
import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder } from '../../../local-platform/make-folder.ts';
import { realPathIn } from '../../../local-platform/real-path.ts';
import { CodedError } from '../../../platform-api/coded-error.ts';
import { isRecord } from '../../../shared/objects.ts';
import type { V3Draft } from '../../../migrate/index.ts';
import { notWritten as filesNotWritten, type Place, replaceFile, requireWithin } from '../../files.ts';
import type { ActionReport, Written } from '../types.ts';

export const CODE_FILE = 'action.v3.js';
const DRAFT_FILE = 'action.v3.json';
const REPORT_FILE = 'report.json';
const FORMAT = 'platform-devtools/migration';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The edited or generated code in the folder of an action. @throws CodedError `CODE_MISSING` */
export async function readCode(out: Place, folder: string): Promise<string> {
  const file = join(await actionFolder(out, folder), CODE_FILE);
  const code = await readText(out, file);
  if (code !== null) return code;
  throw new CodedError({
    code: 'CODE_MISSING',
    message: `Couldn’t read the code in ${file}.`,
    hint: 'Migrate the action first, without --prove.',
  });
}

/**
 * The other properties in the folder, which can have been edited. Null if there is no such file.
 * @throws CodedError `FILE_CHANGED` if they aren’t a JSON object
 */
export async function readDraft(out: Place, folder: string): Promise<V3Draft | null> {
  const file = join(await actionFolder(out, folder), DRAFT_FILE);
  const text = await readText(out, file);
  if (text === null) return null;
  try {
    const draft: unknown = JSON.parse(text);
    if (isRecord(draft)) return draft as unknown as V3Draft;
  } catch {
    // Not JSON.
  }
  throw changed(file, 'Remove it, so that it’s written again.');
}

/**
 * With `prove`, doesn’t write the code, and trusts the draft, which was read from the folder.
 * @throws CodedError `FILE_CHANGED`, `FILES_NOT_WRITTEN`
 */
export async function writeAction(
  out: Place,
  folder: string,
  { code, draft, report }: Written,
  { force, prove }: { force: boolean; prove: boolean },
): Promise<void> {
  const place = await actionFolder(out, folder);
  const texts: [name: string, text: string][] = [
    [DRAFT_FILE, json(draft)],
    // Last, since it says what the others were.
    [REPORT_FILE, json(report)],
  ];
  if (!prove) texts.unshift([CODE_FILE, code]);
  const earlier = await earlierReport(out, place);
  const isTrusted = (name: string): boolean => force || (prove && name === DRAFT_FILE);
  for (const [name, text] of texts) if (!isTrusted(name)) await requireOurs(out, join(place, name), text, earlier);
  try {
    await makeFolder(place);
    for (const [name, text] of texts) await replaceFile(join(place, name), text, { within: out.path });
  } catch (error) {
    throw notWritten(place, error);
  }
}

/** What `report.json` keeps to recognize the files later. */
export const digestsOf = ({ code, draft }: Pick<Written, 'code' | 'draft'>): ActionReport['generated'] => ({
  code: digestOf(code),
  draft: digestOf(json(draft)),
});

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The folder inside `out`. No link leads out of it, nor out of the current folder. */
async function actionFolder({ path, within }: Place, folder: string): Promise<string> {
  const place = join(path, folder);
  const info = await lstat(place).catch(() => null);
  if (info && !info.isDirectory()) throw notWritten(place, 'another file or a link has this name.');
  await requireWithin(place, within);
  return place;
}

type Earlier = { code?: unknown; draft?: unknown } | null;

/** What was written before. Null if there is no report of ours. */
async function earlierReport(out: Place, place: string): Promise<Earlier> {
  try {
    const report: unknown = JSON.parse((await readText(out, join(place, REPORT_FILE))) ?? '');
    return isRecord(report) && report.format === FORMAT && isRecord(report.generated) ? report.generated : null;
  } catch {
    return null;
  }
}

async function requireOurs(out: Place, file: string, text: string, earlier: Earlier): Promise<void> {
  const info = await lstat(file).catch(() => null);
  if (!info) return;
  const known = info.isFile() ? await readText(out, file) : null;
  if (known !== null && (known === text || isOurs(basename(file), known, earlier))) return;
  throw changed(file, 'Use --force to overwrite it, or --prove to prove the code as it is.');
}

const changed = (file: string, hint: string): CodedError =>
  new CodedError({
    code: 'FILE_CHANGED',
    message: `Couldn’t write ${file}: something else has written or changed it. Nothing in its folder was changed.`,
    hint,
  });

function isOurs(name: string, known: string, earlier: Earlier): boolean {
  if (name === CODE_FILE) return earlier?.code === digestOf(known);
  if (name === DRAFT_FILE) return earlier?.draft === digestOf(known);
  return earlier !== null;
}

/** Null if there’s no such file, or if a link leads out of the folder. */
async function readText({ path }: Place, file: string): Promise<string | null> {
  const real = await realPathIn(path, file).catch(() => null);
  return real && readFile(real, 'utf8').catch(() => null);
}

const notWritten = (place: string, cause: unknown): CodedError =>
  filesNotWritten(place, cause, 'Choose another folder with --out.');
