/** Configures the test projects: unit (no browser), platform (real server and database), e2e (the built extension in real browsers). */
import { preact } from '@preact/preset-vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { reporters } from './tests/support/runner/progress.ts';

const plugins = [preact({ devToolsEnabled: false, prefreshEnabled: false })];

/** Vitest would leave a core to itself, which is half of a small machine. */
const maxWorkers = '100%';

/** Short files that take long: each runs the rules of actions on two databases. */
const LONG = /\/(actions-api|actions-rules|surfaces)\.test\.ts$/;

/** Those first, so that none of them goes on alone when all else is done. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [
      ...sorted.filter(({ moduleId }) => LONG.test(moduleId)),
      ...sorted.filter(({ moduleId }) => !LONG.test(moduleId)),
    ];
  }
}

export default defineConfig({
  test: {
    reporters: reporters(),
    sequence: { sequencer: LongFirst },
    projects: [
      // Limits say that something hangs: a machine that is busy with other things is only slow.
      {
        plugins,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.{ts,tsx}'],
          environment: 'node',
          maxWorkers,
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        plugins,
        test: {
          name: 'platform',
          globalSetup: 'tests/platform/support/postgres-server.ts',
          include: ['tests/platform/**/*.test.ts'],
          environment: 'node',
          maxWorkers,
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // More of them take no less: browsers work as much as they wait.
          maxWorkers: 2,
          // Test files share a browser and a platform per worker process (tests/support/test-bed.ts).
          isolate: false,
          globalSetup: 'tests/support/runner/build-extension.ts',
        },
      },
    ],
  },
});
