/** Ticks while a run is in progress, so that the time of a step that reports nothing still moves. */
import { effect, signal, type ReadonlySignal } from '@preact/signals';

/** Milliseconds between ticks. */
const INTERVAL = 250;
/** A step that has reported nothing for this many milliseconds says so. */
const SILENCE = 5_000;

/** How far a run is: how long it took, or has been running, and whether the debugger has paused it. */
export interface Progress {
  /** Milliseconds since the run started, without pauses of the debugger. */
  elapsed: number;
  isPaused: boolean;
}

export class RunClock {
  readonly #elapsed = signal(0);
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly dispose: () => void;

  /**
   * @param startedAt when the run in progress started, by the page's clock; null if none is
   * @param pageNow the page's clock, which stands still during pauses; null if unknown
   */
  constructor(startedAt: ReadonlySignal<number | null>, pageNow: () => number | null) {
    const stopWatching = effect(() => {
      const from = startedAt.value;
      clearInterval(this.#timer);
      if (from === null) return;
      const tick = (): void => void (this.#elapsed.value = Math.max(0, (pageNow() ?? Date.now()) - from));
      tick();
      this.#timer = setInterval(tick, INTERVAL);
    });
    this.dispose = () => {
      stopWatching();
      clearInterval(this.#timer);
    };
  }

  /** Milliseconds since the run in progress started, without pauses of the debugger. */
  get elapsed(): ReadonlySignal<number> {
    return this.#elapsed;
  }
}

/** Whole seconds since the run's last event; null if that isn't long ago. */
export function silentSeconds(lastEventAt: number, elapsed: number): number | null {
  const silent = elapsed - lastEventAt;
  return silent < SILENCE ? null : Math.floor(silent / 1_000);
}
