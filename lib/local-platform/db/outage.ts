/** Recognizes why the database fails, and logs it without data: an outage, a full disk, and damage once in a while. */

export type DatabaseFault = 'unreachable' | 'disk-full' | 'damaged';

const CODES: Record<DatabaseFault, ReadonlySet<unknown>> = {
  unreachable: new Set([
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
  ]),
  'disk-full': new Set(['ENOSPC', 'EDQUOT', 'EFBIG', '53100']),
  damaged: new Set(['XX001', 'XX002']),
};
/** Messages of errors that have no code of their own. */
const MESSAGES: Record<DatabaseFault, RegExp> = {
  unreachable:
    /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/,
  'disk-full': /No space left on device|Disk quota exceeded|File too large/,
  damaged: /^invalid page in block /,
};
/** PGlite’s file system throws objects with WASI’s numbers: EDQUOT, EFBIG, and ENOSPC. */
const FULL_NUMBERS: ReadonlySet<unknown> = new Set([19, 22, 51]);
const LOG_INTERVAL = 30_000;

const SENTENCES: Record<DatabaseFault, string> = {
  unreachable:
    'Couldn’t reach the database. The platform keeps trying to reconnect. ' +
    'Check that the Postgres server at DATABASE_URL is running.',
  'disk-full': 'Couldn’t write to the database: the disk is full. Free some space on it.',
  damaged: 'Couldn’t read the database: some of its data is damaged. Restore it from a backup.',
};

/** What this error, or its cause, says about the database. Null if it says nothing. */
export function faultOf(error: unknown): DatabaseFault | null {
  for (const each of causesOf(error)) {
    const { code, message, name, errno } = each as {
      code?: unknown;
      message?: unknown;
      name?: unknown;
      errno?: unknown;
    };
    if (name === 'ErrnoError' && FULL_NUMBERS.has(errno)) return 'disk-full';
    for (const fault of ['unreachable', 'disk-full', 'damaged'] as const)
      if (CODES[fault].has(code) || (typeof message === 'string' && MESSAGES[fault].test(message))) return fault;
  }
  return null;
}

/** Whether this error, or its cause, means that a Postgres connection broke or couldn’t be established. */
export const isOutage = (error: unknown): boolean => faultOf(error) === 'unreachable';

/** The error and everything that caused it. A failed statement comes last, since its text can contain anything. */
function causesOf(error: unknown): object[] {
  if (typeof error !== 'object' || error === null) return [];
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  const inside = [cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])].flatMap(causesOf);
  return 'query' in error && cause !== undefined ? inside : [error, ...inside];
}

/**
 * Logs each kind of fault as one sentence, at most every 30 seconds: until it ends, everything fails for the same reason.
 * Other errors of the database are logged without the values of their statements.
 */
export function logFaultsOnce(log: (error: unknown) => void, now: () => number = Date.now): (error: unknown) => void {
  const loggedAt = new Map<DatabaseFault, number>();
  return (error) => {
    const fault = faultOf(error);
    if (fault === null) return log(withoutData(error));
    if (now() - (loggedAt.get(fault) ?? -Infinity) < LOG_INTERVAL) return;
    loggedAt.set(fault, now());
    log(SENTENCES[fault]);
  };
}

/** Drizzle’s message contains the values of the statement, and errors of databases have them as properties. */
function withoutData(error: unknown): unknown {
  const chain = chainOf(error);
  const query = chain.map((each) => (each as { query?: unknown }).query).find((each) => each !== undefined);
  if (query === undefined && !chain.some(isOfDatabase)) return error;
  const reason = chain.findLast((each) => isOfDatabase(each) || !('query' in each)) as { code?: unknown } | undefined;
  const code = typeof reason?.code === 'string' ? ` (${reason.code})` : '';
  const statement = query === undefined ? '' : `\n${String(query).slice(0, 1_000)}`;
  const safe = new Error(`A database statement failed: ${reasonOf(reason)}${code}${statement}`);
  const frames = (chain[0]?.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  safe.stack = [`${safe.name}: ${safe.message}`, ...frames].join('\n');
  return safe;
}

const isOfDatabase = (error: object): boolean => 'severity' in error;

/** Postgres ends the message about a malformed value with the value. */
const reasonOf = (reason: unknown): string =>
  reason instanceof Error ? reason.message.replace(/: ".*/s, '') : 'no reason given';

/** The error, its cause, the cause of that, and so on. */
function chainOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...chainOf(error.cause)] : [];
}
