/** Configures Stryker: the code to mutate, and the tests that must notice. */
const room = process.env.MUTATED_ROOM;

export default {
  mutate: [`lib/${room}/**/*.ts`],
  plugins: ['./tests/mutation/runner.ts', './tests/mutation/sentences.ts'],
  testRunner: 'in-process',
  ignorers: ['sentences'],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 2_000,
  thresholds: { high: 90, low: 85, break: 85 },
  reporters: ['json', 'html', 'progress-append-only'],
  jsonReporter: { fileName: `test-results/mutation/${room}.json` },
  htmlReporter: { fileName: `test-results/mutation/${room}.html` },
  tempDirName: `test-results/mutation/tmp-${room}`,
  ignorePatterns: ['.output', '.platform', 'assets', 'test-results'],
  // Stryker would read it with a part of TypeScript that version 7 no longer has.
  tsconfigFile: 'none',
  warnings: { slow: false },
};
