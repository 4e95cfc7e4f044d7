/**
 * Tells a test whether it runs in `npm test` or as an exhaustive one: a file in tests/exhaustive that imports a test file
 * runs it with all of its cases.
 */
import { TestRunner } from 'vitest';

/** Asked while tests are collected. */
export const isExhaustive = (): boolean =>
  TestRunner.getCurrentSuite().file?.projectName?.startsWith('exhaustive-') ?? false;

/** The first rows of a table in `npm test`, and otherwise all of them. */
export const firstOf = <T>(rows: readonly T[], few: number): readonly T[] =>
  isExhaustive() ? rows : rows.slice(0, few);

/** In `npm test`, each run has the same cases. */
const SEED = 30;

/** For fast-check: `few` cases in `npm test`, and otherwise `all` of them, at random. `CASES=3000` sets another number. */
export function casesOf(few: number, all: number): { numRuns: number; seed?: number } {
  if (process.env.CASES) return { numRuns: Number(process.env.CASES) };
  return isExhaustive() ? { numRuns: all } : { numRuns: few, seed: SEED };
}
