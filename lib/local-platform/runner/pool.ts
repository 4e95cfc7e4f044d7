/** Keeps warm child processes for runs. Each is used once, so that no run finds traces of another. */
import { startChild, type Child, type ChildOptions } from './child.ts';

export interface Pool {
  take(): Promise<Child>;
  /** Starts missing spare children. Resolves when all are ready. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** @param size how many spare children to keep ready once runs have started */
export function createPool(size: number, options: ChildOptions): Pool {
  const spare: Promise<Child>[] = [];
  const alive = new Set<Child>();
  let closed = false;

  function start(): Promise<Child> {
    const child = startChild(options).then((made) => {
      alive.add(made);
      void made.gone.then(() => {
        alive.delete(made);
        // A spare child that has exited (killed from outside) must not be used for a run.
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
      // This child starts first, before the next spare ones.
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
