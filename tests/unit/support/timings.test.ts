/** What `npm test` says about the time that it took. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  describeTimings,
  mergeTimings,
  readTimings,
  type Timings,
  writeTimings,
} from '../../support/runner/timings.ts';

const NOTHING: Timings = { projects: [], files: [] };
const file = (name: string, processor: number, wall = processor): Timings['files'][number] => ({
  file: name,
  wall,
  processor,
});
const withFiles = (...files: Timings['files']): Timings => ({ projects: [], files });

async function temporaryPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'timings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'timings.json');
}

describe('what a run prints', () => {
  it('has wall and processor time of each project', () => {
    const projects = [{ name: 'unit', files: 3, wall: 61_000, processor: 120_400 }];
    expect(describeTimings({ projects, files: [] }, NOTHING)).toContain('   61.0 s  120.4 s  unit: 3 files');
  });

  it('names the 15 files with the most processor time, dearest first', () => {
    const files = Array.from({ length: 20 }, (_, n) => file(`file ${n}`, n * 1_000, 1_000_000 - n));
    const lines = describeTimings(withFiles(...files), NOTHING);
    const named = lines.slice(lines.indexOf('Dearest files:') + 1).map((line) => line.slice(20));
    expect(named).toEqual(Array.from({ length: 15 }, (_, n) => `file ${19 - n}`));
  });

  it('names a file that more than doubled', () => {
    const lines = describeTimings(withFiles(file('a', 9_000)), withFiles(file('a', 4_000)));
    expect(lines.at(-1)).toMatch(/ a more than doubled: 4\.0 s +4\.0 s before$/);
  });

  it.each([
    ['doubled exactly', 8_000, 4_000],
    ['is short', 2_000, 500],
    ['is new', 9_000, undefined],
  ])('doesn’t call a file slower that %s', (_, now, before) => {
    const old = before === undefined ? NOTHING : withFiles(file('a', before));
    expect(describeTimings(withFiles(file('a', now)), old).join('\n')).not.toContain('doubled');
  });

  it('doesn’t call a file slower because the machine was busy', () => {
    expect(describeTimings(withFiles(file('a', 4_000, 90_000)), withFiles(file('a', 4_000))).join()).not.toContain(
      'doubled',
    );
  });

  it('has wall times where processor time isn’t known', () => {
    expect(describeTimings(withFiles({ file: 'a', wall: 3_000 }), NOTHING)).toContain('    3.0 s        –  a');
  });
});

describe('stored timings', () => {
  it('keep files that a shorter run left out, dearest first', () => {
    const merged = mergeTimings(withFiles(file('a', 1)), withFiles(file('a', 5), file('b', 3)));
    expect(merged.files).toEqual([file('b', 3), file('a', 1)]);
  });

  it('are read as they were written', async () => {
    const path = await temporaryPath();
    await writeTimings(path, withFiles(file('a', 1)));
    expect(await readTimings(path)).toEqual(withFiles(file('a', 1)));
  });

  it.each([
    ['that were cut off', '{"projects": ['],
    ['of another form', '[]'],
  ])('%s count as none', async (_, text) => {
    const path = await temporaryPath();
    await writeFile(path, text);
    expect(await readTimings(path)).toEqual(NOTHING);
  });
});
