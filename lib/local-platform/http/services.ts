/** The services that routes use. */
import type { ProfileName } from '../../platform-api/actions-v3/profiles.ts';
import type { RateV3 } from '../apps/actions-v3/rate.ts';
import type { Database } from '../db/database.ts';
import type { OnEffect } from '../effects.ts';
import type { ReadCatalogue } from '../functions/catalogue.ts';
import type { Clock } from '../jobs/clock.ts';
import type { Schedules } from '../jobs/schedules.ts';
import type { Db, Jobs, RunRequest } from '../jobs/types.ts';
import type { SendToNetwork } from '../network.ts';
import type { Limits, OAuthDemo } from '../options.ts';
import type { Logs } from '../logs/write.ts';
import type { Mailer } from '../mail.ts';
import type { ResponseCache } from './response-cache.ts';
import type { Auth } from './auth.ts';

/** Origins where the platform’s apps run: its own, under each name of this machine, and those from the options. */
export interface AppOrigins {
  own: readonly string[];
  others: readonly string[];
}

export interface Services {
  db: Database;
  cache: ResponseCache;
  catalogue: ReadCatalogue;
  auth: Auth;
  mailer: Mailer;
  logs: Logs;
  jobs: Jobs;
  limits: Limits;
  clock: () => Date;
  /** App Actions V3: its profile, its limit of runs, and the root of what pages load and call. */
  v3: { profile: ProfileName; rate: RateV3; root: string };
  /** Counts runs that no request asks for, and returns those within the limits. */
  admit: (tx: Db, runs: readonly RunRequest[]) => Promise<RunRequest[]>;
  /** Sends requests for pages. `timeLimit` is in milliseconds. */
  proxy: { network: SendToNetwork; timeLimit: number };
  appOrigins: () => AppOrigins;
  onEffect: OnEffect;
  /** Whether runs are recorded, and recordings are served. */
  hasRecordings: boolean;
  /** The root of what pages load and call, such as `/v1`. */
  pagesRoot: string;
  /** Null if the services weren’t started. */
  oauthDemo: OAuthDemo | null;
  time: { clock: Clock; schedules: Pick<Schedules, 'advance'> };
}
