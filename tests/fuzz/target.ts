/** The process of one target: `node tests/fuzz/target.ts FILE RUNS SEED SHOW` fuzzes it and prints one line. */
import type { Target } from './check.ts';
import { watched } from './watch.ts';

const [file = '', runs = '', seed = '', show = '0'] = process.argv.slice(2);
const { name, fuzz } = (await import(file)) as Target;
const started = performance.now();
// Node prints an unhandled rejection and ends the process.
const { inputs, slowest } = await watched(() => fuzz(Number(runs), Number(seed)), Number(show));
const seconds = (performance.now() - started) / 1000;
console.log(
  `${name}: ${inputs.toLocaleString('en')} inputs in ${seconds.toFixed(1)} s, ${Math.round(inputs / seconds).toLocaleString('en')} per second, slowest ${slowest.milliseconds.toFixed(0)} ms (input ${slowest.input}), seed ${seed}: nothing found`,
);
// A target may leave timers of the code under test behind.
process.exit(0);
