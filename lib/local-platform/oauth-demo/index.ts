/** Starts the two OAuth2 demo services, and configures the demo app for them. */
import type { OAuthDemo } from '../options.ts';
import { startDemoServer, type DemoServer } from './server.ts';
import { CLIENTS, SCOPES, type Engine, type EngineOptions } from './service.ts';

export interface RunningOAuthDemo extends OAuthDemo {
  close(): Promise<void>;
}

export interface OAuthDemoOptions {
  /**
   * The first service’s port; the second service gets the next one. If a port is 0 or in use, a free port is chosen.
   */
  port: number;
  /** Origins of the platform’s apps, starting with the platform’s own. */
  appOrigins: readonly string[];
  /** The root of what the platform’s pages load, such as `/v1`. */
  pagesRoot: string;
  log: (error: unknown) => void;
}

const SERVICES: { title: string; load: () => Promise<(options: EngineOptions) => Engine> }[] = [
  {
    title: 'Demo service (code)',
    load: () => import('./code-service.ts').then(({ createCodeService }) => createCodeService),
  },
  {
    title: 'Demo service (implicit)',
    load: () => import('./implicit-service.ts').then(({ createImplicitService }) => createImplicitService),
  },
];

/** The services are always on loopback, even if the platform listens on other interfaces. */
export async function startOAuthDemo({
  port,
  appOrigins,
  pagesRoot,
  log,
}: OAuthDemoOptions): Promise<RunningOAuthDemo> {
  const origins = new Set(appOrigins);
  const callback = `${appOrigins[0]}${pagesRoot}/auth/sso-callback`;
  const servers: DemoServer[] = [];
  const close = async () => void (await Promise.all(servers.map((server) => server.close())));
  try {
    for (const [index, { title, load }] of SERVICES.entries()) {
      const server = await startDemoServer({
        title,
        port: port && port + index,
        appOrigins: origins,
        engine: async (issuer) => (await load())({ issuer, title, appOrigins: origins, callback }),
        other: () => servers[1 - index]!.baseUrl,
        log,
      });
      servers.push(server);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const [code, implicit] = servers as [DemoServer, DemoServer];
  return { code: code.baseUrl, implicit: implicit.baseUrl, close };
}

/** Configurations for `Platform.OAuth2` (specification, "OAuth2 service configuration"). */
export function demoConfigurations(
  { code, implicit }: OAuthDemo,
  pagesUrl: string,
): Record<string, Record<string, unknown>> {
  const { id: clientId, secret: clientSecret } = CLIENTS[0]!;
  const common = { clientId, clientSecret, redirectUrl: `${pagesUrl}/auth/sso-callback`, scope: SCOPES.join(',') };
  return {
    'demo-code': {
      ...common,
      authUrl: `${code}/authorize`,
      grantType: 'code',
      grantUrl: `${code}/token`,
      baseUrl: `${code}/api/`,
      revokeUrl: `${code}/revoke`,
      issuer: code,
      refresh: true,
    },
    'demo-implicit': {
      ...common,
      authUrl: `${implicit}/authorize`,
      grantType: 'token',
      baseUrl: `${implicit}/api/`,
      revokeUrl: `${implicit}/revoke`,
    },
  };
}
