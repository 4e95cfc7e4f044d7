/**
 * A test runner for Stryker that runs an area’s unit tests against every mutant within one process. Vitest
 * starts a worker for every run, which takes a hundred times as long as most of these tests.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as Harness from './harness.ts';

/** Stryker’s global: the active mutant, and the counters of mutated code. */
interface StrykerState {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: unknown;
}
/** The parts of Stryker’s `MutantRunOptions` that are used. */
interface MutantRun {
  activeMutant: { id: string };
  testFilter?: string[];
  hitLimit?: number;
  /** `static`: the mutant is in code that runs while the module is loaded. */
  mutantActivation: 'runtime' | 'static';
}
interface TestResult {
  id: string;
  name: string;
  timeSpentMs: number;
  /** Stryker’s numbers: 0 succeeded, 1 failed. */
  status: 0 | 1;
  failureMessage?: string;
}

/** Milliseconds. Slower tests are left out, or each survivor would cost many seconds. */
const SLOW = 100;
const TIMES = 'mutation-times.json';

const state = ((globalThis as { __stryker__?: StrykerState }).__stryker__ ??= {});

class InProcess {
  private readonly root = pathToFileURL(`${process.cwd()}/`).href;
  private readonly sources = new Map<string, string>();
  private harness!: typeof Harness;
  private tests: Harness.Test[] = [];
  /** Part of each module’s URL: incremented to load all modules again. */
  private generation = 0;
  private isFresh = false;
  /**
   * Milliseconds that each quick test took without a mutant. Also stored in a file, since Stryker ends this process when a
   * mutant never ends.
   */
  private times = new Map<string, number>();

  /** Loading modules again undoes a static mutant, so Stryker needn’t start a process for it. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    const harness = new URL('harness.ts', import.meta.url).href;
    registerHooks({
      resolve: (specifier, context, next) => {
        if (!context.parentURL?.startsWith(this.root)) return next(specifier, context);
        if (specifier === 'vitest') return { url: harness, shortCircuit: true };
        const resolved = next(specifier, context);
        return resolved.url.startsWith(this.root)
          ? { ...resolved, url: `${resolved.url.replace(/\?.*/, '')}?${this.generation}` }
          : resolved;
      },
      load: (url, context, next) =>
        url.startsWith(this.root) && url.includes('.ts?')
          ? { format: 'module', source: this.source(url.replace(/\?.*/, '')), shortCircuit: true }
          : next(url, context),
    });
    this.harness = await import('./harness.ts');
    this.harness.modules.reset = () => void this.generation++;
    // They come from an earlier mutant or test. Tests report their own failures.
    process.on('unhandledRejection', () => {}).on('uncaughtException', () => {});
    if (!existsSync(TIMES)) await this.measure();
    this.times = new Map(JSON.parse(readFileSync(TIMES, 'utf8')) as [string, number][]);
  }

  private async measure(): Promise<void> {
    await this.load();
    const times = new Map((await this.run(this.tests, () => false)).map(({ id, timeSpentMs }) => [id, timeSpentMs]));
    // The first test takes longer, since it warms up shared code.
    const remeasured = await this.run(
      this.tests.filter(({ id }) => (times.get(id) ?? 0) >= SLOW),
      () => false,
    );
    for (const { id, timeSpentMs, status } of remeasured) times.set(id, status === 0 ? timeSpentMs : Infinity);
    writeFileSync(TIMES, JSON.stringify([...times].filter(([, time]) => time < SLOW)));
  }

  private source(url: string): string {
    const source = this.sources.get(url) ?? stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
    this.sources.set(url, source);
    return source;
  }

  private async load(): Promise<void> {
    this.generation++;
    this.tests = [];
    for (const file of globSync(`tests/unit/${process.env.MUTATED_AREA}/**/*.test.ts`).toSorted()) {
      this.tests.push(...(await this.harness.collect(file, () => import(`${this.root}${file}?${this.generation}`))));
    }
  }

  /** The quick tests, fastest first. */
  private killers(only: ReadonlySet<string>): Harness.Test[] {
    const time = ({ id }: Harness.Test) => this.times.get(id) ?? Infinity;
    return this.tests
      .filter((test) => time(test) < SLOW && (only.size === 0 || only.has(test.id)))
      .toSorted((a, b) => time(a) - time(b));
  }

  private async run(tests: readonly Harness.Test[], isEnough: (failed: boolean) => boolean): Promise<TestResult[]> {
    const results: TestResult[] = [];
    const report = ({ id }: Harness.Test, error: unknown, timeSpentMs: number) => {
      const failed = error !== undefined;
      results.push({
        id,
        name: id,
        timeSpentMs,
        ...(failed ? { status: 1, failureMessage: String(error) } : { status: 0 }),
      });
      return !isEnough(failed);
    };
    await this.harness.runTests(tests, report, (test) => (state.currentTestId = test?.id));
    return results;
  }

  async dryRun() {
    Object.assign(state, { activeMutant: undefined, mutantCoverage: undefined });
    await this.load();
    this.isFresh = true;
    const results = await this.run(this.killers(new Set()), () => false);
    // A test that fails without a mutant depends on the previous test, so it can’t kill mutants.
    for (const { id, status } of results) if (status === 1) this.times.delete(id);
    return {
      status: 'complete',
      tests: results.filter(({ status }) => status === 0),
      mutantCoverage: state.mutantCoverage,
    };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }: MutantRun) {
    for (;;) {
      const outcome = await this.tryMutant(
        activeMutant.id,
        new Set(testFilter),
        hitLimit,
        mutantActivation === 'static',
      );
      if (outcome) return outcome;
      this.isFresh = false;
    }
  }

  /** Null when the test also fails without the mutant, because of something that an earlier mutant left behind. */
  private async tryMutant(id: string, only: ReadonlySet<string>, hitLimit: number | undefined, isStatic: boolean) {
    Object.assign(state, { activeMutant: isStatic ? id : undefined, hitCount: undefined });
    try {
      if (isStatic || !this.isFresh) await this.load();
    } catch (error) {
      this.isFresh = false;
      return { status: 'error', errorMessage: String(error) };
    }
    const wasFresh = !this.isFresh;
    this.isFresh = !isStatic;
    Object.assign(state, { activeMutant: id, hitCount: 0, hitLimit });
    const results = await this.run(this.killers(only), (failed) => failed);
    const endless = hitLimit !== undefined && (state.hitCount ?? 0) > hitLimit;
    Object.assign(state, { activeMutant: undefined, hitCount: undefined });
    if (endless) {
      this.isFresh = false;
      return { status: 'timeout' };
    }
    const last = results.at(-1);
    const failed = last?.status === 1 ? last : undefined;
    if (!failed) return { status: 'survived', nrOfTests: results.length };
    if (!isStatic && !wasFresh) {
      const rerun = await this.run(
        this.tests.filter((test) => test.id === failed.id),
        () => true,
      );
      if (rerun[0]?.status === 1) return null;
    }
    return {
      status: 'killed',
      killedBy: [failed.id],
      failureMessage: failed.failureMessage,
      nrOfTests: results.length,
    };
  }
}

const factory = Object.assign(() => new InProcess(), { inject: [] as const });
export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory }];
