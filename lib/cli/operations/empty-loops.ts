/** Finds loops that would keep a replay busy without a single step, so that nothing could stop it. */
import { CodedError } from '../../platform-api/coded-error.ts';

/** As many iterations take some milliseconds. */
const ITERATIONS = 1_000_000;

/** @param pipeline as it’s recorded or given, which can be anything @throws CodedError `REPLAY_TOO_LONG` */
export function requireShortLoops(pipeline: unknown): void {
  const open = [pipeline];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isLongAndEmpty(value)) throw tooLong();
    for (const nested of Object.values(value) as unknown[]) if (nested !== undefined) open.push(nested);
  }
}

function isLongAndEmpty(step: { range?: unknown; functions?: unknown }): boolean {
  if (Array.isArray(step.functions) && step.functions.length > 0) return false;
  if (typeof step.range !== 'object' || step.range === null) return false;
  const { from, to } = step.range as { from?: unknown; to?: unknown };
  return Math.abs(Number(to) - Number(from)) > ITERATIONS;
}

const tooLong = (): CodedError =>
  new CodedError({
    code: 'REPLAY_TOO_LONG',
    message: `Couldn’t use the pipeline: a loop without steps has more than ${ITERATIONS} iterations.`,
    hint: 'Remove the loop, or shorten its range.',
  });
