/** Reads a file that the user imports: a recording of one run, or exported runs. */
import { recordingTooLarge } from '../../../../debugging/recording/file/recording-error.ts';
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';
import { RUN_FILE_FORMAT } from '../history/run-file.ts';

export interface ImportFile {
  kind: 'recording' | 'runs';
  text: string;
}

/** Characters in which a file says its format. */
const HEAD = 200;

/** A file that is too large isn’t read. */
export async function readImport(file: File): Promise<Result<ImportFile>> {
  try {
    const head = await file.slice(0, HEAD).text();
    const kind = head.includes(`"${RUN_FILE_FORMAT}"`) ? 'runs' : 'recording';
    const tooLarge = kind === 'recording' ? recordingTooLarge(file.size) : null;
    return tooLarge ? { ok: false, error: tooLarge } : { ok: true, value: { kind, text: await file.text() } };
  } catch {
    return { ok: false, error: UNREADABLE };
  }
}

const UNREADABLE: ErrorValue = {
  code: 'FILE_UNREADABLE',
  message: 'Couldn’t read the file: it was moved or removed, or it’s too large.',
  hint: 'Choose the file again.',
};
