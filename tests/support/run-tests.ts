/**
 * Runs everything that `npm test` checks, lists what failed and what took long, and ends with the line `N passed, N failed`.
 * With `--all`, the exhaustive tests too.
 */
import { access, chmod, constants, mkdir, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { loadSnapshot } from '../../lib/local-platform/db/snapshot.ts';
import { REPORT_VARIABLE, WHOLE_RUN } from './runner/progress.ts';
import type { Cost } from './runner/file-cost.ts';
import { startReaper } from './runner/reaper.ts';
import { Runner } from './runner/runner.ts';
import { describeTimings, mergeTimings, readTimings, type Timings, writeTimings } from './runner/timings.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const RESULTS = resolve(ROOT, 'test-results');
const REPORTS = resolve(RESULTS, 'reports');
const VITEST = resolve(ROOT, 'node_modules/vitest/vitest.mjs');

/** All but `--all` are for testing this file itself. */
const { values: options } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    /** A Vitest configuration to run instead of the project’s checks and tests. */
    config: { type: 'string' },
    /** Stops the run when no test starts or finishes for this many seconds. */
    'stall-limit': { type: 'string', default: '300' },
  },
});

/** For all databases and browser profiles of a run, in bytes. */
const MEMORY_NEEDED = 6 * 2 ** 30;

interface Outcome {
  passed: number;
  /** A few lines for each failure: what failed, and why. */
  failed: string[];
  /** What couldn’t be checked. It counts neither as passed nor as failed. */
  notChecked?: string[];
  timings?: Timings;
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
const temporary = await temporaryFolder();
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
    console.error(`This run was ended by ${signal}, and so is all that it started.`);
    void end().finally(() => process.exit(code));
  });

const outcomes = options.config ? [await test('configured', ['--config', options.config])] : await testEverything();
await end();
if (signalCode !== undefined) process.exit(signalCode);

const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.flatMap((outcome) => outcome.failed);
for (const failure of failed) console.log(`FAILED ${failure}`);
const notChecked = outcomes.flatMap((outcome) => outcome.notChecked ?? []);
for (const what of notChecked) console.log(`NOT CHECKED ${what}`);
if (notChecked.length > 0) console.log(`${notChecked.length} not checked`);
if (!options.config) await showTimings();
console.log(`${passed} passed, ${failed.length} failed`);
process.exit(failed.length === 0 && passed > 0 ? 0 : 1);

async function temporaryFolder(): Promise<string> {
  const parent = await fastestFolder();
  try {
    return await mkdtemp(join(parent, 'pd-'));
  } catch (error) {
    console.error(`Couldn’t create a folder in ${parent}: ${(error as Error).message}. Free some space there.`);
    process.exit(1);
  }
}

/** Memory where there is plenty, because tests create hundreds of databases and browser profiles. */
async function fastestFolder(): Promise<string> {
  const MEMORY = '/dev/shm';
  try {
    await access(MEMORY, constants.W_OK);
    const { bavail, bsize } = await statfs(MEMORY);
    if (bavail * bsize > MEMORY_NEEDED) return MEMORY;
    console.log(`This run uses ${tmpdir()}, because ${MEMORY} has less than ${MEMORY_NEEDED / 2 ** 30} GB left.`);
    return tmpdir();
  } catch {
    return tmpdir();
  }
}

async function end(): Promise<void> {
  await runner.end();
  await rm(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Unit tests need neither a browser nor a database, so what the other tests need is prepared beside them. */
async function testEverything(): Promise<Outcome[]> {
  const [programs, ...checked] = await Promise.all([
    installPrograms(),
    testKind('unit'),
    check('types', 'tsc', ['--noEmit']),
    check('lint', 'oxlint', ['--deny-warnings']),
    check('format', 'oxfmt', ['--check']),
    check('dependencies', 'node', ['tests/support/dependencies.ts']),
    // Tests that start at the same time would each build one.
    loadSnapshot().then((): Outcome => ({ passed: 0, failed: [] })),
  ]);
  const { browsers, postgres } = programs;
  return [
    ...checked,
    postgres ? await testKind('platform') : without('platform', 'Postgres'),
    browsers ? await testKind('e2e') : without('e2e', 'browsers'),
  ];
}

function without(kind: string, what: string): Outcome {
  return { passed: 0, failed: [`${kind} tests: not run without ${what}, see above`] };
}

/** One after the other, because only one package can be installed at a time. */
async function installPrograms(): Promise<{ browsers: boolean; postgres: boolean }> {
  const install = (what: 'browsers' | 'postgres'): Promise<number> =>
    runner.run(what, 'node', [`tests/support/runner/install-${what}.ts`]);
  return { browsers: (await install('browsers')) === 0, postgres: (await install('postgres')) === 0 };
}

/** A check counts as one test. */
async function check(title: string, program: string, args: string[]): Promise<Outcome> {
  const code = await runner.run(title, program, args);
  if (code === NOT_CHECKED) return { passed: 0, failed: [], notChecked: [`${title}: see above`] };
  if (code !== 0) return { passed: 0, failed: [`${title}: exit code ${code}`] };
  console.log(`${title}: no errors`);
  return { passed: 1, failed: [] };
}

function testKind(kind: string): Promise<Outcome> {
  return test(kind, ['--project', kind, ...(options.all ? ['--project', `exhaustive-${kind}*`] : [])]);
}

async function test(title: string, args: string[]): Promise<Outcome> {
  await mkdir(REPORTS, { recursive: true });
  const report = resolve(REPORTS, `${title}.json`);
  await rm(report, { force: true });
  const files: Timings['files'] = [];
  let vitest: Cost = { wall: 0 };
  const code = await runner.run(
    `${title} tests`,
    process.execPath,
    [VITEST, 'run', ...args, '--slowTestThreshold=5000'],
    { [REPORT_VARIABLE]: report, TMPDIR: temporary },
    ({ what, cost }) => {
      if (!cost) return;
      if (what === WHOLE_RUN) vitest = cost;
      else files.push({ file: what, ...cost });
    },
  );
  return { ...(await outcomeOf(title, report, code)), timings: { projects: [totalOf(title, files, vitest)], files } };
}

function totalOf(name: string, files: Timings['files'], { wall, processor = 0 }: Cost): Timings['projects'][number] {
  const isKnown = files.every((file) => file.processor !== undefined);
  return {
    name,
    files: files.length,
    wall,
    ...(isKnown && { processor: files.reduce((sum, file) => sum + file.processor!, processor) }),
  };
}

/** Compares with the run before, and stores what this one took for the next. */
async function showTimings(): Promise<void> {
  const path = resolve(RESULTS, 'timings.json');
  const all = outcomes.flatMap(({ timings }) => timings ?? []);
  const now = {
    projects: all.flatMap(({ projects }) => projects),
    files: all.flatMap(({ files }) => files),
  };
  const before = await readTimings(path);
  for (const line of describeTimings(now, before)) console.log(line);
  await writeTimings(path, mergeTimings(now, before));
}

async function outcomeOf(title: string, file: string, code: number): Promise<Outcome> {
  const report = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => null,
  );
  if (!report) return { passed: 0, failed: [`${title}: no report was written (exit code ${code})`] };
  const failed = failuresOf(title, report);
  if (failed.length === 0 && code !== 0) failed.push(`${title}: an error outside any test (exit code ${code})`);
  return { passed: report.numPassedTests, failed };
}

function failuresOf(project: string, { testResults }: Report): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = `${project} ${relative(ROOT, name)}`;
    const tests = assertionResults.filter((test) => test.status === 'failed');
    // A file that couldn’t be loaded, or a hook that failed, has no failed test.
    if (status === 'failed' && tests.length === 0)
      return [`${file}\n    ${reasonOf(message) || 'outside its tests, see above'}`];
    return tests.map(
      (test) => `${[file, ...test.ancestorTitles, test.title].join(' > ')}\n    ${reasonOf(test.failureMessages[0])}`,
    );
  });
}

/** A message without its stack. That of a property also has its seed and its counterexample. */
function reasonOf(message = ''): string {
  const lines = stripVTControlCharacters(message).trim().split('\n');
  const stack = lines.findIndex((line) => /^\s+at /.test(line));
  const reason = lines.slice(0, stack === -1 ? undefined : stack).slice(0, 5);
  return reason.map((line) => line.slice(0, 1000)).join('\n    ');
}
