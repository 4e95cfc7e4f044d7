/** The globals of a run’s context. Loaded before the runtime, which reads the timers when it loads. */
import { installConsole } from './console.ts';
import { installFetch, type FetchOutcome } from './fetch.ts';
import type { Host } from './host.ts';
import { installTexts } from './texts.ts';
import { installTimers } from './timers.ts';
import { installUrl } from './url.ts';

export interface World {
  log: (level: string, ...values: unknown[]) => void;
  /** A timer of the platform has fired. */
  tick: (id: number) => void;
  settleFetch: (outcome: FetchOutcome) => void;
}

/** A variable around the script (child.cjs). */
declare const host: Host;

const log = installConsole(host);
const tick = installTimers(host, (thrown) => log('error', thrown));
installUrl(host);
installTexts(host);
export const world: World = { log, tick, settleFetch: installFetch(host) };
