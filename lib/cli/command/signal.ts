/** The signal of the command that runs, for what waits deep below it. */
import { AsyncLocalStorage } from 'node:async_hooks';

export const commandSignal = new AsyncLocalStorage<AbortSignal>();
