/** Owns `npm run bench`: runs every `*.bench.ts` beside it, or those whose name has one of the arguments, and prints what they measured. */
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Bench, Table } from './measure.ts';

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

const wanted = process.argv.slice(2);
const files = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((part) => file.includes(part))))
  .sort();
if (files.length === 0) throw new Error(`No bench is named like ${wanted.join(', ')}.`);

console.log(`Node ${process.versions.node}, ${availableParallelism()} cores. Differences under 1.3x mean nothing.\n`);
let missed = 0;
for (const file of files) {
  const { bench } = (await import(`./${file}`)) as { bench: Bench };
  for (const table of await bench()) {
    print(table);
    missed += table.rows.filter(({ target }) => target?.met === false).length;
  }
}
console.log(missed === 0 ? 'Every target met.' : `${missed} missed.`);
process.exitCode = missed === 0 ? 0 : 1;
