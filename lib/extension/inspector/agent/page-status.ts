/**
 * Reports the page's time, whether the run is paused at a step, and where the debugger has paused the page. The time of pauses
 * isn't counted.
 */
import { PANEL_FRAME, type PageStatus } from '../agent-protocol.ts';
import { stackOf } from './describe/describe-special.ts';
import { write } from './json.ts';
import { ErrorOf, indexOf, now, slice, wallClock } from './pristine.ts';

const MAX_STACK = 2_000;

/** Milliseconds of earlier pauses. */
let paused = 0;
/** When the panel first and last saw the current pause. */
let pause: { from: number; to: number } | null = null;

/** Since when the run is paused at a step; null if it isn't. */
let heldFrom: number | null = null;

function pausedTime(): number {
  if (heldFrom !== null) return paused + now() - heldFrom;
  return paused + (pause ? pause.to - pause.from : 0);
}

/** Like `performance.now()`, without pauses. A pause is only known from when the panel first to when it last saw it. */
export const activeNow = (): number => now() - pausedTime();

/** The run is paused at a step. */
export function holdTime(): void {
  endPause();
  heldFrom ??= now();
}

export function releaseTime(): void {
  paused = pausedTime();
  heldFrom = null;
}

function endPause(): void {
  paused = pausedTime();
  pause = null;
}

/** Forgets earlier pauses, and returns `activeNow()`. */
export function startActiveTime(): number {
  paused = 0;
  pause = null;
  heldFrom = null;
  return now();
}

/** @param ownsStack whether callers of the panel's code are paused code, as in DevTools */
export function pageStatus(ownsStack: boolean): string {
  const stack = ownsStack ? pausedStack() : '';
  const at = now();
  const isHeld = heldFrom !== null;
  // Until the run goes on, no time counts anyway.
  if (!isHeld && stack !== '') pause = { from: pause ? pause.from : at, to: at };
  else if (!isHeld) endPause();
  return write({ now: wallClock() - pausedTime(), isHeld, pausedStack: stack } satisfies PageStatus);
}

/**
 * The stack below the panel's code. While the debugger has paused the page, the browsers run the panel's code on top of
 * the paused code. The event loop tells less: Firefox delivers messages and frames during a pause.
 */
function pausedStack(): string {
  const stack = stackOf(new ErrorOf());
  const frame = indexOf(stack, PANEL_FRAME);
  if (frame < 0) return '';
  // The next line is the evaluation itself.
  const evaluation = indexOf(stack, '\n', frame);
  const caller = evaluation < 0 ? -1 : indexOf(stack, '\n', evaluation + 1);
  return caller < 0 ? '' : slice(stack, caller + 1, caller + 1 + MAX_STACK);
}
