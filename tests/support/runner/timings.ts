/** Says what the tests of a run took, and which files take more than in the run before. Information, never a verdict. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Cost } from './file-cost.ts';

/** In milliseconds. */
export interface Timings {
  projects: ({ name: string; files: number } & Cost)[];
  /** By processor time, dearest first. Where it isn’t known, by wall time. */
  files: ({ file: string } & Cost)[];
}

const SHOWN = 15;
/** What a file takes varies by more than its double when it takes less than this, in milliseconds. */
const VARIATION = 2_000;

/** What the run before stored; nothing if there was none, or if it can’t be read. */
export async function readTimings(path: string): Promise<Timings> {
  try {
    const { projects, files } = JSON.parse(await readFile(path, 'utf8')) as Partial<Timings>;
    if (projects && files) return { projects, files };
  } catch {
    // It’s replaced at the end of this run.
  }
  return { projects: [], files: [] };
}

export async function writeTimings(path: string, timings: Timings): Promise<void> {
  const rounded = (_: string, value: unknown): unknown => (typeof value === 'number' ? Math.round(value) : value);
  await writeFile(path, JSON.stringify(timings, rounded, 1));
}

/** Sorts, and adds what the run before knew of files that weren’t run now. */
export function mergeTimings({ projects, files }: Timings, before: Timings): Timings {
  const now = new Set(files.map(({ file }) => file));
  const kept = before.files.filter(({ file }) => !now.has(file));
  return { projects, files: [...files, ...kept].toSorted((a, b) => weight(b) - weight(a)) };
}

/** The lines that `npm test` prints. */
export function describeTimings({ projects, files }: Timings, before: Timings): string[] {
  const known = new Map(before.files.map((each) => [each.file, each]));
  const slower = files.filter((each) => {
    const old = known.get(each.file);
    return old && weight(each) > 2 * weight(old) && weight(each) - weight(old) > VARIATION;
  });
  return [
    'Wall and processor time:',
    ...projects.map((each) => `${costOf(each)}  ${each.name}: ${each.files} files`),
    'Dearest files:',
    ...files
      .toSorted((a, b) => weight(b) - weight(a))
      .slice(0, SHOWN)
      .map((each) => `${costOf(each)}  ${each.file}`),
    ...slower.map(
      (each) => `${costOf(each)}  ${each.file} more than doubled: ${costOf(known.get(each.file)!).trim()} before`,
    ),
  ];
}

/** A busy machine lengthens wall time, but hardly processor time. */
const weight = ({ wall, processor }: Cost): number => processor ?? wall;

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`.padStart(9);
const costOf = ({ wall, processor }: Cost): string =>
  seconds(wall) + (processor === undefined ? '        –' : seconds(processor));
