/** Registers the routes: authentication, 404, 405 with `Allow`, and an error response for every failure. */
import type { Context, Hono } from 'hono';
import { errorResponse, notFoundPage } from './response.ts';
import type { Accepts, Access, Authorize } from './auth.ts';
import { HttpError } from './errors.ts';
import type { Guard } from './guard.ts';
import type { Services } from './services.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Handler = (c: Context, access: Access) => Response | Promise<Response>;
export type OpenHandler = (c: Context) => Response | Promise<Response>;

/** A handler that isn’t bound to a platform’s services yet. */
export type ServiceHandler = (services: Services, c: Context, access: Access) => Response | Promise<Response>;

export const bind =
  (services: Services, handler: ServiceHandler): Handler =>
  (c, access) =>
    handler(services, c, access);

/**
 * `token`: requires a user’s `Auth-token`. `page`: also accepts a page’s short-lived token, and `only-page` nothing else.
 * `open`: scripts and pages that contain no data.
 */
export type Route = { path: string } & (
  | { auth: Accepts; methods: Partial<Record<Method, Handler>> }
  | {
      auth: 'open';
      /** Pages on other origins can load it too. */
      anyOrigin?: true;
      methods: { GET: OpenHandler };
    }
);

export interface RouterOptions {
  authorize: Authorize;
  /** Runs before anything else. */
  guard: Guard;
  /**
   * Throws if the body is too large. Runs after authentication, so that the bodies of unauthenticated requests aren’t
   * read.
   */
  limitBody: (c: Context) => Promise<void>;
  log: (error: unknown) => void;
  /** For responses with a page, as the variable `pagesRoot`. */
  pagesRoot: string;
  /** Responds to unknown URLs with a page instead of the API’s error body. Default: false. */
  hasForeignErrors?: boolean;
}

export function addRoutes(
  app: Hono,
  routes: readonly Route[],
  { authorize, guard, limitBody, log, pagesRoot, hasForeignErrors = false }: RouterOptions,
): void {
  for (const route of routes) {
    const allow = Object.keys(route.methods)
      .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .join(', ');
    app.all(route.path, async (c: Context) => {
      try {
        c.set('pagesRoot', pagesRoot);
        guard(c, route.auth === 'open' && route.anyOrigin === true);
        const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
        if (route.auth === 'open') {
          if (method === 'GET') return await route.methods.GET(c);
        } else {
          const handler = route.methods[method as Method];
          if (handler) {
            const access = await authorize(c, route.auth);
            if (method !== 'GET') await limitBody(c);
            return await handler(c, access);
          }
        }
        throw new HttpError(405, 'METHOD_NOT_ALLOWED', `This URL doesn’t accept ${c.req.method}.`, {
          hint: `Use ${allow}.`,
          headers: { Allow: allow },
        });
      } catch (error) {
        return errorResponse(c, error, log);
      }
    });
  }
  app.notFound((c: Context) => {
    try {
      c.set('pagesRoot', pagesRoot);
      guard(c, false);
      if (hasForeignErrors) return notFoundPage(c);
      throw new HttpError(404, 'NOT_FOUND', `There is nothing at ${c.req.path}.`, { hint: 'Check the URL.' });
    } catch (error) {
      return errorResponse(c, error, log);
    }
  });
  app.onError((error, c) => errorResponse(c, error, log));
}
