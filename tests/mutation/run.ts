/**
 * Implements `npm run mutation [-- area…]`: mutates the code of each area, and lists the mutants that survive its unit
 * tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

/** Folders of `lib` whose tests are in the same folder of `tests/unit`. */
const AREAS = ['pipeline', 'oauth2', 'rest', 'extension/vault', 'extension/messaging'];
const HERE = import.meta.dirname;
const ROOT = resolve(HERE, '../..');

/** The parts of Stryker's report that are read. */
interface Report {
  files: Record<
    string,
    {
      source: string;
      mutants: {
        status: string;
        mutatorName: string;
        replacement?: string;
        location: Record<'start' | 'end', { line: number; column: number }>;
      }[];
    }
  >;
}

function run(command: string, args: string[], env: Record<string, string> = {}): boolean {
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0;
}

const reportOf = (area: string): string => resolve(ROOT, `test-results/mutation/${area}.json`);

/** Prints the survivors, and returns the score. */
function summarize(area: string): string {
  if (!existsSync(reportOf(area))) return `${area}: Stryker wrote no report.`;
  const { files } = JSON.parse(readFileSync(reportOf(area), 'utf8')) as Report;
  const counts: Record<string, number> = {};
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n');
    for (const {
      status,
      mutatorName,
      replacement = '',
      location: { start, end },
    } of mutants) {
      counts[status] = (counts[status] ?? 0) + 1;
      if (status !== 'Survived' && status !== 'NoCoverage') continue;
      const original = lines[start.line - 1]?.slice(
        start.column - 1,
        start.line === end.line ? end.column - 1 : undefined,
      );
      console.log(`${file}:${start.line} ${mutatorName}: ${original} → ${replacement.replace(/\s+/g, ' ')}`);
    }
  }
  const { Killed = 0, Timeout = 0, Survived = 0, NoCoverage = 0, Ignored = 0 } = counts;
  const total = Killed + Timeout + Survived + NoCoverage;
  const score = ((100 * (Killed + Timeout)) / total).toFixed(1);
  return `${area}: ${total} mutants, ${Killed + Timeout} killed, ${score}%. ${Ignored} in sentences were left out.`;
}

const requested = process.argv.slice(2);
const unknown = requested.find((area) => !AREAS.includes(area));
if (unknown) throw new Error(`Unknown area “${unknown}”. Choose from ${AREAS.join(', ')}.`);
// Installed on demand, because `npm ci` of the project takes less time without Stryker.
if (
  !existsSync(resolve(HERE, 'node_modules')) &&
  !run('npm', ['ci', '--prefix', HERE, '--ignore-scripts', '--no-audit', '--no-fund'])
)
  process.exit(1);
const summaries: string[] = [];
for (const area of requested.length > 0 ? requested : AREAS) {
  rmSync(reportOf(area), { force: true });
  if (
    !run(
      'node',
      [resolve(HERE, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', 'tests/mutation/stryker.config.ts'],
      { MUTATED_AREA: area },
    )
  )
    process.exitCode = 1;
  summaries.push(summarize(area));
}
console.log(summaries.join('\n'));
