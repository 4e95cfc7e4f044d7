/**
 * Configures the test projects: unit (no browser), platform (real server and database), e2e (the built extension in real
 * browsers), and for each of them the exhaustive tests, which only `npm run test:all` runs. There, most platform tests
 * run on a Postgres server, too.
 */
import { globSync, readFileSync } from 'node:fs';
import { preact } from '@preact/preset-vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { reporters } from './tests/support/runner/progress.ts';

const plugins = [preact({ devToolsEnabled: false, prefreshEnabled: false })];

/** By default, Vitest leaves one core free, which is half of a small machine. */
const maxWorkers = '100%';

/** By default, `expect.poll` gives up after a second, which isn’t enough on a busy machine. */
const expect = { poll: { timeout: 60_000 } };

/** Files that take long. Without timings of an earlier run, Vitest sorts by size. */
const LONG = [
  '/accessibility.test.ts',
  '/actions-api.test.ts',
  '/actions-rules.test.ts',
  '/actions-tab.test.ts',
  '/apps-tab.test.ts',
  '/bad-input.test.ts',
  '/bad-pages.test.ts',
  '/bad-platform.test.ts',
  '/boundaries.test.ts',
  '/compare.test.ts',
  '/debugger.test.ts',
  '/e2e/firefox/',
  '/e2e/store/',
  '/oauth2-doctor.test.ts',
  '/popup.test.ts',
  '/recordings.test.ts',
  '/soak.test.ts',
  '/whole-job.test.ts',
];
const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((part) => moduleId.includes(part));

/** Runs long files first, so that none of them runs alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** What the projects of `npm test` and of `npm run test:all` have in common, by the kind of test. */
const KINDS = {
  unit: {
    // Kinds with different numbers of workers run one after the other.
    sequence: { groupOrder: 1 },
    maxWorkers,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect,
  },
  platform: {
    sequence: { groupOrder: 2 },
    globalSetup: 'tests/platform/support/postgres-server.ts',
    provide: { database: 'PGlite' },
    // The third one works while the others wait.
    maxWorkers: 3,
    // Starting processes with a database can take half a minute each on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect,
  },
  e2e: {
    sequence: { groupOrder: 3 },
    globalSetup: 'tests/support/runner/build-extension.ts',
    // Two browsers keep two cores busy.
    maxWorkers: 2,
    // Longer than the driver’s own limit, whose error says what is missing.
    testTimeout: 270_000,
    hookTimeout: 270_000,
  },
} as const;

const project = (kind: keyof typeof KINDS, name: string, folder: string): TestProjectInlineConfiguration => ({
  plugins,
  test: {
    ...KINDS[kind],
    name,
    include: [`${folder}/**/*.test.{ts,tsx}`],
    environment: 'node',
    setupFiles: ['tests/support/runner/file-cost.ts'],
    // A new process for each of so many short files takes longer than their tests. Files of a worker process share a browser
    // and a platform (tests/support/test-bed.ts).
    isolate: false,
  },
});

/** The platform tests that run on any database. `npm test` has them on PGlite. */
const onPostgres = (): TestProjectInlineConfiguration => {
  const base = project('platform', 'exhaustive-platform-postgres', 'tests/platform');
  const include = globSync('tests/{platform,exhaustive/platform}/**/*.test.ts', { cwd: import.meta.dirname }).filter(
    (file) => readFileSync(file, 'utf8').includes('onDatabase('),
  );
  return { ...base, test: { ...base.test, include, provide: { database: 'Postgres' } } };
};

export default defineConfig({
  test: {
    reporters: reporters(),
    sequence: { sequencer: LongFirst },
    // Time limits are for tests that hang, not for slow machines.
    projects: [
      ...(['unit', 'platform', 'e2e'] as const).flatMap((kind) => [
        project(kind, kind, `tests/${kind}`),
        project(kind, `exhaustive-${kind}`, `tests/exhaustive/${kind}`),
      ]),
      onPostgres(),
    ],
  },
});
