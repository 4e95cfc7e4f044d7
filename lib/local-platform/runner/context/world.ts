/** Installs the globals of a run’s context. Must load before the runtime, which captures the timers when it loads. */
import { installClone } from './clone.ts';
import { installConsole } from './console.ts';
import { installFetch, type FetchOutcome } from './fetch.ts';
import { guard } from './guard.ts';
import type { Host } from './host.ts';
import { installCrypto } from './random.ts';
import { installTexts } from './texts.ts';
import { installTimers } from './timers.ts';
import { installUrl } from './url.ts';
import type { Watched } from './watch.ts';

export interface World {
  log: (level: string, ...values: unknown[]) => void;
  /** Called when one of the platform’s timers has fired. */
  tick: (id: number) => void;
  settleFetch: (outcome: FetchOutcome) => void;
  watched: Watched;
}

/** A variable in the scope around the script (child.cjs). */
declare const host: Host;

guard(host);
const watched: Watched = { current: null };
const log = installConsole(host, watched);
const tick = installTimers(host, (thrown) => log('error', thrown));
installUrl(host);
installTexts();
installClone();
installCrypto(host);
export const world: World = { log, tick, settleFetch: installFetch(host, watched), watched };
