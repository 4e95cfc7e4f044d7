/** Runs the benches of `npm run bench` and prints their tables. */
import { readdir } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Bench, Table, Target } from './measure.ts';
import { slowDown } from './slow.ts';

const HELP = `npm run bench [-- [OPTIONS] NAME…]

Runs every bench, or those whose file name contains one of the names, and fails when a target is missed.

  --slow         slow down what is measured, to see its targets missed
  --self-check   the same, and fail when a speed target is met all the same
  --help         this text`;

const figure = (value: number): string => {
  if (value === 0) return '0';
  return value.toLocaleString(
    'en',
    Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  );
};

function print({ title, unit, rows }: Table): void {
  const cells = [
    [title, `median, ${unit}`, 'low to high', 'target', ''],
    ...rows.map(({ name, median, low, high, target }) => [
      name,
      figure(median),
      `${figure(low)} to ${figure(high)}`,
      target?.text ?? '',
      target ? (target.met ? 'met' : 'MISSED') : '',
    ]),
  ];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0))) ?? [];
  for (const line of cells)
    console.log(
      line
        .map((cell, column) =>
          column === 1 || column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    );
  console.log();
}

const { values: options, positionals: names } = parseArgs({
  options: {
    slow: { type: 'boolean', default: false },
    'self-check': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}
if (options.slow || options['self-check']) slowDown();

const files = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.bench.ts') && (names.length === 0 || names.some((name) => file.includes(name))))
  .sort();
if (files.length === 0) throw new Error(`No bench has ${names.join(' or ')} in its name.`);

/** Whether something else keeps a core busy. Then ratios count even more than otherwise. */
const machine = (): string => {
  const load = loadavg()[0]!;
  return `Load ${load.toFixed(1)}${load > 1.5 ? ': THE MACHINE IS BUSY, so times are too long' : ''}.`;
};
console.log(
  `Node ${process.versions.node}, ${availableParallelism()} cores. ${machine()} Differences under 1.3x mean nothing.\n`,
);
const targets: { name: string; target: Target }[] = [];
for (const file of files) {
  const { bench } = (await import(`./${file}`)) as { bench: Bench };
  for (const table of await bench()) {
    print(table);
    for (const { name, target } of table.rows)
      if (target) targets.push({ name: `${file}: ${table.title}: ${name}`, target });
  }
}
process.exitCode = options['self-check'] ? reportInsensitive() : reportMissed();

function reportMissed(): number {
  const missed = targets.filter(({ target }) => !target.met).length;
  console.log(missed === 0 ? 'Every target met.' : `${missed} missed.`);
  return missed === 0 ? 0 : 1;
}

/** Finds speed targets that are met even when the subject is slowed down, since they measure something else. */
function reportInsensitive(): number {
  const met = targets.filter(({ target }) => target.met && target.isSpeed !== false);
  for (const { name } of met) console.log(`Met although slowed down: ${name}`);
  console.log(met.length === 0 ? 'Every speed target was missed, as it should be.' : `${met.length} notice nothing.`);
  return met.length === 0 ? 0 : 1;
}
