/** Tests opening recordings: files and texts, also damaged ones. */
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingOfFile, recordingOfText, summaryOf } from '../../../../lib/cli/operations/recordings.ts';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { record } from '../../debugging/record.ts';

let folder: string;
let recording: Recording;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  ({ recording } = await record([{ function: 'give' }], { give: () => ({ total: 3n }) }));
});
afterAll(() => rm(folder, { recursive: true }));

const file = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};
const codeOf = (path: string): Promise<unknown> =>
  recordingOfFile(path).then(
    () => null,
    (error: unknown) => (error as { code?: unknown }).code,
  );

describe('a file with a recording', () => {
  it('is opened', async () => {
    expect(await recordingOfFile(await file('good.run.json', JSON.stringify(recording)))).toEqual(recording);
  });

  it('is refused with a code if it’s missing, a folder, cut off, no recording, newer, damaged, or too large', async () => {
    const text = JSON.stringify(recording);
    expect(await codeOf(join(folder, 'missing.run.json'))).toBe('FILE_NOT_READ');
    expect(await codeOf(folder)).toBe('FILE_NOT_READ');
    expect(await codeOf(await file('cut.run.json', text.slice(0, -20)))).toBe('RECORDING_NOT_JSON');
    expect(await codeOf(await file('other.run.json', '{"apps": []}'))).toBe('RECORDING_NOT_ONE');
    expect(await codeOf(await file('newer.run.json', text.replace('"version":1', '"version":99')))).toBe(
      'RECORDING_NEWER',
    );
    const damaged = JSON.stringify({ ...recording, steps: 'none' });
    expect(await codeOf(await file('damaged.run.json', damaged))).toBe('RECORDING_DAMAGED');
    const huge = await file('huge.run.json', text);
    // Larger than what Node reads.
    await truncate(huge, 3 * 1024 ** 3);
    expect(await codeOf(huge)).toBe('RECORDING_TOO_LARGE');
  });

  it('is named in the message of an error', async () => {
    const path = await file('named.run.json', '{');
    await expect(recordingOfFile(path)).rejects.toThrow(`${path}: Couldn’t open the recording: it’s cut off.`);
    expect(() => recordingOfText('{')).toThrow(/^Couldn’t open the recording/);
  });
});

describe('the summary of a recording', () => {
  it('has what JSON can’t have as marks', () => {
    expect(summaryOf(recording)).toMatchObject({
      engine: 'ours',
      steps: 1,
      lost: 0,
      end: { state: 'completed', result: { total: { $: 'bigint', value: '3' } } },
    });
  });

  it('has the error of a failed run, with its place', async () => {
    const failed = await record([{ function: 'refuse' }], {
      refuse: () => {
        throw new Error('no');
      },
    });
    expect(summaryOf(failed.recording).end).toEqual({
      state: 'failed',
      error: { name: 'PipelineError', message: 'refuse failed: no', code: 'STEP_FAILED', path: '/0', iteration: [] },
    });
  });
});
