/** Owns how long work took of the processor: on a busy machine, too, it is the same. */

/** Milliseconds of the processor that `work` took. */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
