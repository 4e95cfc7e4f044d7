/** Runs one target’s inputs, and reports the first failure with its seed, shrunk. */
import * as fc from 'fast-check';
import { made } from './inputs.ts';
import { start } from './watch.ts';

/** What `tests/fuzz/*.fuzz.ts` exports. */
export interface Target {
  /** Name of the target, without spaces, for `--only`. */
  name: string;
  /** Checks `runs` inputs generated from `seed`. @throws Error with the seed and the smallest failing input */
  fuzz(runs: number, seed: number): Promise<void>;
}

/** A failure: something happened that must never happen. */
export class Finding extends Error {}

/** Calls `judge` with `runs` inputs; anything that it throws or rejects with is a finding, and so is a builtin that an input changed. */
export async function check<T>(
  runs: number,
  seed: number,
  inputs: fc.Arbitrary<T>,
  judge: (input: T) => unknown,
): Promise<void> {
  const builtins = ownKeys();
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      start(() => fc.stringify(input));
      await judge(made(input));
      const now = ownKeys();
      if (now !== builtins) throw new Finding(`An input changed the built-in objects: ${now}`);
    }),
    { numRuns: runs, seed },
  );
}

/** The names of all properties that objects, arrays, and functions inherit. */
function ownKeys(): string {
  return [Object.prototype, Array.prototype, Function.prototype]
    .map((each) => Reflect.ownKeys(each).map(String).join())
    .join(' ');
}

/** Asserts an error as the product defines them: a code, a message, perhaps a hint. `UNEXPECTED` means a bug. */
export function assertCoded(error: unknown): void {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    message?: unknown;
  };
  const { hint } = ((error as { value?: unknown } | null)?.value ?? error ?? {}) as { hint?: unknown };
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]+$/.test(code) || code === 'UNEXPECTED')
    throw new Finding(`An error without a code: ${describe(error)}`, { cause: error });
  if (typeof message !== 'string' || message === '') throw new Finding(`An error without a message: ${code}`);
  if (hint !== undefined && typeof hint !== 'string') throw new Finding(`A hint that isn’t a string: ${code}`);
}

/** Waits until `work` resolves, or rejects with a coded error. */
export async function settles<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    assertCoded(error);
    return undefined;
  }
}

function describe(error: unknown): string {
  try {
    return error instanceof Error
      ? `${error.name}: ${error.message} ${String((error as { value?: { message?: unknown } }).value?.message ?? '')}`
      : (JSON.stringify(error) ?? String(error));
  } catch {
    return 'an unreadable error';
  }
}
