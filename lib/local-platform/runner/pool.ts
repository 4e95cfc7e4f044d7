/** Keeps warm child processes for runs. Each is used only once, so that a run can’t affect later runs. */
import type { Child, ChildOptions, StartChild } from './child.ts';

export interface Pool {
  take(): Promise<Child>;
  /** Starts missing spare children. Resolves when all are ready. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** @param size how many spare children to keep ready once runs have started */
export function createPool(size: number, options: ChildOptions, startChild: StartChild): Pool {
  const spare: Promise<Child>[] = [];
  const alive = new Set<Child>();
  let closed = false;

  function start(): Promise<Child> {
    const child = startChild(options).then((made) => {
      alive.add(made);
      void made.gone.then(() => {
        alive.delete(made);
        // Don’t use a spare child that has exited, for example because it was killed from outside.
        const at = spare.indexOf(child);
        if (at >= 0) spare.splice(at, 1);
      });
      if (closed) made.kill();
      return made;
    });
    child.catch(() => {
      const at = spare.indexOf(child);
      if (at >= 0) spare.splice(at, 1);
    });
    return child;
  }

  async function warm(): Promise<void> {
    if (closed) return;
    while (spare.length < size) spare.push(start());
    await Promise.allSettled(spare);
  }

  return {
    warm,
    take() {
      const child = spare.shift() ?? start();
      // Let this child finish starting before the next spare ones start.
      void child.then(warm, () => {});
      return child;
    },
    async close() {
      closed = true;
      await Promise.allSettled(spare);
      const all = [...alive];
      for (const child of all) child.kill();
      await Promise.all(all.map(({ gone }) => gone));
    },
  };
}
