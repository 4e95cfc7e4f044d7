/** Refuses requests by host name (against DNS rebinding), by the origin of the sending page, and by rate. */
import type { Context } from 'hono';
import { isLoopback } from '../../platform-api/index.ts';
import { HttpError } from './errors.ts';
import type { Limiter } from './limiter.ts';
import type { AppOrigins } from './services.ts';

export interface GuardOptions {
  /** True when only this machine can connect. Then requests for other host names are refused. */
  loopback: boolean;
  appOrigins: () => AppOrigins;
  limiter: Limiter;
}

/** Throws if the request must be refused. `open`: pages of any origin can load it. */
export type Guard = (c: Context, open: boolean) => void;

const EXTENSION = /^(chrome|moz|safari-web)-extension:\/\//;

export function createGuard({ loopback, appOrigins, limiter }: GuardOptions): Guard {
  /**
   * Browsers send the page’s origin, and other clients send none. An extension’s request has the origin `null` and a
   * token. Pages of unknown origins can’t send a token, because CORS doesn’t let them set the header.
   */
  function isOwn(c: Context, origin: string): boolean {
    if (origin === 'null') return c.req.header('auth-token') !== undefined;
    const { own, others } = appOrigins();
    return (
      EXTENSION.test(origin) ||
      own.includes(origin) ||
      others.includes(origin) ||
      origin.replace(/^https?:\/\//, '') === c.req.header('host')
    );
  }

  return (c, open) => {
    // DNS rebinding: if a foreign host name that resolves to this machine were accepted, any web page would get access.
    if (loopback && !isThisMachine(c.req.header('host'))) {
      throw new HttpError(400, 'HOST_NOT_ALLOWED', 'This platform accepts only requests to this machine’s host names.');
    }
    const origin = c.req.header('origin');
    if (!open && origin !== undefined && !isOwn(c, origin)) {
      throw new HttpError(403, 'ORIGIN_NOT_ALLOWED', `Pages from ${origin.slice(0, 200)} can’t use this platform.`);
    }
    limiter(c.req.header('auth-token') ?? '');
  };
}

/** Whether a `Host` header names this machine, with any port. */
export const isThisMachine = (host = ''): boolean => isLoopback(host.replace(/:\d*$/, '').toLowerCase());
