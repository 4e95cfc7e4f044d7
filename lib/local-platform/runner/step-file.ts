/**
 * Keeps a run’s last steps in a file that its process overwrites. A process that hangs or is killed can’t report them,
 * and a pipe would wake the platform at every step.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StepPlace } from '../../actions/run-failure.ts';

/** Each of the last steps has a slot of this many bytes (child.cjs), enough for 100 nested loops and ifs. */
const SLOT = 4096;
const SLOTS = 8;
/** The size of the file, in bytes. */
export const STEP_FILE_SIZE = SLOT * SLOTS;

export interface StepFile {
  /** The process’s file descriptor 3. */
  stdio: number | 'ignore';
  /** The last started steps, oldest first. */
  read(): StepPlace[];
  close(): void;
}

/** In memory where possible, since every run has such a file. */
const FOLDERS = process.platform === 'linux' ? ['/dev/shm', tmpdir()] : [tmpdir()];

/** Without a place for the file, runs work, but the trace of a stopped run is empty. */
export function openStepFile(folders = FOLDERS): StepFile {
  const [folder, ...others] = folders;
  if (folder === undefined) return { stdio: 'ignore', read: () => [], close: () => {} };
  const path = join(folder, `platform-run-${randomUUID()}`);
  let fd: number;
  try {
    fd = openSync(path, 'wx+', 0o600);
  } catch {
    return openStepFile(others);
  }
  // The processes’ descriptors keep the file. Elsewhere than on Windows, it needs no name.
  const remove = (): void => rmSync(path, { force: true });
  if (process.platform !== 'win32') remove();
  try {
    // Reserves the space, so that a full disk doesn’t lose a step later.
    writeSync(fd, Buffer.alloc(STEP_FILE_SIZE), 0, STEP_FILE_SIZE, 0);
  } catch {
    // The steps are lost if the disk stays full.
  }
  return {
    stdio: fd,
    read() {
      const bytes = Buffer.alloc(STEP_FILE_SIZE);
      readSync(fd, bytes, 0, STEP_FILE_SIZE, 0);
      return Array.from({ length: SLOTS }, (_, index) => bytes.toString('latin1', index * SLOT, (index + 1) * SLOT))
        .map((slot) => /^(\d{1,15}) (\/[\w/]*)((?: \d{1,15})*)\n/.exec(slot))
        .filter((found) => found !== null)
        .toSorted(([, a], [, b]) => Number(a) - Number(b))
        .map(([, , stepPath, iteration]) => ({
          path: stepPath!,
          iteration: iteration!.split(' ').slice(1).map(Number),
        }));
    },
    close() {
      closeSync(fd);
      if (process.platform === 'win32') remove();
    },
  };
}
