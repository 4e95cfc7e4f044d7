/** Implements `npm run fuzz [-- --runs 100000 --seed N --only name --show N]`: one process per target, in sequence. */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    /** Inputs for each target. */
    runs: { type: 'string', default: '100000' },
    /** The same seed generates the same inputs. */
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    /** One target by its name. */
    only: { type: 'string' },
    /** Prints this input of the target before it is checked. */
    show: { type: 'string', default: '0' },
  },
});

const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.fuzz.ts')).sort();
const chosen = files.filter((file) => values.only === undefined || file === `${values.only}.fuzz.ts`);
if (chosen.length === 0)
  throw new Error(
    `Unknown target “${values.only}”. Choose from ${files.map((file) => file.replace('.fuzz.ts', '')).join(', ')}.`,
  );

const found: string[] = [];
for (const file of chosen) {
  const code = await run(resolve(import.meta.dirname, file));
  if (code !== 0)
    found.push(`npm run fuzz -- --only ${file.replace('.fuzz.ts', '')} --runs ${values.runs} --seed ${values.seed}`);
}
for (const again of found) console.log(`Found something (see above). To repeat it: ${again}`);
console.log(`${chosen.length - found.length} of ${chosen.length} targets without a finding, seed ${values.seed}`);
process.exitCode = found.length === 0 ? 0 : 1;

function run(file: string): Promise<number> {
  return new Promise((done) => {
    const child = spawn(
      process.execPath,
      [resolve(import.meta.dirname, 'target.ts'), file, values.runs, values.seed, values.show],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    child.once('close', (code) => done(code ?? 1));
  });
}
