/** Errors of opening a recording that was stored, imported, or received. */
import type { ErrorValue } from '../../../platform-api/coded-error.ts';
import { RECORDING_VERSION } from '../format.ts';

/** Maximum size of a recording, in characters. A file that has more bytes needn't be read. */
export const RECORDING_FILE_LIMIT = 64 * 1024 * 1024;

const OTHER_FILE = 'Choose a .run.json file that was exported from a run.';
const RECORD_AGAIN = 'Export the recording again, or record the run again.';

/** Null if a recording of this size can be opened. In characters, or in bytes of a file. */
export function recordingTooLarge(size: number): ErrorValue | null {
  if (size <= RECORDING_FILE_LIMIT) return null;
  return {
    code: 'RECORDING_TOO_LARGE',
    message: `A recording is limited to ${megabytes(RECORDING_FILE_LIMIT)}. This one has ${megabytes(size)}.`,
    hint: 'Record the run again with less data.',
  };
}

const megabytes = (size: number): string => `${Math.ceil(size / 1024 / 1024).toLocaleString('en')} MB`;

export const RECORDING_CUT_OFF: ErrorValue = {
  code: 'RECORDING_NOT_JSON',
  message: 'Couldn’t open the recording: it’s cut off. Its end is missing.',
  hint: RECORD_AGAIN,
};

export const RECORDING_NOT_JSON: ErrorValue = {
  code: 'RECORDING_NOT_JSON',
  message: 'Couldn’t open the recording: it isn’t JSON.',
  hint: OTHER_FILE,
};

export const RECORDING_NOT_ONE: ErrorValue = {
  code: 'RECORDING_NOT_ONE',
  message: 'Couldn’t open the recording: the JSON isn’t the recording of a run.',
  hint: OTHER_FILE,
};

export const recordingNewer = (version: number): ErrorValue => ({
  code: 'RECORDING_NEWER',
  message: `Couldn’t open the recording: its format has version ${version}. Up to version ${RECORDING_VERSION} is supported.`,
  hint: 'Update Platform DevTools, then open the recording again.',
});

/** @param problem where and why, such as `steps[12].path is missing` */
export const recordingDamaged = (problem: string): ErrorValue => ({
  code: 'RECORDING_DAMAGED',
  message: `Couldn’t open the recording: ${problem}.`,
  hint: RECORD_AGAIN,
});
