/** Configures Stryker: the code to mutate, and the tests that must notice. */
const area = process.env.MUTATED_AREA;

export default {
  mutate: [`lib/${area}/**/*.ts`],
  plugins: ['./tests/mutation/runner.ts', './tests/mutation/sentences.ts'],
  testRunner: 'in-process',
  ignorers: ['sentences'],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 2_000,
  thresholds: { high: 90, low: 85, break: 85 },
  reporters: ['json', 'html', 'progress-append-only'],
  jsonReporter: { fileName: `test-results/mutation/${area}.json` },
  htmlReporter: { fileName: `test-results/mutation/${area}.html` },
  tempDirName: `test-results/mutation/tmp-${area?.replace('/', '-')}`,
  ignorePatterns: ['.output', '.platform', 'assets', 'test-results'],
  // Stryker would parse it with an API that TypeScript 7 no longer has.
  tsconfigFile: 'none',
  warnings: { slow: false },
};
