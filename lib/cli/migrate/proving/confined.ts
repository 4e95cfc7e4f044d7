/** Proves code in a process of its own, which is confined like that of a run, and ends at a time limit. */
import { MODULE_EXTENSION } from '../../../local-platform/installation.ts';
import { type Child, type End, startChild } from '../../../local-platform/runner/child.ts';
import { contextScript } from '../../../local-platform/runner/script.ts';
import { type ErrorValue, type Result, toErrorValue } from '../../../platform-api/coded-error.ts';
import type { Proved } from '../types.ts';
import { LINE, type ProofJob } from './job.ts';
import { isProofOf } from './proved-schema.ts';

/** For one action, in milliseconds. */
export const TIME_LIMIT = 120_000;
/** In MB. */
const MEMORY = 1_024;
/** Of what is proved, in bytes. */
const RESULT_LIMIT = 64 * 1024 * 1024;

// The globals come first: what the engine keeps of them, it reads as it loads.
const ENTRY = `
import { world } from '../../../local-platform/runner/context/world${MODULE_EXTENSION}';
import { start } from './job${MODULE_EXTENSION}';
start(host, world);
`;
const proofScript = (): Promise<string> => contextScript(ENTRY, import.meta.url);

/** Fails with `CODE_ENDLESS`, `PROOF_FAILED`. @param signal ends the process */
export async function proveConfined(
  job: ProofJob,
  timeLimit = TIME_LIMIT,
  signal?: AbortSignal,
): Promise<Result<Proved>> {
  let child: Child;
  try {
    child = await startChild({ memory: MEMORY, time: timeLimit, lineLimit: RESULT_LIMIT }, proofScript);
  } catch (error) {
    return failed(toErrorValue(error).message);
  }
  const { promise, resolve } = Promise.withResolvers<Result<Proved>>();
  const late = setTimeout(() => resolve(endless(timeLimit)), timeLimit);
  const kill = (): void => child.kill();
  signal?.addEventListener('abort', kill);
  if (signal?.aborted) kill();
  // Nothing after the first result counts, and none without a whole one.
  child.listen(
    (line) => {
      if (line.startsWith(LINE.proved) || line.startsWith(LINE.failed)) resolve(resultOf(line, job));
    },
    (end, detail) => resolve(early(end, detail)),
  );
  void child.send(JSON.stringify(job));
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    signal?.removeEventListener('abort', kill);
    kill();
    await child.gone;
  }
}

function resultOf(line: string, job: ProofJob): Result<Proved> {
  const value = parsed(line.slice(1));
  if (line.startsWith(LINE.failed)) return failed(String(value));
  return isProofOf(job, value) ? { ok: true, value } : failed('the process for it sent something else');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function early(end: End, detail: string): Result<Proved> {
  if (end === 'out-of-memory') return tooLarge(`it needs more than 1 GB of memory`);
  if (end === 'flooded') return tooLarge(`its proof has more than ${RESULT_LIMIT / 1024 / 1024} MB`);
  return failed(`the process for it ended early${detail && ` (${detail})`}`);
}

const error = (code: string, cause: string, hint: string): { ok: false; error: ErrorValue } => ({
  ok: false,
  error: { code, message: `Couldn’t prove the code: ${cause}.`, hint },
});

const endless = (timeLimit: number): Result<Proved> =>
  error(
    'CODE_ENDLESS',
    `it didn’t end within ${timeLimit / 1_000} seconds`,
    'Check the loops in the code for one that never ends.',
  );

const tooLarge = (cause: string): Result<Proved> =>
  error('CODE_TOO_LARGE', cause, 'Check the code for data that grows in a loop, or use fewer recordings.');

const failed = (cause: string): Result<Proved> =>
  error('PROOF_FAILED', cause.trim().replace(/\.$/, ''), 'Report this error. The code itself was migrated.');
