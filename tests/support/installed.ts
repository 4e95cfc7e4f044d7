/** Runs commands of the installed package in an empty project. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type PackedProject, projectEnvironment } from './packed-project.ts';

export interface Ended {
  code: number | NodeJS.Signals | null;
  out: string;
  err: string;
}

/** In the environment of everything that a started program starts. Browsers have process groups of their own. */
const MARK = 'PLATFORM_DEVTOOLS_TEST_COMMAND';

export interface Started {
  child: ChildProcess;
  /** The value of the mark. */
  id: string;
  /** Resolves with the output once it matches. Rejects if the process ends before. */
  printed(pattern: RegExp): Promise<string>;
  ended: Promise<Ended>;
}

/** Starts a program in the project, with a process group of its own. It’s killed when the test ends. */
export function startIn(
  { folder }: PackedProject,
  program: string,
  args: string[],
  options: SpawnOptions = {},
): Started {
  const id = randomUUID();
  const home = join(folder, 'home');
  const env = { ...projectEnvironment(), PLATFORM_DEVTOOLS_HOME: home, ...options.env, [MARK]: id };
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const child = spawn(program, args, { cwd: folder, ...options, env, stdio: [...stdio], detached: true });
  let out = '';
  let err = '';
  child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]): Ended => ({
    code: (code as number | null) ?? (signal as NodeJS.Signals | null),
    out,
    err,
  }));
  onTestFinished(() => void signalGroup(child, 'SIGKILL'));
  const printed = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(out)) {
      const more = await Promise.race([once(child.stdout!, 'data').then(() => true), ended.then(() => false)]);
      if (!more && !pattern.test(out)) throw new Error(`It ended without ${pattern}:\n${out}${err}`);
    }
    return out;
  };
  return { child, id, printed, ended };
}

/** Presses Ctrl+C, as a terminal does: every process of the group gets the signal. */
export async function interrupt({ child, ended }: Started): Promise<Ended> {
  signalGroup(child, 'SIGINT');
  return ended;
}

/** Waits until everything that the program started has ended. Where the system doesn’t say it, only its group counts. */
export async function expectNothingLeft(started: Started): Promise<void> {
  await expect.poll(() => leftOf(started), { timeout: 60_000 }).toEqual([]);
}

async function leftOf({ child, id }: Started): Promise<string[]> {
  const left = signalGroup(child, 0) ? ['its group'] : [];
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of processes) {
    const [variables, line] = await Promise.all(
      ['environ', 'cmdline'].map((file) => readFile(join('/proc', pid, file), 'utf8').catch(() => '')),
    );
    if (variables!.includes(`${MARK}=${id}`)) left.push(line!.replaceAll('\0', ' '));
  }
  return left;
}

/** False if the group has no process. */
function signalGroup({ pid = 0 }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** A folder of the project that only this test uses, such as for a cache. */
export async function folderIn({ folder }: PackedProject, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  return path;
}
