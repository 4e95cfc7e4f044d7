/** Writes ZIP archives whose bytes depend only on the names and contents of their files. */
import { type Zippable, zipSync } from 'fflate';

/** By path in the archive, with “/” between folders. */
export type Files = ReadonlyMap<string, Uint8Array>;

const UNIX = 3;
const REGULAR_FILE = 0o100644;

/** Not with Node’s zlib, whose output differs between versions and processors. */
export function zip(files: Files): Uint8Array {
  const entries: Zippable = {};
  // Archives store local time. This is the first day that the format has.
  const mtime = new Date(1980, 0, 1);
  for (const name of [...files.keys()].sort())
    entries[name] = [files.get(name)!, { level: 9, mtime, os: UNIX, attrs: REGULAR_FILE << 16 }];
  return zipSync(entries);
}
