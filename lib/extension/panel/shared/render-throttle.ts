/** Limits how often growing data is rendered: right away after a pause, then at a bounded rate. */
import { signal, type ReadonlySignal } from '@preact/signals';

export class RenderThrottle {
  readonly #version = signal(0);
  #renderedAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Counts the renderings. Views derive what they show from it. */
  get version(): ReadonlySignal<number> {
    return this.#version;
  }

  renderNow(): void {
    this.dispose();
    this.#renderedAt = performance.now();
    this.#version.value++;
  }

  /** Renders at least `interval` milliseconds after the last rendering, or at once when that has passed. */
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
