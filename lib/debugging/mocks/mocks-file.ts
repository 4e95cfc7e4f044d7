/** Reads and writes files of mocks. */
import * as v from 'valibot';
import { type ErrorValue, issueDetails, type Result } from '../../platform-api/errors.ts';
import { Mock } from '../../platform-api/runs/mock.ts';
import { formatCount } from '../../shared/format.ts';
import { isRecord } from '../../shared/objects.ts';
import type { MockSet } from './types.ts';

export const MOCKS_FORMAT = 'platform-devtools/mocks';
export const MOCKS_VERSION = 1;
/** Maximum size of a file, in characters. */
export const MOCKS_FILE_LIMIT = 16 * 1024 * 1024;

const NAME_LIMIT = 200;
const nameIssue = `A set needs a name of 1 to ${NAME_LIMIT} characters.`;

const File = v.object({
  sets: v.array(
    v.strictObject(
      {
        name: v.pipe(v.string(nameIssue), v.nonEmpty(nameIssue), v.maxLength(NAME_LIMIT, nameIssue)),
        mocks: v.array(Mock, 'mocks must be an array.'),
      },
      'A set must be an object with a name and mocks.',
    ),
    'sets must be an array.',
  ),
});

export const writeMocks = (sets: readonly MockSet[]): string =>
  `${JSON.stringify({ format: MOCKS_FORMAT, version: MOCKS_VERSION, sets }, null, 2)}\n`;

/** Errors: `MOCKS_TOO_LARGE`, `MOCKS_NOT_JSON`, `MOCKS_NOT_ONE`, `MOCKS_NEWER`, `MOCKS_DAMAGED` with details. */
export function parseMocks(text: string): Result<MockSet[]> {
  if (text.length > MOCKS_FILE_LIMIT) return refuse(tooLarge(text.length));
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuse(NOT_JSON);
  }
  if (!isRecord(json) || json['format'] !== MOCKS_FORMAT) return refuse(NOT_ONE);
  const { version } = json;
  if (typeof version === 'number' && version > MOCKS_VERSION) return refuse(newer(version));
  const file = v.safeParse(File, version === MOCKS_VERSION ? json : null);
  return file.success ? { ok: true, value: file.output.sets } : refuse(damaged(issueDetails(file.issues)));
}

const refuse = (error: ErrorValue): Result<never> => ({ ok: false, error });

const EXPORT_AGAIN = 'Export the mocks again, or correct the file.';

const NOT_JSON: ErrorValue = {
  code: 'MOCKS_NOT_JSON',
  message: 'Couldn’t read the mocks: the file isn’t JSON, or it’s cut off.',
  hint: EXPORT_AGAIN,
};
const NOT_ONE: ErrorValue = {
  code: 'MOCKS_NOT_ONE',
  message: 'Couldn’t read the mocks: the JSON isn’t a file of mocks.',
  hint: 'Choose a file that was exported from the mocks of an action.',
};

const tooLarge = (characters: number): ErrorValue => ({
  code: 'MOCKS_TOO_LARGE',
  message: `A file of mocks is limited to ${formatCount(MOCKS_FILE_LIMIT)} characters. This one has ${formatCount(characters)}.`,
  hint: 'Remove large values from the mocks, or export fewer sets.',
});
const newer = (version: number): ErrorValue => ({
  code: 'MOCKS_NEWER',
  message: `Couldn’t read the mocks: the file has format version ${version}, and this version reads up to ${MOCKS_VERSION}.`,
  hint: 'Update Platform DevTools, then try again.',
});
const damaged = (details: { path: string; message: string }[]): ErrorValue => {
  const [first] = details;
  return {
    code: 'MOCKS_DAMAGED',
    message: `Couldn’t read the mocks: ${first?.path ? `${first.path}: ` : ''}${first?.message ?? 'the file is damaged.'}`,
    hint: EXPORT_AGAIN,
    // The message has the only one already.
    ...(details.length > 1 && { details }),
  };
};
