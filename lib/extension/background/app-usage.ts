/** Finds an app’s users and its newest version in the app’s sessions. */
import type { AppUse, ErrorValue } from '../../platform-api/index.ts';
import { latestVersion, toErrorValue, usersOf } from '../../platform-api/index.ts';
import { type Unreadable, unreadableOf } from '../../platform-api/lists/unreadable.ts';
import { type Connection, readClock } from '../../rest/index.ts';
import { plural } from '../../shared/format.ts';
import { readSessions } from '../messaging/read-sessions.ts';
import type { SessionPages } from './session-pages.ts';

/** In milliseconds. */
const READ_TIMEOUT = 15_000;
const CLOCK_TIMEOUT = 5_000;

export interface AppUsage {
  /** Null when the sessions couldn’t be read. */
  users: Map<string, AppUse> | null;
  /** The newest version that sessions report. */
  latest: number | null;
  error: ErrorValue | null;
}

export async function readUsage(
  pages: SessionPages,
  connection: Connection,
  appId: number,
  signal?: AbortSignal,
): Promise<AppUsage> {
  const users = new Map<string, AppUse>();
  let latest: number | null = null;
  const unreadable: Unreadable[] = [];
  const end = performance.now() + READ_TIMEOUT;
  // If the platform doesn’t report its time soon enough, use this computer’s time.
  const time = readClock(connection, { timeoutMs: CLOCK_TIMEOUT, signal }).then(
    (clock) => (clock.virtual ? Date.parse(clock.now) : Date.now()),
    () => Date.now(),
  );
  const answer = await readSessions(
    (page) =>
      pages
        .list(connection, { appId, ...page }, { timeoutMs: Math.max(1, Math.ceil(end - performance.now())), signal })
        .then(
          (value) => ({ ok: true, value }),
          (error: unknown) => ({ ok: false, error: toErrorValue(error) }),
        ),
    time,
    (page, now) => {
      usersOf(page, now, users);
      unreadable.push(...unreadableOf(page));
      const newest = latestVersion(page);
      if (newest !== null && (latest === null || newest > latest)) latest = newest;
      return true;
    },
  );
  if (answer?.ok === false) return { users: null, latest: null, error: answer.error };
  // A part of the users would look like all of them.
  return unreadable.length > 0
    ? { users: null, latest, error: incomplete(unreadable) }
    : { users, latest, error: null };
}

const incomplete = (unreadable: readonly Unreadable[]): ErrorValue => ({
  code: 'ANSWER_INVALID',
  message: `Couldn’t read ${plural(unreadable.length, 'session')} of the list: ${unreadable[0]!.item} (${unreadable[0]!.why}).`,
  hint: 'Check the sessions on the Apps tab of the panel.',
});
