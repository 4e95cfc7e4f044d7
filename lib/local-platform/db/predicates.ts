/** Conditions of partial indexes, which queries repeat to use them. */
import { sql } from './drizzle.ts';

/** Of actions: whether one of the copies can have an analytics trigger. */
export const MENTIONS_ANALYTICS = sql`(triggers::text like '%"analytics"%' or published::text like '%"analytics"%')`;
