/** Recognizes errors of an unreachable database, and logs an outage only once in a while. */

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
/** What `pg` says without a code. */
const SAYS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;
const AGAIN_AFTER = 30_000;

/** True for a connection to Postgres that broke or was not made, also as the cause of another error. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && CODES.has(code)) return true;
  return (
    SAYS.test(error.message) ||
    isOutage(error.cause) ||
    (error instanceof AggregateError && error.errors.some(isOutage))
  );
}

/** Of an outage one sentence, and not again for a while: whatever the platform does meanwhile fails for the same reason. */
export function sayingOnce(log: (error: unknown) => void, now: () => number = Date.now): (error: unknown) => void {
  let said = -Infinity;
  return (error) => {
    if (!isOutage(error)) return log(error);
    if (now() - said < AGAIN_AFTER) return;
    said = now();
    log(
      'The database cannot be reached; the platform tries again until it can. Check that the Postgres server of DATABASE_URL runs.',
    );
  };
}
