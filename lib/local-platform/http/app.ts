/** The HTTP application: all routes, and the body limits and checks that apply to every request. */
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HttpError, malformed } from './errors.ts';
import { createGuard } from './guard.ts';
import type { Limiter } from './limiter.ts';
import { addRoutes } from './router.ts';
import { specifiedRoutes } from './routes/specified.ts';
import { actionRoutes } from './routes/actions.ts';
import { actionV3Routes } from './routes/actions-v3/actions.ts';
import { debugV3Routes } from './routes/actions-v3/debug.ts';
import { runV3Routes } from './routes/actions-v3/runs.ts';
import { appRoutes } from './routes/apps.ts';
import { clockRoutes } from './routes/clock.ts';
import { dataRoutes } from './routes/data.ts';
import { debugRoutes } from './routes/debug.ts';
import { logRoutes } from './routes/logs.ts';
import { oauthDemoRoutes } from './routes/oauth-demo.ts';
import { oneTimeTokenRoutes } from './one-time-tokens/route.ts';
import { proxyRoutes } from './routes/proxy.ts';
import { recordingRoutes } from './routes/recordings.ts';
import { runRoutes } from './routes/runs.ts';
import { screenRoutes } from './routes/screens.ts';
import { ssoCallbackRoutes } from './routes/sso-callback.ts';
import { statusRoutes } from './routes/status.ts';
import type { Services } from './services.ts';

const BODY_LIMIT = 1024 * 1024;
/** V3 payloads and results have at most 6 MB. */
const V3_BODY_LIMIT = 8 * 1024 * 1024;
const V3_BODIES = /\/v3\/.*\/run(-with-result)?$|\/runs\/[^/]+\/outcome$/;
/** The proxy forwards at most 10 MB, sent as base64. */
const PROXY_BODY_LIMIT = 14 * 1024 * 1024;

export interface AppOptions {
  services: Services;
  /** True when only this machine can connect. Then requests for other host names are refused. */
  loopback: boolean;
  limiter: Limiter;
  log: (error: unknown) => void;
  /** Serves only what the specification shows. */
  specOnly: boolean;
}

export function createApp({ services, loopback, limiter, log, specOnly }: AppOptions): Hono {
  const app = new Hono();
  const limited = (maxSize: number, code: string, message: string) =>
    bodyLimit({
      maxSize,
      onError: () => {
        // The rest of the body stays unread, so the connection can’t be reused for another request.
        throw new HttpError(413, code, message, { headers: { Connection: 'close' } });
      },
    });
  const ordinary = limited(BODY_LIMIT, 'TOO_LARGE', 'The body is limited to 1 MB.');
  const v3 = limited(V3_BODY_LIMIT, 'TOO_LARGE', 'The body is limited to 8 MB.');
  const large = limited(PROXY_BODY_LIMIT, 'PROXY_TOO_LARGE', 'The proxy forwards at most 10 MB. This body is larger.');
  async function limitBody(c: Context): Promise<void> {
    try {
      const { path } = c.req;
      const limit = path.endsWith('/proxy') ? large : V3_BODIES.test(path) ? v3 : ordinary;
      await limit(c, async () => {});
    } catch (error) {
      if (error instanceof HttpError) throw error;
      throw malformed('The body is incomplete: the connection ended early.', 'Try again.');
    }
  }
  const guard = createGuard({ loopback, appOrigins: services.appOrigins, limiter });
  const routes = [
    ...statusRoutes(),
    ...appRoutes(services),
    ...actionRoutes(services),
    ...runRoutes(services),
    ...actionV3Routes(services),
    ...runV3Routes(services),
    ...debugV3Routes(services),
    ...logRoutes(services),
    ...recordingRoutes(services),
    ...debugRoutes(services),
    ...screenRoutes(services),
    ...oneTimeTokenRoutes(services),
    ...dataRoutes(services),
    ...clockRoutes(services),
    ...proxyRoutes(services.proxy),
    ...ssoCallbackRoutes(services),
    ...oauthDemoRoutes(services),
  ];
  addRoutes(app, specOnly ? specifiedRoutes(routes) : routes, {
    authorize: services.auth.authorize,
    guard,
    limitBody,
    log,
    pagesRoot: services.pagesRoot,
    hasForeignErrors: specOnly,
  });
  return app;
}
