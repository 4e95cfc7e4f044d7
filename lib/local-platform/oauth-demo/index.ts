/** Owns the OAuth2 demo services as the platform starts them: two origins, and how the demo app is configured for them. */
import { startDemoServer, type DemoServer } from './server.ts';
import { CLIENTS, SCOPES } from './service.ts';

export interface OAuthDemo {
  /** The services' addresses, such as `http://localhost:4401`. */
  code: string;
  implicit: string;
}
export interface RunningOAuthDemo extends OAuthDemo {
  close(): Promise<void>;
}
export interface OAuthDemoOptions {
  /** The first service's port, the second's is the next one; 0, or one that is taken: a free one. */
  port: number;
  /** Origins where apps of the platform run, its own first. */
  appOrigins: readonly string[];
  log: (error: unknown) => void;
}

/** This machine alone, wherever the platform itself listens. */
const HOST = '127.0.0.1';

export async function startOAuthDemo({ port, appOrigins, log }: OAuthDemoOptions): Promise<RunningOAuthDemo> {
  const origins = new Set(appOrigins);
  const callback = `${appOrigins[0]}/v1/auth/sso-callback`;
  const common = { host: HOST, appOrigins: origins, log };
  const servers: DemoServer[] = [];
  const at = (index: number) => (): string => servers[index]!.baseUrl;
  const titles = ['Demo service (code)', 'Demo service (implicit)'] as const;
  try {
    servers.push(
      await startDemoServer({
        ...common,
        title: titles[0],
        port,
        other: at(1),
        engine: async (issuer) =>
          (await import('./code-service.ts')).createCodeService({
            issuer,
            title: titles[0],
            appOrigins: origins,
            callback,
          }),
      }),
    );
    servers.push(
      await startDemoServer({
        ...common,
        title: titles[1],
        port: port && port + 1,
        other: at(0),
        engine: async (issuer) =>
          (await import('./implicit-service.ts')).createImplicitService({
            issuer,
            title: titles[1],
            appOrigins: origins,
            callback,
          }),
      }),
    );
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()));
    throw error;
  }
  return {
    code: at(0)(),
    implicit: at(1)(),
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

/** What an app configures `Platform.OAuth2` with (specification, "OAuth2 service configuration"). */
export function demoConfigurations(
  { code, implicit }: OAuthDemo,
  platform: string,
): Record<string, Record<string, unknown>> {
  const { id: clientId, secret: clientSecret } = CLIENTS[0]!;
  const common = { clientId, clientSecret, redirectUrl: `${platform}/v1/auth/sso-callback`, scope: SCOPES.join(',') };
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
