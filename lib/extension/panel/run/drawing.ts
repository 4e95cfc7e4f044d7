/** Owns how often something that grows is drawn: at once when nothing was drawn lately, else not more often than a person can follow. */
import { signal, type ReadonlySignal } from '@preact/signals';

export interface Drawing {
  /** Counts the drawings: what is shown is derived from it. */
  readonly version: ReadonlySignal<number>;
  now(): void;
  /** Milliseconds that have to lie between this drawing and the last; one that is waited for already is enough. */
  within(pause: number): void;
  dispose(): void;
}

export function createDrawing(): Drawing {
  const version = signal(0);
  let drawn = -Infinity;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  function now(): void {
    clearTimeout(waiting);
    waiting = undefined;
    drawn = performance.now();
    version.value++;
  }
  return {
    version,
    now,
    within(pause) {
      const wait = drawn + pause - performance.now();
      if (wait <= 0) now();
      else waiting ??= setTimeout(now, wait);
    },
    dispose: () => clearTimeout(waiting),
  };
}
