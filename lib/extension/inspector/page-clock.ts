/** Follows the page's clock between polls, and notices when the debugger pauses and resumes the page. */
import type { PageStatus } from './agent-protocol.ts';
import { type PagePause, pagePause } from './page-pause.ts';

type PauseEvent = { kind: 'debugger-paused'; pause: PagePause } | { kind: 'debugger-resumed' };

export class PageClock {
  readonly #emit: (event: PauseEvent) => void;
  /** The page's time when it was polled last, and this computer's. */
  #polled: { now: number; at: number; isHeld: boolean } | null = null;
  #pausedStack = '';

  constructor(emit: (event: PauseEvent) => void) {
    this.#emit = emit;
  }

  /** In epoch milliseconds; stands still while the page is paused. Null if the page wasn't polled yet. */
  now(): number | null {
    if (!this.#polled) return null;
    const { now, at, isHeld } = this.#polled;
    return this.#pausedStack === '' && !isHeld ? now + performance.now() - at : now;
  }

  update({ now, isHeld, pausedStack }: PageStatus): void {
    this.#polled = { now, at: performance.now(), isHeld };
    if (pausedStack === this.#pausedStack) return;
    this.#pausedStack = pausedStack;
    this.#emit(
      pausedStack === '' ? { kind: 'debugger-resumed' } : { kind: 'debugger-paused', pause: pagePause(pausedStack) },
    );
  }

  /** The document has gone. */
  forget(): void {
    this.#polled = null;
    if (this.#pausedStack === '') return;
    this.#pausedStack = '';
    this.#emit({ kind: 'debugger-resumed' });
  }
}
