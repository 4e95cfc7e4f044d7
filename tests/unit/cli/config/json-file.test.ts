/** Changes of small JSON files, which processes make one after the other. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { commandSignal } from '../../../../lib/cli/command/signal.ts';
import { changeJsonFile, type JsonFile } from '../../../../lib/cli/config/json-file.ts';

let folder: string;
let file: JsonFile<Record<string, number>>;
beforeEach(async () => {
  const made = await mkdtemp(join(tmpdir(), 'json-file-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  folder = made;
  file = {
    path: join(folder, 'config.json'),
    schema: v.record(v.string(), v.number()),
    code: 'CONFIG_INVALID',
    empty: {},
  };
});

const add = (name: string): Promise<void> => changeJsonFile(file, (all) => ({ ...all, [name]: 1 }));
const content = async (): Promise<unknown> => JSON.parse(await readFile(file.path, 'utf8'));

describe('a lock', () => {
  const lockedAt = async (time: Date): Promise<void> => {
    await mkdir(`${file.path}.lock`);
    await utimes(`${file.path}.lock`, time, time);
  };

  it.each([
    ['a minute ago, by a process that was killed', -60_000],
    ['in an hour, before the clock was set back', 3_600_000],
    ['in 70 years', 70 * 365 * 86_400_000],
  ])('from %s, is taken over', async (_when, distance) => {
    await lockedAt(new Date(Date.now() + distance));
    await add('a');
    expect(await content()).toEqual({ a: 1 });
    expect(await readdir(folder)).toEqual(['config.json']);
  });

  it('that another process has is waited for until the command is interrupted, and nothing is changed', async () => {
    await writeFile(file.path, '{"before":1}');
    // In a few seconds: it’s neither old nor too far in the future while this test runs.
    await lockedAt(new Date(Date.now() + 4_000));
    const controller = new AbortController();
    const changed = commandSignal.run(controller.signal, () => add('a'));
    controller.abort();
    await expect(changed).rejects.toMatchObject({
      code: 'FILES_NOT_WRITTEN',
      message: `Couldn’t write ${file.path}: another process is changing it.`,
      value: { hint: `Try again. If no other command is running, remove ${file.path}.lock.` },
    });
    expect(await content()).toEqual({ before: 1 });
  });

  describe('that another process took over while this one was suspended', () => {
    /** What the other process does in the middle of the first change. */
    const addAfter = (meanwhile: () => void): Promise<void> => {
      let first = true;
      return changeJsonFile(file, (all) => {
        if (first) meanwhile();
        first = false;
        return { ...all, a: 1 };
      });
    };
    const takeOver = (): void => {
      rmSync(`${file.path}.lock`, { recursive: true });
      writeFileSync(file.path, '{"other":1}');
    };

    it('is taken again, so that the change of the other one stays', async () => {
      await addAfter(takeOver);
      expect(await content()).toEqual({ other: 1, a: 1 });
      expect(await readdir(folder)).toEqual(['config.json']);
    });

    it('is waited for, and not removed', async () => {
      const controller = new AbortController();
      const changed = commandSignal.run(controller.signal, () =>
        addAfter(() => {
          takeOver();
          mkdirSync(`${file.path}.lock`);
          writeFileSync(join(`${file.path}.lock`, 'theirs'), '');
          controller.abort();
        }),
      );
      await expect(changed).rejects.toMatchObject({ code: 'FILES_NOT_WRITTEN' });
      expect(await content()).toEqual({ other: 1 });
      expect(await readdir(`${file.path}.lock`)).toEqual(['theirs']);
    });
  });

  it('isn’t a file of the same name, which is never removed', async () => {
    await writeFile(`${file.path}.lock`, '');
    await utimes(`${file.path}.lock`, 0, 0);
    const controller = new AbortController();
    const changed = commandSignal.run(controller.signal, () => add('a'));
    controller.abort();
    await expect(changed).rejects.toMatchObject({ code: 'FILES_NOT_WRITTEN' });
    expect(await readdir(folder)).toEqual(['config.json.lock']);
  });

  it('doesn’t keep an interrupted command from storing what it has done', async () => {
    const controller = new AbortController();
    controller.abort();
    await commandSignal.run(controller.signal, () => add('a'));
    expect(await content()).toEqual({ a: 1 });
  });
});

it.each(['/proc/no/such', '/dev/null/x', '/proc'])(
  'a file in %s, where nothing can be made, is an error',
  async (place) => {
    file = { ...file, path: join(place, 'config.json') };
    await expect(add('a')).rejects.toMatchObject({ code: expect.stringMatching(/^FILES?_NOT_(READ|WRITTEN)$/) });
  },
);

it('its folder and itself are for their owner only', async () => {
  file = { ...file, path: join(folder, 'new', 'config.json') };
  await add('a');
  expect([(await stat(join(folder, 'new'))).mode & 0o777, (await stat(file.path)).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
});

it('a link to it, as tools for dotfiles make one, stays', async () => {
  await mkdir(join(folder, 'dotfiles'));
  await writeFile(join(folder, 'dotfiles', 'config.json'), '{}', { mode: 0o644 });
  await symlink(join('dotfiles', 'config.json'), file.path);
  await add('a');
  expect(await readlink(file.path)).toBe(join('dotfiles', 'config.json'));
  expect(await content()).toEqual({ a: 1 });
  expect((await stat(file.path)).mode & 0o777).toBe(0o600);
});

it('one in a repository isn’t written through a link that leads out of its folder', async () => {
  const outside = join(folder, 'outside');
  await writeFile(outside, '{}');
  await mkdir(join(folder, 'actions'));
  file = { ...file, path: join(folder, 'actions', 'state.json'), isShared: true };
  await symlink(outside, file.path);
  await expect(add('a')).rejects.toMatchObject({ code: 'FILES_NOT_WRITTEN' });
  expect(await readFile(outside, 'utf8')).toBe('{}');
});
