/**
 * Ends what a test run left behind, in a process of its own: its standard input closes when the run’s process ends, even
 * if that was killed. Arguments: the run’s ID, and folders to remove.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endProcesses, RUN_VARIABLE } from './processes.ts';

const SELF = fileURLToPath(import.meta.url);

/** Linux only: elsewhere, the processes of a run can’t be recognized once their parents have ended. */
export function startReaper(runId: string, ...folders: string[]): void {
  if (process.platform !== 'linux') return;
  const { [RUN_VARIABLE]: _, ...env } = process.env;
  const reaper = spawn(process.execPath, [SELF, runId, ...folders], {
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  reaper.on('error', (error) => console.error(error.message));
  reaper.unref();
  (reaper.stdin as unknown as { unref(): void }).unref();
}

if (process.argv[1] === SELF) {
  const [runId = '', ...folders] = process.argv.slice(2);
  // Ctrl+C is for the run. This process ends after it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.stdin.resume().once('close', async () => {
    await endProcesses(runId);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
}
