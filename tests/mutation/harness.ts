/** Replaces `vitest` in mutated tests: its own `expect` and `vi`, and tests that can run repeatedly in one process. */
import { format } from 'node:util';

// Tests may replace them.
const { setTimeout, clearTimeout } = globalThis;

// Vitest expects the state of one of its workers.
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
let collected: Test[] = [];

const suite = (name: string): Suite => ({
  parent: current,
  name,
  beforeAll: [],
  afterAll: [],
  beforeEach: [],
  afterEach: [],
});

/** Returns the tests that `load` declares, in order. */
export async function collect(file: string, load: () => Promise<unknown>): Promise<Test[]> {
  collected = [];
  current = suite(`${file}#`);
  await load();
  current = null;
  return collected;
}

function within(name: string, declare: () => unknown): void {
  const outer = current;
  current = suite(`${outer?.name}${name} `);
  declare();
  current = outer;
}

function declare(name: string, run: () => unknown): void {
  if (current) collected.push({ suite: current, id: current.name + name, run });
}

/** `it.each` and `describe.each`. The row’s number makes names unique. */
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
/** Set by the runner. */
export const modules = { reset: (): void => {} };
export const vi = Object.assign(Object.create(vitest.vi) as typeof vitest.vi, { resetModules: () => modules.reset() });
const { vi: real } = vitest;

/** Fails a test after eight timers of 100 ms: on a busy machine timers are late too, so the test gets more time. */
async function withTimeLimit(work: () => unknown): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const wait = (times: number) =>
      (timer = times ? setTimeout(wait, 100, times - 1) : void reject(new Error('The test takes too long.')));
    wait(8);
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

const path = (suite: Suite): Suite[] => (suite.parent ? [...path(suite.parent), suite] : [suite]);

/** Runs tests in order until `report` returns false. Hooks that clean up always run. */
export async function runTests(
  tests: readonly Test[],
  report: (test: Test, error: unknown, milliseconds: number) => boolean,
  onStart: (test: Test | null) => void,
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
        await withTimeLimit(work);
      } catch (error) {
        errors.push(error ?? new Error('The test threw undefined.'));
      }
    };
    for (const suite of around) {
      if (open.includes(suite)) continue;
      open.push(suite);
      for (const work of suite.beforeAll) await attempt(work as () => unknown);
    }
    onStart(test);
    for (const suite of around) for (const work of suite.beforeEach) await attempt(work as () => unknown);
    if (errors.length === 0) await attempt(test.run);
    for (const suite of around.toReversed())
      for (const work of suite.afterEach.toReversed()) await attempt(work as () => unknown);
    onStart(null);
    if (!report(test, errors[0], performance.now() - start)) break;
  }
  await leave([]);
  // A failed test may not have restored these.
  real.unstubAllGlobals();
  real.restoreAllMocks();
  real.useRealTimers();
}
