/** Reading and replacing the files that commands work with. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { commandSignal } from '../../../lib/cli/command/signal.ts';
import { readText, textOf } from '../../../lib/cli/files.ts';

let folder: string;
beforeEach(async () => {
  const made = await mkdtemp(join(tmpdir(), 'files-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  folder = made;
});

describe('a pipe', () => {
  let pipe: string;
  beforeEach(() => {
    pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
  });

  it('is read to its end, also if nothing writes to it yet', async () => {
    const text = readText(pipe);
    await writeFile(pipe, 'tök');
    expect(await text).toBe('tök');
  });

  it('that never ends is left when the command is interrupted, also if nothing has ever written to it', async () => {
    const controller = new AbortController();
    const [silent, open_] = commandSignal.run(controller.signal, () => [readText(pipe), open(pipe, 'w')] as const);
    await (await open_).close();
    expect(await silent).toBe('');
    const waiting = commandSignal.run(controller.signal, () => readText(pipe));
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

it('standard input that never ends is left when the command is interrupted', async () => {
  const controller = new AbortController();
  const input = new PassThrough();
  const text = commandSignal.run(controller.signal, () => textOf(input, 'standard input'));
  input.write('the first part');
  controller.abort();
  await expect(text).rejects.toMatchObject({ code: 'ABORTED', message: 'Nothing was changed.' });
  expect(input.destroyed).toBe(true);
});

it.each(['/dev/zero', '.'])('%s, which has no end or no content, isn’t read', async (file) => {
  await expect(readText(file)).rejects.toMatchObject({ code: 'FILE_NOT_READ' });
});

it('says which limit a file exceeds', async () => {
  await writeFile(join(folder, 'large'), 'x'.repeat(1025 * 1024));
  await expect(readText(join(folder, 'large'), 1024 * 1024)).rejects.toThrow(
    `Couldn’t read ${join(folder, 'large')}: files are limited to 1 MB.`,
  );
});
