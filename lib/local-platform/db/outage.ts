/** Recognizes errors from an unreachable database, and logs an outage at most every 30 seconds. */

const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08006',
]);
/** Messages of `pg` errors that have no code. */
const MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;
const LOG_INTERVAL = 30_000;

/** Whether this error, or its cause, means that a Postgres connection broke or couldn’t be established. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && CODES.has(code)) return true;
  return (
    MESSAGES.test(error.message) ||
    isOutage(error.cause) ||
    (error instanceof AggregateError && error.errors.some(isOutage))
  );
}

/**
 * Logs an outage as one sentence, at most every 30 seconds. Until the outage ends, everything fails for the same
 * reason.
 */
export function logOutagesOnce(log: (error: unknown) => void, now: () => number = Date.now): (error: unknown) => void {
  let loggedAt = -Infinity;
  return (error) => {
    if (!isOutage(error)) return log(error);
    if (now() - loggedAt < LOG_INTERVAL) return;
    loggedAt = now();
    log(
      'Couldn’t reach the database. The platform keeps trying to reconnect. ' +
        'Check that the Postgres server at DATABASE_URL is running.',
    );
  };
}
