/** Owns the HTTP application: its routes, and what every request passes first. */
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HttpError, malformed } from './errors.ts';
import { createGuard } from './guard.ts';
import type { Limiter } from './limiter.ts';
import { addRoutes } from './router.ts';
import { actionRoutes } from './routes/actions.ts';
import { appRoutes } from './routes/apps.ts';
import { clockRoutes } from './routes/clock.ts';
import { dataRoutes } from './routes/data.ts';
import { debugRoutes } from './routes/debug.ts';
import { logRoutes } from './routes/logs.ts';
import { oauthDemoRoutes } from './routes/oauth-demo.ts';
import { proxyRoutes } from './routes/proxy.ts';
import { runRoutes } from './routes/runs.ts';
import { screenRoutes } from './routes/screens.ts';
import { ssoCallbackRoutes } from './routes/sso-callback.ts';
import { statusRoutes } from './routes/status.ts';
import type { Services } from './services.ts';

const BODY_LIMIT = 1024 * 1024;
/** What the proxy passes on has at most 10 MB, in base64. */
const PROXY_BODY_LIMIT = 14 * 1024 * 1024;

export interface AppOptions {
  services: Services;
  /** True when only this machine can connect: then only its own names are answered. */
  loopback: boolean;
  limiter: Limiter;
  log: (error: unknown) => void;
}

export function createApp({ services, loopback, limiter, log }: AppOptions): Hono {
  const app = new Hono();
  const limited = (maxSize: number, code: string, message: string) =>
    bodyLimit({
      maxSize,
      onError: () => {
        // What is still coming is not read: no other request can follow it on this connection.
        throw new HttpError(413, code, message, { headers: { Connection: 'close' } });
      },
    });
  const usual = limited(BODY_LIMIT, 'TOO_LARGE', 'The body is larger than 1 MB; send less at once.');
  const large = limited(
    PROXY_BODY_LIMIT,
    'PROXY_TOO_LARGE',
    'The body is larger than the 10 MB that the proxy passes on; send less at once.',
  );
  async function limitBody(c: Context): Promise<void> {
    try {
      await (c.req.path === '/v1/proxy' ? large : usual)(c, async () => {});
    } catch (error) {
      if (error instanceof HttpError) throw error;
      throw malformed('The body did not come in full; send it again.');
    }
  }
  const guard = createGuard({ loopback, appOrigins: services.appOrigins, limiter });
  const routes = [
    ...statusRoutes(),
    ...appRoutes(services),
    ...actionRoutes(services),
    ...runRoutes(services),
    ...logRoutes(services),
    ...debugRoutes(services),
    ...screenRoutes(services),
    ...dataRoutes(services),
    ...clockRoutes(services),
    ...proxyRoutes(services.proxy),
    ...ssoCallbackRoutes(services.appOrigins),
    ...oauthDemoRoutes(services),
  ];
  addRoutes(app, routes, { authorize: services.auth.authorize, guard, limitBody, log });
  return app;
}
