/** Owns the list of what the routes work with. */
import type { Database } from '../db/database.ts';
import type { ReadCatalogue } from '../functions/catalogue.ts';
import type { Clock } from '../jobs/clock.ts';
import type { Schedules } from '../jobs/schedules.ts';
import type { Jobs } from '../jobs/types.ts';
import type { Logs } from '../logs/write.ts';
import type { Mailer } from '../mail.ts';
import type { Answers } from './answers.ts';
import type { Auth } from './auth.ts';

/** `payload` in characters, `time` in milliseconds, `result` in bytes, all of JSON. */
export interface RunLimits {
  payload: number;
  time: number;
  result: number;
}

export interface Services {
  db: Database;
  answers: Answers;
  catalogue: ReadCatalogue;
  auth: Auth;
  mailer: Mailer;
  logs: Logs;
  jobs: Jobs;
  limits: RunLimits;
  clock: () => Date;
  time: { clock: Clock; schedules: Pick<Schedules, 'advance'> };
}
