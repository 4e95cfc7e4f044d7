/** Notices when panels no longer call the agent, such as after they were closed. */
import { cancelLater, later } from './pristine.ts';

/**
 * Panels poll at least every few seconds. What counts is the number of checks without a call, not the time: in a hidden tab,
 * browsers delay timers of the page to once a minute, and a computer can sleep. Both also keep panels from calling.
 */
const INTERVAL = 5_000;
const CHECKS = 6;

/** Seconds after which a panel is considered gone. */
export const ABSENCE = (INTERVAL * CHECKS) / 1_000;

let calls = 0;

/** A panel has called the agent. */
export function notePanel(): void {
  calls++;
}

/** Calls `then` once no panel has called for 30 s. Returns a function that cancels it. */
export function whenAbsent(then: () => void): () => void {
  let known = calls;
  let missed = 0;
  const check = (): void => {
    missed = calls === known ? missed + 1 : 0;
    known = calls;
    if (missed < CHECKS) timer = later(check, INTERVAL);
    else then();
  };
  let timer = later(check, INTERVAL);
  return () => cancelLater(timer);
}
