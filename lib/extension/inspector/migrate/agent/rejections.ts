/** Keeps promises that the code under proof rejects, and doesn’t wait for, out of the page’s console. */
import { PROVED_SOURCE, PROVER_SOURCE } from '../protocol.ts';

/** Returns a function that ends it. */
export function hideRejections(): () => void {
  const hide = (event: PromiseRejectionEvent): void => {
    if (!isOurs(event.reason)) return;
    // Listeners that the page has added before were already called.
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  globalThis.addEventListener('unhandledrejection', hide, true);
  return () => globalThis.removeEventListener('unhandledrejection', hide, true);
}

/** A function package that skips its steps rejects without a reason. */
function isOurs(reason: unknown): boolean {
  if (!(reason instanceof Error)) return reason === undefined;
  const stack = String(reason.stack);
  return stack.includes(PROVED_SOURCE) || stack.includes(PROVER_SOURCE);
}
