/** Implements `npm run mutation [-- area…]`: mutates the code of each area, and lists the mutants that no unit test notices. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOMS = ['pipeline', 'oauth2', 'rest', 'vault', 'messaging'];
const HERE = import.meta.dirname;
const ROOT = resolve(HERE, '../..');

/** What we read of Stryker's report. */
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

function tell(room: string): string {
  const { files } = JSON.parse(readFileSync(resolve(ROOT, `test-results/mutation/${room}.json`), 'utf8')) as Report;
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
      const was = lines[start.line - 1]?.slice(start.column - 1, start.line === end.line ? end.column - 1 : undefined);
      console.log(`${file}:${start.line} ${mutatorName}: ${was} → ${replacement.replace(/\s+/g, ' ')}`);
    }
  }
  const { Killed = 0, Timeout = 0, Survived = 0, NoCoverage = 0, Ignored = 0 } = counts;
  const all = Killed + Timeout + Survived + NoCoverage;
  return `${room}: ${all} mutants, ${Killed + Timeout} killed, ${((100 * (Killed + Timeout)) / all).toFixed(1)} %; ${Ignored} in sentences left out`;
}

const asked = process.argv.slice(2);
const unknown = asked.find((room) => !ROOMS.includes(room));
if (unknown) throw new Error(`There is no room ${unknown} to mutate; there are ${ROOMS.join(', ')}.`);
// Apart from the project's own packages: only this needs them, and `npm ci` takes less time without.
if (
  !existsSync(resolve(HERE, 'node_modules')) &&
  !run('npm', ['ci', '--prefix', HERE, '--ignore-scripts', '--no-audit', '--no-fund'])
)
  process.exit(1);
const told: string[] = [];
for (const room of asked.length > 0 ? asked : ROOMS) {
  if (
    !run(
      'node',
      [resolve(HERE, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', 'tests/mutation/stryker.config.ts'],
      { MUTATED_ROOM: room },
    )
  )
    process.exitCode = 1;
  told.push(tell(room));
}
console.log(told.join('\n'));
