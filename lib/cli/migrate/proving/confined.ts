/** Proves code in a process of its own, which has no files and no network, and ends at a time limit. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { moduleFile } from '../../../local-platform/installation.ts';
import { confinedCommand, findConfinement } from '../../../local-platform/runner/confinement.ts';
import type { ErrorValue, Result } from '../../../platform-api/coded-error.ts';
import type { Proved } from '../types.ts';
import type { ProofJob } from './job.ts';

/** For one action, in milliseconds. */
export const TIME_LIMIT = 120_000;
const MEMORY = 1_024;

/** Fails with `CODE_ENDLESS`, `PROOF_FAILED`. @param signal ends the process */
export async function proveConfined(
  job: ProofJob,
  timeLimit = TIME_LIMIT,
  signal?: AbortSignal,
): Promise<Result<Proved>> {
  const [confinement, script, boot] = await Promise.all([
    findConfinement(),
    jobScript(),
    readFile(new URL('boot.cjs', import.meta.url), 'utf8'),
  ]);
  const flags = ['--permission', '--disallow-code-generation-from-strings', '--no-warnings'];
  const command = [process.execPath, ...flags, `--max-old-space-size=${MEMORY}`, '-e', boot];
  const [program, args] = confinedCommand(confinement, Math.ceil(timeLimit / 1_000) + 10, command);
  const child = spawn(program, args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
  const [output, problems] = [textOf(child.stdout), textOf(child.stderr)];
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, timeLimit);
  const kill = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', kill);
  if (signal?.aborted) kill();
  // A process that ended can’t be written to. Its end says why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify({ script, job }));
  const closed = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const end = await closed.finally(() => clearTimeout(late));
  signal?.removeEventListener('abort', kill);
  if (isLate) return { ok: false, error: endless(timeLimit) };
  const response = read(await output);
  if (response && 'value' in response) return { ok: true, value: response.value };
  return { ok: false, error: failed(response?.error ?? `${end} ${(await problems).slice(0, 500)}`) };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += String(chunk);
  return text;
}

function read(text: string): { value: Proved } | { error: string } | null {
  try {
    return JSON.parse(text) as { value: Proved } | { error: string };
  } catch {
    return null;
  }
}

const endless = (timeLimit: number): ErrorValue => ({
  code: 'CODE_ENDLESS',
  message: `Couldn’t prove the code: it didn’t end within ${timeLimit / 1_000} seconds.`,
  hint: 'Check the loops in the code for one that never ends.',
});

const failed = (cause: string): ErrorValue => ({
  code: 'PROOF_FAILED',
  message: `Couldn’t prove the code: the process for it ended early (${cause.trim()}).`,
  hint: 'Report this error. The code itself was migrated.',
});

let script: Promise<string> | undefined;

/** Builds the job’s script once: an expression for what `job.ts` exports. */
const jobScript = (): Promise<string> => (script ??= build());

async function build(): Promise<string> {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    entryPoints: [fileURLToPath(moduleFile('job', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'proving',
    target: 'es2024',
    legalComments: 'none',
    logLevel: 'silent',
  });
  return `(() => { ${outputFiles[0]!.text}\nreturn proving; })()`;
}
