/** Works through long lists in slices, between which the page handles whatever is more urgent. */

/** In milliseconds. A frame has 16. */
const SLICE = 10;

interface Scheduler {
  postTask?: (task: () => void, options: { priority: 'background' }) => Promise<void>;
}

/** Pauses a loop once a slice is used up. */
export class Slices {
  #until = performance.now() + SLICE;

  /** Whether to wait for `pause` before the next item. */
  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Resolves once nothing more urgent is waiting. */
  async pause(): Promise<void> {
    await background();
    this.#until = performance.now() + SLICE;
  }
}

/** Resolves to the changed items. */
export async function mapInSlices<T, R>(items: readonly T[], change: (item: T) => R): Promise<R[]> {
  const slices = new Slices();
  const changed: R[] = [];
  for (const item of items) {
    if (slices.isOver) await slices.pause();
    changed.push(change(item));
  }
  return changed;
}

function background(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: Scheduler };
  return scheduler?.postTask?.(() => {}, { priority: 'background' }) ?? new Promise((resolve) => setTimeout(resolve));
}
