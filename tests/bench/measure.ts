/** Owns measuring: contenders take turns in one run, so that what slows the machine slows them all. */

/** One thing that is measured; `run` does `units` units of work. */
export interface Contender {
  name: string;
  units: number;
  run(): unknown;
}

export interface Row {
  name: string;
  /** Of the samples; in the table's unit. */
  median: number;
  low: number;
  high: number;
  /** What we want, as a sentence, and whether it is so; absent for references. */
  target?: { text: string; met: boolean };
}

export interface Table {
  title: string;
  unit: string;
  rows: Row[];
}

/** The same work `times` over, for a sample that takes long enough. */
export function repeat({ name, units, run }: Contender, times: number): Contender {
  return {
    name,
    units: units * times,
    run: async () => {
      for (let time = 0; time < times; time++) await run();
    },
  };
}

/** What every `*.bench.ts` exports under the name `bench`. */
export type Bench = () => Promise<Table[]>;

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

/**
 * Nanoseconds per unit of each contender, a sample per round: CPU time of this thread, which other programs on the machine do not
 * lengthen; some kernels count it in steps of 4 ms, so a sample should take about 100. Begins after as many rounds of warming up as `warm` says.
 */
export async function interleave(
  contenders: readonly Contender[],
  rounds: number,
  warm = 3,
): Promise<Map<string, number[]>> {
  const samples = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -warm; round < rounds; round++) {
    for (const { name, units, run } of contenders) {
      const start = process.threadCpuUsage();
      await run();
      const { user, system } = process.threadCpuUsage(start);
      if (round >= 0) samples.get(name)?.push(((user + system) * 1000) / units);
    }
  }
  return samples;
}
