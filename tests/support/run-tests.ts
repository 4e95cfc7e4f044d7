/** Owns `npm test`: browsers, types, lint, dependencies and every kind of test, at the end what failed, and the last line `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { loadSnapshot } from '../../lib/local-platform/db/snapshot.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const REPORTS = resolve(ROOT, 'test-results/reports');
const MINUTE = 60_000;

interface Outcome {
  passed: number;
  /** A line or two for each: what it is, and why. */
  failed: string[];
}

/** What we read of Vitest's JSON report. */
interface Report {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string; failureMessages: string[] }[];
  }[];
}

/** Each ends one of the tools that run now. */
const running = new Set<() => void>();
const stop = () => {
  for (const kill of running) kill();
  process.exit(130);
};
process.once('SIGINT', stop).once('SIGTERM', stop);

await mkdir(REPORTS, { recursive: true });
const outcomes = await Promise.all([
  command('browsers', 'node', ['tests/support/install-browsers.ts'], 8 * MINUTE, 0),
  command('types', 'tsc', ['--noEmit'], 2 * MINUTE),
  command('lint', 'oxlint', ['--deny-warnings'], 2 * MINUTE),
  command('dependencies', 'node', ['tests/support/dependencies.ts'], 2 * MINUTE),
  // Made once, before tests that start at the same time would each make it.
  loadSnapshot().then((): Outcome => ({ passed: 0, failed: [] })),
]);
for (const [project, limit] of [
  ['unit', 4 * MINUTE],
  ['platform', 8 * MINUTE],
  ['e2e', 12 * MINUTE],
] as const)
  outcomes.push(await tests(project, limit));

const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.flatMap((outcome) => outcome.failed);
process.exitCode = failed.length === 0 && passed > 0 ? 0 : 1;
// Who sees no more than the end of all this sees what failed.
for (const failure of failed) console.log(`FAILED ${failure}`);
console.log(`${passed} passed, ${failed.length} failed`);

/** Types, lint and dependencies count as one test each, browsers as none: a missing one is a failure, and does not keep the other tests from running. */
async function command(title: string, program: string, args: string[], limit: number, worth = 1): Promise<Outcome> {
  const code = await run(program, args, limit);
  if (code !== 0) return { passed: 0, failed: [`${title}: exit code ${code}`] };
  console.log(`${title}: no errors`);
  return { passed: worth, failed: [] };
}

async function tests(project: string, limit: number): Promise<Outcome> {
  const file = resolve(REPORTS, `${project}.json`);
  await rm(file, { force: true });
  const code = await run(
    'vitest',
    [
      'run',
      '--project',
      project,
      '--slowTestThreshold=5000',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    limit,
  );
  const report = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => null,
  );
  if (!report) return { passed: 0, failed: [`${project}: no report was written (exit code ${code})`] };
  const failed = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const place = `${project} ${relative(ROOT, name)}`;
    const tests = assertionResults.filter((test) => test.status === 'failed');
    // A file that could not even be loaded, or a hook that failed, has no test to be counted by.
    if (status === 'failed' && tests.length === 0)
      return [`${place}\n    ${firstLine(message) || 'outside its tests, see above'}`];
    return tests.map(
      (test) => `${[place, ...test.ancestorTitles, test.title].join(' > ')}\n    ${firstLine(test.failureMessages[0])}`,
    );
  });
  if (failed.length === 0 && code !== 0) failed.push(`${project}: an error outside any test (exit code ${code})`);
  return { passed: report.numPassedTests, failed };
}

function firstLine(message = ''): string {
  return stripVTControlCharacters(message).trim().split('\n', 1)[0]?.slice(0, 300) ?? '';
}

/** Runs one of the project's tools, or Node; after `limit` milliseconds it and its children are killed, which counts as a failure. */
function run(program: string, args: string[], limit: number): Promise<number> {
  const bin = resolve(ROOT, 'node_modules/.bin');
  const separator = process.platform === 'win32' ? ';' : ':';
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PATH: `${bin}${separator}${process.env.PATH}`, CI: '1' },
      detached: process.platform !== 'win32',
      shell: process.platform === 'win32',
    });
    const kill = () => {
      try {
        if (child.pid) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // It has ended in the meantime.
      }
    };
    const late = setTimeout(() => {
      console.error(`${program} ${args.join(' ')} took longer than ${limit / MINUTE} minutes and was ended.`);
      kill();
    }, limit);
    running.add(kill);
    child.once('error', (error) => {
      console.error(error.message);
    });
    child.once('close', (code) => {
      clearTimeout(late);
      running.delete(kill);
      done(code ?? 1);
    });
  });
}
