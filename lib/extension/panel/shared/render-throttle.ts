/** Throttles the rendering of growing data: immediately after a pause, then at a limited rate. */
import { signal, type ReadonlySignal } from '@preact/signals';

export class RenderThrottle {
  readonly #version = signal(0);
  #renderedAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Number of renders so far. Views that read it update with each render. */
  get version(): ReadonlySignal<number> {
    return this.#version;
  }

  renderNow(): void {
    this.dispose();
    this.#renderedAt = performance.now();
    this.#version.value++;
  }

  /** Renders once `interval` milliseconds have passed since the last render. */
  renderAfter(interval: number): void {
    const wait = this.#renderedAt + interval - performance.now();
    if (wait <= 0) this.renderNow();
    else this.#timer ??= setTimeout(() => this.renderNow(), wait);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
