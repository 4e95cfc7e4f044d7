/** Owns the list of what the routes work with. */
import type { Database } from '../db/database.ts';
import type { ReadCatalogue } from '../functions/catalogue.ts';
import type { Mailer } from '../mail.ts';
import type { Answers } from './answers.ts';
import type { Auth } from './auth.ts';

export interface Services {
  db: Database;
  answers: Answers;
  catalogue: ReadCatalogue;
  auth: Auth;
  mailer: Mailer;
}
