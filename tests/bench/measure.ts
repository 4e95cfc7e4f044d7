/** Measures contenders in alternating rounds of one process, so that a slow machine slows all of them. */
import { slowed } from './slow.ts';

/** One thing to measure; `run` does `units` units of work. */
export interface Contender {
  name: string;
  units: number;
  run(): unknown;
  /** Ours, as opposed to a reference: slowed down in a self-check. */
  isSubject?: boolean;
}

export interface Target {
  text: string;
  met: boolean;
  /** False for what is counted or weighed: a slower subject doesn’t miss it. */
  isSpeed?: false;
}

export interface Row {
  name: string;
  /** Of all samples, in the table’s unit. */
  median: number;
  low: number;
  high: number;
  /** References have none. */
  target?: Target;
}

export interface Table {
  title: string;
  unit: string;
  rows: Row[];
}

/** What every `*.bench.ts` exports under the name `bench`. */
export type Bench = () => Promise<Table[]>;

/** Nanoseconds per unit of each contender, one sample per round. */
export type Samples = Map<string, number[]>;

/** Repeats the same work `times` times, for samples that take long enough. */
export function repeat({ run, ...contender }: Contender, times: number): Contender {
  return {
    ...contender,
    units: contender.units * times,
    run: async () => {
      for (let time = 0; time < times; time++) await run();
    },
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export function row(name: string, samples: readonly number[]): Row {
  return { name, median: median(samples), low: Math.min(...samples), high: Math.max(...samples) };
}

/** How many times as long as `reference` `subject` takes: the median of each round’s ratio, which a slow round doesn’t change. */
export function ratio(samples: Samples, subject: string, reference: string): number {
  const references = samples.get(reference) ?? [];
  return median((samples.get(subject) ?? []).map((time, round) => time / (references[round] as number)));
}

/**
 * Measures the processor time of this thread, which other programs don’t lengthen. Only for work that is done in this thread
 * and never waits. Some kernels count in steps of 4 ms, so a sample should take about 100 ms.
 */
export function interleave(contenders: readonly Contender[], rounds: number, warm = 3): Promise<Samples> {
  return measure(contenders, { rounds, warm }, async (run) => {
    const start = process.threadCpuUsage();
    await run();
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) * 1_000;
  });
}

/** Measures by the wall clock: for anything that waits, or that runs in another thread or process. */
export function interleaveByWall(contenders: readonly Contender[], rounds: number, warm = 3): Promise<Samples> {
  return measure(contenders, { rounds, warm }, async (run) => {
    const start = performance.now();
    await run();
    return (performance.now() - start) * 1e6;
  });
}

/** Runs ours, reference, ours, …; the first `warm` rounds don’t count. */
async function measure(
  contenders: readonly Contender[],
  { rounds, warm }: { rounds: number; warm: number },
  time: (run: () => unknown) => Promise<number>,
): Promise<Samples> {
  const samples: Samples = new Map(contenders.map(({ name }) => [name, []]));
  for (let round = -warm; round < rounds; round++) {
    for (const { name, units, run, isSubject } of contenders) {
      const nanoseconds = await time(isSubject ? slowed(run) : run);
      if (round >= 0) samples.get(name)?.push(nanoseconds / units);
    }
  }
  return samples;
}
