/** Ends what a worker process of the test runner shares between test files, when that process ends. */
const pending = new Set<() => void>();

/** Registers synchronous work to run when this process ends, however it ends. Returns a function that cancels it. */
export function atExit(work: () => void): () => void {
  if (pending.size === 0) {
    process.once('exit', runAll);
    for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.once(signal, () => process.exit());
  }
  pending.add(work);
  return () => pending.delete(work);
}

function runAll(): void {
  for (const work of pending) work();
}
