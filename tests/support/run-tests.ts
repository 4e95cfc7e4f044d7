/** Owns `npm test`: browsers, types, lint and every kind of test, and the last line `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ensureBrowser } from '../../lib/demo/find-browser.ts';
import { loadSnapshot } from '../../lib/local-platform/db/snapshot.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const REPORTS = resolve(ROOT, 'test-results/reports');
const MINUTE = 60_000;

interface Count {
  passed: number;
  failed: number;
}

/** What we read of Vitest's JSON report. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  success: boolean;
  testResults: { status: string; assertionResults: unknown[] }[];
}

await mkdir(REPORTS, { recursive: true });
const counts: Count[] = [];
counts.push(installBrowsers());
counts.push(await command('types', 'tsc', ['--noEmit'], 2 * MINUTE));
counts.push(await command('lint', 'oxlint', ['--deny-warnings'], 2 * MINUTE));
// Made once, before tests that start at the same time would each make it.
await loadSnapshot();
for (const [project, limit] of [['unit', 4 * MINUTE], ['platform', 8 * MINUTE], ['e2e', 10 * MINUTE]] as const) counts.push(await tests(project, limit));

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
console.log(`${passed} passed, ${failed} failed`);

/** A missing browser is a failure that is told at once, and does not keep the other tests from running. */
function installBrowsers(): Count {
  try {
    ensureBrowser('chromium');
    ensureBrowser('firefox');
    return { passed: 0, failed: 0 };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
}

/** Types and lint count as one test each. */
async function command(title: string, program: string, args: string[], limit: number): Promise<Count> {
  const code = await run(program, args, limit);
  console.log(code === 0 ? `${title}: no errors` : `${title}: FAILED (${program} ${args.join(' ')})`);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function tests(project: string, limit: number): Promise<Count> {
  const file = resolve(REPORTS, `${project}.json`);
  await rm(file, { force: true });
  const code = await run('vitest', ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], limit);
  const report = await readFile(file, 'utf8').then((text) => JSON.parse(text) as Report, () => null);
  if (!report) {
    console.log(`${project}: FAILED, no report was written (exit code ${code})`);
    return { passed: 0, failed: 1 };
  }
  // A file that could not even be loaded, and an error outside any test, have no test to be counted by.
  const unloaded = report.testResults.filter((result) => result.status === 'failed' && result.assertionResults.length === 0).length;
  const failed = report.numFailedTests + unloaded;
  return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** Runs one of the project's tools; after `limit` milliseconds it and its children are killed, which counts as a failure. */
function run(program: string, args: string[], limit: number): Promise<number> {
  const bin = resolve(ROOT, 'node_modules/.bin');
  const separator = process.platform === 'win32' ? ';' : ':';
  return new Promise((done) => {
    const child = spawn(resolve(bin, program), args, {
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
    const stop = () => {
      kill();
      process.exit(130);
    };
    process.once('SIGINT', stop).once('SIGTERM', stop);
    child.once('error', (error) => {
      console.error(error.message);
    });
    child.once('close', (code) => {
      clearTimeout(late);
      process.off('SIGINT', stop).off('SIGTERM', stop);
      done(code ?? 1);
    });
  });
}
