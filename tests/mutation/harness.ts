/** Replaces `vitest` in mutated tests: its own `expect` and `vi`, and tests that can run repeatedly in one process. */
import { format } from 'node:util';

// Tests may put others in their place.
const { setTimeout, clearTimeout } = globalThis;

// Outside of its workers Vitest wants to find one.
(globalThis as Record<string, unknown>).__vitest_worker__ ??= { config: {}, ctx: {}, rpc: {}, state: {}, metaEnv: {} };
const vitest = await import('vitest');

type Work = (...args: never[]) => unknown;
type Hooks = Record<'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach', Work[]>;
interface Suite extends Hooks {
  parent: Suite | null;
  name: string;
}
export interface Test {
  suite: Suite;
  /** Its file, relative to the project, and its full name. */
  id: string;
  run: () => unknown;
}

let current: Suite | null = null;
let found: Test[] = [];

const suite = (name: string): Suite => ({
  parent: current,
  name,
  beforeAll: [],
  afterAll: [],
  beforeEach: [],
  afterEach: [],
});

/** The tests that `load` declares, in their order. */
export async function collect(file: string, load: () => Promise<unknown>): Promise<Test[]> {
  found = [];
  current = suite(`${file}#`);
  await load();
  current = null;
  return found;
}

function within(name: string, declare: () => unknown): void {
  const before = current;
  current = suite(`${before?.name}${name} `);
  declare();
  current = before;
}

function declare(name: string, run: () => unknown): void {
  if (current) found.push({ suite: current, id: current.name + name, run });
}

/** `it.each` and `describe.each`. The row's number keeps names apart. */
const each =
  (add: (name: string, work: () => unknown) => void) => (rows: readonly unknown[]) => (name: string, work: Work) => {
    for (const [index, row] of rows.entries()) {
      const args = (Array.isArray(row) ? row : [row]) as never[];
      add(`${format(name, ...args)} (${index})`, () => work(...args));
    }
  };

const hook = (kind: keyof Hooks) => (work: Work) => void current?.[kind].push(work);

export const describe = Object.assign(within, { each: each(within) });
export const it = Object.assign(declare, { each: each(declare) });
export const test = it;
export const beforeAll = hook('beforeAll');
export const afterAll = hook('afterAll');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');
export const { expect } = vitest;
/** Set by who loads the tests. */
export const modules = { reset: (): void => {} };
export const vi = Object.assign(Object.create(vitest.vi) as typeof vitest.vi, { resetModules: () => modules.reset() });
const { vi: real } = vitest;

/** A test that waits for longer has failed: eight turns of 100 ms, so that a busy machine is not taken for a slow test. */
async function inTime(work: () => unknown): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const wait = (turns: number) =>
      (timer = turns ? setTimeout(wait, 100, turns - 1) : void reject(new Error('It takes too long.')));
    wait(8);
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

const path = (suite: Suite): Suite[] => (suite.parent ? [...path(suite.parent), suite] : [suite]);

/** Runs tests in their order until `told` answers false; hooks that clean up run in any case. */
export async function runTests(
  tests: readonly Test[],
  told: (test: Test, error: unknown, milliseconds: number) => boolean,
  began: (test: Test | null) => void,
): Promise<void> {
  let open: Suite[] = [];
  const leave = async (keep: readonly Suite[]) => {
    for (const suite of open.toReversed())
      if (!keep.includes(suite))
        for (const work of suite.afterAll.toReversed()) await Reflect.apply(work, undefined, []);
    open = open.filter((suite) => keep.includes(suite));
  };
  for (const test of tests) {
    const around = path(test.suite);
    await leave(around);
    const start = performance.now();
    const errors: unknown[] = [];
    const attempt = async (work: () => unknown) => {
      try {
        await inTime(work);
      } catch (error) {
        errors.push(error ?? new Error('nothing was thrown'));
      }
    };
    for (const suite of around) {
      if (open.includes(suite)) continue;
      open.push(suite);
      for (const work of suite.beforeAll) await attempt(work as () => unknown);
    }
    began(test);
    for (const suite of around) for (const work of suite.beforeEach) await attempt(work as () => unknown);
    if (errors.length === 0) await attempt(test.run);
    for (const suite of around.toReversed())
      for (const work of suite.afterEach.toReversed()) await attempt(work as () => unknown);
    began(null);
    if (!told(test, errors[0], performance.now() - start)) break;
  }
  await leave([]);
  // What a failed test could not put back.
  real.unstubAllGlobals();
  real.restoreAllMocks();
  real.useRealTimers();
}
