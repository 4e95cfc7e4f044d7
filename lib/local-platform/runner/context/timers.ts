/** Timers for a run’s context. */
import type { Host } from './host.ts';

type Callback = (...args: unknown[]) => unknown;

const MAX_DELAY = 2 ** 31 - 1;

/** @param failed called with any error that a callback throws */
export function installTimers(host: Host, failed: (thrown: unknown) => void): (id: number) => void {
  const waiting = new Map<number, { callback: Callback; args: unknown[]; every: number | null }>();
  let last = 0;

  const wait = (value: unknown): number => {
    const ms = Number(value);
    return ms > 0 && ms <= MAX_DELAY ? ms : 1;
  };
  const start =
    (name: string, repeat: boolean) =>
    (callback: unknown, ms?: unknown, ...args: unknown[]) => {
      if (typeof callback !== 'function') throw new TypeError(`${name}: the first argument must be a function.`);
      last += 1;
      waiting.set(last, { callback: callback as Callback, args, every: repeat ? wait(ms) : null });
      host.startTimer(last, wait(ms));
      return last;
    };
  const stop = (id: unknown): void => {
    if (waiting.delete(id as number)) host.stopTimer(id as number);
  };
  Object.assign(globalThis, {
    setTimeout: start('setTimeout', false),
    setInterval: start('setInterval', true),
    clearTimeout: stop,
    clearInterval: stop,
  });

  return (id) => {
    const timer = waiting.get(id);
    if (!timer) return;
    if (timer.every === null) waiting.delete(id);
    else host.startTimer(id, timer.every);
    try {
      timer.callback(...timer.args);
    } catch (thrown) {
      failed(thrown);
    }
  };
}
