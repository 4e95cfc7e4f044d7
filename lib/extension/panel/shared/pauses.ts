/** Lets the panel render, handle input, and read from the page while it works on something long. */

/** Time to work without a pause, in milliseconds. */
const SLICE = 12;

export interface Pauses {
  pauseIfDue(): Promise<void> | void;
}

/** @param isBackground whether everything else that is waiting goes first, not only what came before */
export function createPauses(isBackground = false): Pauses {
  let since = performance.now();
  return {
    pauseIfDue() {
      if (performance.now() - since < SLICE) return undefined;
      return (isBackground ? backgroundTask() : nextTask()).then(() => {
        since = performance.now();
      });
    },
  };
}

/** Resolves to the changed items of a long list. Works in the background. */
export async function mapInBackground<T, R>(items: readonly T[], change: (item: T) => R): Promise<R[]> {
  const pauses = createPauses(true);
  const changed: R[] = [];
  for (const item of items) {
    const pause = pauses.pauseIfDue();
    if (pause) await pause;
    changed.push(change(item));
  }
  return changed;
}

interface Scheduler {
  postTask?: (task: () => void, options: { priority: 'background' }) => Promise<void>;
}

function backgroundTask(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: Scheduler };
  return scheduler?.postTask?.(() => {}, { priority: 'background' }) ?? new Promise((resolve) => setTimeout(resolve));
}

/** Browsers delay nested timers by 4 ms, but not messages. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
