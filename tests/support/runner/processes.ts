/** Finds and ends every process of a test run, including those that left its process group or lost their parent, such as browsers. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Set in the environment of everything that a run starts. */
export const RUN_VARIABLE = 'PLATFORM_DEVTOOLS_TEST_RUN';

/** How long ended processes may take to disappear, in milliseconds. */
const LIMIT = 10_000;

export const newRunId = (): string => `${process.pid}-${randomUUID()}`;

interface Process {
  pid: number;
  parent: number;
  isDead: boolean;
}

/** Kills what the run `id` started below this process, and waits until none of it is left. */
export async function endProcesses(id: string, root = process.pid): Promise<void> {
  const end = performance.now() + LIMIT;
  const killed = new Set<number>();
  for (;;) {
    const found = processesOf(id, root);
    // A process that is ending has lost its environment and may have lost its parent, so it’s no longer found.
    const ending = [...killed].filter(isRunning);
    if (found.length === 0 && ending.length === 0) return;
    if (performance.now() > end) throw new Error(`Couldn’t end the processes ${[...found, ...ending].join(', ')}.`);
    for (const pid of found) {
      kill(pid);
      killed.add(pid);
    }
    await pause(50);
  }
}

/** Process ids of all descendants of `root`, and of all processes that carry the run’s id, with their descendants. */
export function processesOf(id: string, root = process.pid): number[] {
  const all = listProcesses();
  const found = new Set<number>();
  const add = (pid: number): void => {
    for (const child of all) {
      if (child.parent !== pid || found.has(child.pid)) continue;
      found.add(child.pid);
      add(child.pid);
    }
  };
  add(root);
  for (const { pid } of all)
    if (pid !== root && !found.has(pid) && carriesId(pid, id)) {
      found.add(pid);
      add(pid);
    }
  found.delete(root);
  return all.filter(({ pid, isDead }) => found.has(pid) && !isDead).map(({ pid }) => pid);
}

/** Whether the process still runs. A terminated process stays listed until its parent reads its exit code. */
export function isRunning(pid: number): boolean {
  return listProcesses().some((each) => each.pid === pid && !each.isDead);
}

function kill(pid: number): void {
  try {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    else process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in between.
  }
}

function listProcesses(): Process[] {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readStat(Number(name)));
  if (process.platform === 'win32') return listWindowsProcesses();
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, state = ''] = line.trim().split(/\s+/);
    return pid && parent ? [{ pid: Number(pid), parent: Number(parent), isDead: state.startsWith('Z') }] : [];
  });
}

/** From `/proc/<pid>/stat`: the name in parentheses may itself contain spaces and parentheses. */
function readStat(pid: number): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [{ pid, parent: Number(parent), isDead: state === 'Z' || state === 'X' }];
  } catch {
    return [];
  }
}

function listWindowsProcesses(): Process[] {
  const command = 'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId)" }';
  const { stdout } = spawnSync('powershell', ['-NoProfile', '-Command', command], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent] = line.trim().split(' ');
    return pid && parent ? [{ pid: Number(pid), parent: Number(parent), isDead: false }] : [];
  });
}

/** Only Linux shows the environment of a process; elsewhere, descendants have to do. */
function carriesId(pid: number, id: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${RUN_VARIABLE}=${id}`);
  } catch {
    return false;
  }
}
