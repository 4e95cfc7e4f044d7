/** Owns who may talk to the platform at all: under which names it answers, and to pages of which origins. */
import type { Context } from 'hono';
import { isLoopback } from '../../platform-api/index.ts';
import { HttpError } from './errors.ts';
import type { Limiter } from './limiter.ts';
import type { AppOrigins } from './services.ts';

export interface GuardOptions {
  /** True when only this machine can connect: then only its own names are answered. */
  loopback: boolean;
  appOrigins: () => AppOrigins;
  limiter: Limiter;
}

/** Throws to refuse a request; `open` is what pages of any origin may include. */
export type Guard = (c: Context, open: boolean) => void;

const EXTENSION = /^(chrome|moz|safari-web)-extension:\/\//;

export function createGuard({ loopback, appOrigins, limiter }: GuardOptions): Guard {
  /**
   * A browser says which page a request is from. Without a page's origin comes what is no browser; with none that may be told (`null`)
   * an extension's request, which has a token, as no page's can have that was not allowed to send one.
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
    // A foreign name that resolves to this machine (DNS rebinding) would let any web page talk to it.
    if (loopback && !isThisMachine(c.req.header('host'))) {
      throw new HttpError(
        400,
        'HOST_NOT_ALLOWED',
        'This platform answers under the names of this machine alone; use localhost, or start it with --host.',
      );
    }
    const origin = c.req.header('origin');
    if (!open && origin !== undefined && !isOwn(c, origin)) {
      throw new HttpError(
        403,
        'ORIGIN_NOT_ALLOWED',
        `Pages of ${origin.slice(0, 200)} may not use this platform; if it is one of your apps, start it with --app-origin.`,
      );
    }
    limiter(c.req.header('auth-token') ?? '');
  };
}

/** Whether a header `Host` names this machine, with any port. */
export const isThisMachine = (host = ''): boolean => isLoopback(host.replace(/:\d*$/, '').toLowerCase());
