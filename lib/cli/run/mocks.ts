/** Reads files of mocks, and finds out what really runs with mocks. */
import { checkMocks } from '../../debugging/mocks/check-mocks.ts';
import { dryRunMocks, STAYING_PACKAGES } from '../../debugging/mocks/dry-run.ts';
import { MOCKS_FILE_LIMIT, parseMocks } from '../../debugging/mocks/mocks-file.ts';
import type { Mock } from '../../debugging/mocks/types.ts';
import { listSteps, type ListedStep, withNested } from '../../debugging/pipelines/steps.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import { readText } from '../files.ts';

/**
 * The mocks of all sets of a file that the panel exported, without those that are off.
 * @throws CodedError `FILE_NOT_READ`, or the codes of `parseMocks`
 */
export async function mocksOfFile(file: string): Promise<Mock[]> {
  // A character has up to four bytes.
  const parsed = parseMocks(await readText(file, { limit: 4 * MOCKS_FILE_LIMIT }));
  if (!parsed.ok) throw new CodedError({ ...parsed.error, message: `${file}: ${parsed.error.message}` });
  return parsed.value.flatMap(({ mocks }) => mocks.filter(({ isOff }) => !isOff));
}

/**
 * The mocks of a run, in the order in which they’re tried.
 * @param others packages that are mocked instead of those that send something, or change data
 */
export function mocksOfRun(mocks: readonly Mock[], isDry: boolean, others?: readonly string[]): Mock[] {
  const dry = dryRunMocks(others);
  const isMocked = ({ target }: Mock): boolean => !others || ('package' in target && others.includes(target.package));
  return isDry ? [...mocks, ...dry.filter(isMocked)] : [...mocks];
}

/** The packages of a pipeline that could change something, without some of them. */
export function otherPackages(pipeline: unknown, except: readonly string[]): string[] {
  const steps = withNested(listSteps(pipeline)).filter(({ kind }) => kind === 'function');
  const names = new Set(steps.map(({ name }) => name));
  return [...names].filter((name) => !STAYING_PACKAGES.has(name) && !except.includes(name));
}

/**
 * What is wrong with given mocks, as warnings.
 * @throws CodedError if one isn’t valid, or names a step that isn’t there: the real step would run
 */
export function checkedMocks(mocks: readonly Mock[], pipeline: unknown): string[] {
  return checkMocks(mocks, pipeline).flatMap(({ index, code, message }) => {
    const isOfPath = 'path' in mocks[index]!.target;
    if (code === 'MOCK_CONDITION_INVALID' || code === 'MOCK_VALUE_LOST' || (code === 'MOCK_UNMATCHED' && isOfPath))
      throw new CodedError({
        code,
        message: `Mock ${index + 1} can’t apply: ${message} Nothing was run.`,
        hint: 'Correct the mock in its file, or remove it.',
      });
    return [`Mock ${index + 1}: ${message}`];
  });
}

/** The functions of a pipeline, each once. */
export interface ReallyRun {
  /** Those that mocks always replace. */
  replaced: string[];
  /** Those that can be called. */
  called: string[];
  /** Whether mocks replace each function that could change something. */
  isHarmless: boolean;
}

export function reallyRun(pipeline: unknown, mocks: readonly Mock[]): ReallyRun {
  const steps = withNested(listSteps(pipeline)).filter(({ kind }) => kind === 'function');
  const all = new Set(steps.map(({ name }) => name));
  const called = new Set(steps.filter((step) => !isReplaced(step, mocks)).map(({ name }) => name));
  return {
    replaced: [...all].filter((name) => !called.has(name)),
    called: [...called],
    isHarmless: mocks.length > 0 && all.size > 0 && [...called].every((name) => STAYING_PACKAGES.has(name)),
  };
}

/** Whether the function of a step is never called, whatever conditions say. */
function isReplaced({ path, name }: ListedStep, mocks: readonly Mock[]): boolean {
  const ofPath = mocks.filter(({ target }) => 'path' in target && target.path === path);
  const ofPackage = mocks.filter(({ target }) => 'package' in target && target.package === name);
  for (const { condition, outcome } of [...ofPath, ...ofPackage]) {
    if (!outcome) return false;
    if (condition === undefined) return true;
  }
  return false;
}
