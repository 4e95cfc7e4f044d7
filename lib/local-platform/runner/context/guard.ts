/** Keeps errors of Node’s realm out of a run’s context when its stack is full. */
import type { Host } from './host.ts';

/** Levels of the stack, which are more than a call of the host takes before it catches errors. */
const LEVELS = 24;

/** Throws this realm’s RangeError if the stack has fewer levels left. Recursive, because it must use them to know. */
function checkStack(levels: number): number {
  return levels === 0 ? 0 : checkStack(levels - 1) + 1;
}

/** Replaces the host’s functions with functions of this realm. A call that didn’t fit would fail in Node’s realm. */
export function guard(host: Host): void {
  for (const [name, call] of Object.entries(host))
    if (typeof call === 'function')
      Reflect.set(host, name, (one: unknown, two: unknown, three: unknown): unknown => {
        checkStack(LEVELS);
        return (call as (...args: unknown[]) => unknown)(one, two, three);
      });
}
