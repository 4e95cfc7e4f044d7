/** Runs everything that `npm test` checks, lists what failed, and ends with the line `N passed, N failed`. */
import { access, chmod, constants, mkdir, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { loadSnapshot } from '../../lib/local-platform/db/snapshot.ts';
import { REPORT_VARIABLE } from './runner/progress.ts';
import { startReaper } from './runner/reaper.ts';
import { Runner } from './runner/runner.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const REPORTS = resolve(ROOT, 'test-results/reports');
const VITEST = resolve(ROOT, 'node_modules/vitest/vitest.mjs');

/** The options are for testing this file itself. */
const { values: options } = parseArgs({
  options: {
    /** A Vitest configuration to run instead of the project’s checks and tests. */
    config: { type: 'string' },
    /** Stops the run when no test starts or finishes for this many seconds. */
    'stall-limit': { type: 'string', default: '300' },
  },
});

interface Outcome {
  passed: number;
  /** A line or two for each failure: what failed, and why. */
  failed: string[];
  /** What couldn’t be checked. It counts neither as passed nor as failed. */
  notChecked?: string[];
}

/** A check’s exit code when it couldn’t check everything. */
const NOT_CHECKED = 3;

/** What we read of Vitest’s JSON report. */
interface Report {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string; failureMessages: string[] }[];
  }[];
}

const runner = new Runner(Number(options['stall-limit']) * 1000);
/** Browsers that are killed leave their profiles behind: they are in here, and go with it. */
const temporary = await mkdtemp(join(await fastestFolder(), 'pd-'));
// As root, Postgres runs as another user, whose data folder is in here too.
await chmod(temporary, 0o755);
startReaper(runner.runId, temporary);
let signalCode: number | undefined;
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.once(signal, () => {
    signalCode = code;
    void end().finally(() => process.exit(code));
  });

const outcomes = options.config
  ? [await test('configured', ['--config', options.config])]
  : [...(await checksAndUnitTests()), await test('platform'), await test('e2e')];
await end();

const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.flatMap((outcome) => outcome.failed);
for (const failure of failed) console.log(`FAILED ${failure}`);
const notChecked = outcomes.flatMap((outcome) => outcome.notChecked ?? []);
for (const what of notChecked) console.log(`NOT CHECKED ${what}`);
if (notChecked.length > 0) console.log(`${notChecked.length} not checked`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exit(signalCode ?? (failed.length === 0 && passed > 0 ? 0 : 1));

/** Memory where there is plenty, because tests create hundreds of databases and browser profiles. */
async function fastestFolder(): Promise<string> {
  const MEMORY = '/dev/shm';
  try {
    await access(MEMORY, constants.W_OK);
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize > 6 * 2 ** 30 ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

async function end(): Promise<void> {
  await runner.end();
  await rm(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Unit tests need neither a browser nor a database, so what the other tests need is prepared beside them. */
async function checksAndUnitTests(): Promise<Outcome[]> {
  return Promise.all([
    test('unit'),
    check('types', 'tsc', ['--noEmit']),
    check('lint', 'oxlint', ['--deny-warnings']),
    check('format', 'oxfmt', ['--check']),
    check('dependencies', 'node', ['tests/support/dependencies.ts']),
    check('browsers', 'node', ['tests/support/runner/install-browsers.ts'], 0),
    // Tests that start at the same time would each build one.
    loadSnapshot().then((): Outcome => ({ passed: 0, failed: [] })),
  ]);
}

/** A check counts as one test; the installation of browsers as none, and its failure doesn’t keep other tests from running. */
async function check(title: string, program: string, args: string[], worth = 1): Promise<Outcome> {
  const code = await runner.run(title, program, args);
  if (code === NOT_CHECKED) return { passed: 0, failed: [], notChecked: [`${title}: see above`] };
  if (code !== 0) return { passed: 0, failed: [`${title}: exit code ${code}`] };
  console.log(`${title}: no errors`);
  return { passed: worth, failed: [] };
}

async function test(project: string, args = ['--project', project]): Promise<Outcome> {
  await mkdir(REPORTS, { recursive: true });
  const file = resolve(REPORTS, `${project}.json`);
  await rm(file, { force: true });
  const code = await runner.run(
    `${project} tests`,
    process.execPath,
    [VITEST, 'run', ...args, '--slowTestThreshold=5000'],
    { [REPORT_VARIABLE]: file, TMPDIR: temporary },
  );
  const report = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => null,
  );
  if (!report) return { passed: 0, failed: [`${project}: no report was written (exit code ${code})`] };
  const failed = failuresOf(project, report);
  if (failed.length === 0 && code !== 0) failed.push(`${project}: an error outside any test (exit code ${code})`);
  return { passed: report.numPassedTests, failed };
}

function failuresOf(project: string, { testResults }: Report): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = `${project} ${relative(ROOT, name)}`;
    const tests = assertionResults.filter((test) => test.status === 'failed');
    // A file that couldn’t be loaded, or a hook that failed, has no failed test.
    if (status === 'failed' && tests.length === 0)
      return [`${file}\n    ${firstLine(message) || 'outside its tests, see above'}`];
    return tests.map(
      (test) => `${[file, ...test.ancestorTitles, test.title].join(' > ')}\n    ${firstLine(test.failureMessages[0])}`,
    );
  });
}

function firstLine(message = ''): string {
  return stripVTControlCharacters(message).trim().split('\n', 1)[0]?.slice(0, 300) ?? '';
}
