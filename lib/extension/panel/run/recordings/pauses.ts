/** Lets the panel render and handle input while it works on something long. */

/** Time to work without a pause, in milliseconds. */
const SLICE = 12;

export interface Pauses {
  pauseIfDue(): Promise<void> | void;
}

export function createPauses(): Pauses {
  let since = performance.now();
  return {
    pauseIfDue() {
      if (performance.now() - since < SLICE) return undefined;
      return nextTask().then(() => {
        since = performance.now();
      });
    },
  };
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
