/** Reports to `npm test` which test starts and which one finished. */
import type { InlineConfig, Reporter, TestCase, TestModule } from 'vitest/node';
import type { Cost } from './file-cost.ts';

/** Name of the variable with the path of the JSON report. */
export const REPORT_VARIABLE = 'PLATFORM_DEVTOOLS_TEST_REPORT';

export interface Progress {
  event: 'started' | 'finished';
  /** A test file, or a test with its file. */
  what: string;
  /** What a finished test file took, or in the end Vitest’s main process. */
  cost?: Cost;
}

/** The `what` of the last report. */
export const WHOLE_RUN = 'all test files';

class ProgressReporter implements Reporter {
  onTestModuleStart(module: TestModule): void {
    send({ event: 'started', what: module.relativeModuleId });
  }
  onTestModuleEnd(module: TestModule): void {
    const { cost } = module.meta();
    send({ event: 'finished', what: module.relativeModuleId, ...(cost && { cost }) });
  }
  onTestCaseReady(test: TestCase): void {
    send({ event: 'started', what: nameOf(test) });
  }
  onTestCaseResult(test: TestCase): void {
    send({ event: 'finished', what: nameOf(test) });
  }
  onTestRunEnd(): void {
    const { user, system } = process.cpuUsage();
    send({ event: 'finished', what: WHOLE_RUN, cost: { wall: performance.now(), processor: (user + system) / 1000 } });
  }
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;

function send(progress: Progress): void {
  if (process.connected) process.send?.(progress);
}

/** The usual output, and under `npm test` a JSON report and the progress. */
export function reporters(): NonNullable<InlineConfig['reporters']> {
  const outputFile = process.env[REPORT_VARIABLE];
  if (!outputFile) return ['default'];
  // `npm test` was killed, so nothing else would end this run.
  process.once('disconnect', () => process.exit(1));
  // The listener would keep this process alive after its tests.
  process.channel?.unref();
  return ['default', ['json', { outputFile }], new ProgressReporter()];
}
