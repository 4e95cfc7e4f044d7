/** Refuses requests by host name (DNS rebinding), by the origin of the page that sent them, and by rate. */
import type { Context } from 'hono';
import { isLoopback } from '../../platform-api/index.ts';
import { HttpError } from './errors.ts';
import type { Limiter } from './limiter.ts';
import type { AppOrigins } from './services.ts';

export interface GuardOptions {
  /** True when only this machine can connect. Then other host names are refused. */
  loopback: boolean;
  appOrigins: () => AppOrigins;
  limiter: Limiter;
}

/** Throws to refuse a request. `open`: pages of any origin may load it. */
export type Guard = (c: Context, open: boolean) => void;

const EXTENSION = /^(chrome|moz|safari-web)-extension:\/\//;

export function createGuard({ loopback, appOrigins, limiter }: GuardOptions): Guard {
  /**
   * Browsers send the origin of the page; other clients send none. An extension’s request has the origin `null` and a
   * token. A page of an unknown origin can’t send a token, since CORS doesn’t allow the header.
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
    // DNS rebinding: a foreign name that resolves to this machine would give any web page access.
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
