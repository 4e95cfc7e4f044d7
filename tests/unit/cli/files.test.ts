/** Reading and replacing the files that commands work with. */
import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { commandSignal } from '../../../lib/cli/command/signal.ts';
import { readText, replaceFile, textOf } from '../../../lib/cli/files.ts';

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
  await expect(readText(join(folder, 'large'), { limit: 1024 * 1024 })).rejects.toThrow(
    `Couldn’t read ${join(folder, 'large')}: files are limited to 1 MB.`,
  );
});

describe('a file that is replaced', () => {
  const isAdministrator = process.getuid?.() === 0;
  let file: string;
  beforeEach(async () => {
    file = join(folder, 'file');
    await writeFile(file, 'before');
  });
  const modeOf = async (path = file): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

  it.each(['755', '664', '600'])('keeps its mode %s', async (mode) => {
    await chmod(file, mode);
    await replaceFile(file, 'after');
    expect([await readFile(file, 'utf8'), await modeOf()]).toEqual(['after', mode]);
  });

  it('that is private is for its owner only, whatever it was', async () => {
    await chmod(file, 0o664);
    await replaceFile(file, 'after', { isPrivate: true });
    await replaceFile(join(folder, 'new'), 'new', { isPrivate: true });
    expect([await modeOf(), await modeOf(join(folder, 'new'))]).toEqual(['600', '600']);
  });

  it('keeps its owner if an administrator replaces it', async () => {
    if (isAdministrator) await chown(file, 65_532, 65_532);
    const { uid, gid } = await stat(file);
    await replaceFile(file, 'after');
    expect(await stat(file)).toMatchObject({ uid, gid });
  });

  it('keeps the links to it, also through several', async () => {
    await mkdir(join(folder, 'links'));
    await symlink('../file', join(folder, 'links', 'one'));
    await symlink('one', join(folder, 'links', 'two'));
    await replaceFile(join(folder, 'links', 'two'), 'after', { within: folder });
    expect(await readFile(file, 'utf8')).toBe('after');
    expect(await readlink(join(folder, 'links', 'two'))).toBe('one');
    expect((await readdir(join(folder, 'links'))).toSorted()).toEqual(['one', 'two']);
  });

  it.each([
    ['out of the folder', '../file', 'a link leads out of'],
    ['to a device', '/dev/null', 'a link leads out of'],
    ['to nothing', 'missing', 'it’s a link to a file that doesn’t exist.'],
  ])('isn’t one behind a link that leads %s', async (_where, target, message) => {
    const within = join(folder, 'project');
    await mkdir(within);
    await symlink(target, join(within, 'link'));
    await expect(replaceFile(join(within, 'link'), 'after', { within })).rejects.toMatchObject({
      code: 'FILES_NOT_WRITTEN',
      message: expect.stringContaining(`Couldn’t write ${join(within, 'link')}: ${message}`),
    });
    expect(await readFile(file, 'utf8')).toBe('before');
    expect(await readdir(within)).toEqual(['link']);
  });

  it('isn’t one in a folder that a link leads out of, also if it doesn’t exist yet', async () => {
    const within = join(folder, 'project');
    await Promise.all([mkdir(within), mkdir(join(folder, 'outside'))]);
    await symlink('../outside', join(within, 'link'));
    for (const name of ['new', join('missing', 'new')])
      await expect(replaceFile(join(within, 'link', name), 'after', { within })).rejects.toMatchObject({
        code: 'FILES_NOT_WRITTEN',
        message: `Couldn’t write ${join(within, 'link', name)}: a link leads out of ${within}.`,
      });
    expect(await readdir(join(folder, 'outside'))).toEqual([]);
  });

  it('isn’t one that is write-protected', async () => {
    await chmod(file, 0o444);
    await expect(replaceFile(file, 'after')).rejects.toMatchObject({
      code: 'FILES_NOT_WRITTEN',
      message: `Couldn’t write ${file}: it’s write-protected.`,
      value: { hint: 'Make it writable, or choose another path.' },
    });
    expect([await readFile(file, 'utf8'), await modeOf(), await readdir(folder)]).toEqual(['before', '444', ['file']]);
  });

  it('leaves what another name of it (a hard link) has', async () => {
    await link(file, join(folder, 'other'));
    await replaceFile(file, 'after');
    expect(await readFile(join(folder, 'other'), 'utf8')).toBe('before');
  });

  it('isn’t a pipe, which gets the text and stays', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [text] = await Promise.all([readFile(pipe, 'utf8'), replaceFile(pipe, 'after')]);
    expect(text).toBe('after');
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });
});
