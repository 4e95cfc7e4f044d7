/** A browser substitute for OAuth2 tests: cookies, redirects, and the form of a demo service’s login page. */
import type { OAuthDemo } from '../../../lib/local-platform/options.ts';

export interface Decision {
  /** Default: all that the page offers. */
  scopes?: string[];
  refuse?: boolean;
}
export interface OAuthBrowser {
  /** Follows redirects from `url` to a page, or to a URL outside the service. */
  visit(url: string | URL): Promise<Visit>;
  /** Like `visit`, but also submits the login page if there is one. */
  logIn(url: string | URL, decision?: Decision): Promise<Visit>;
}
export interface Visit {
  /** The page that it ended on; null when it left the service. */
  page: { status: number; headers: Headers; text: string } | null;
  /** Where the service sent the browser; null when it stayed. */
  callback: URL | null;
}

const MOST_REDIRECTS = 10;

export function createOAuthBrowser(service: string): OAuthBrowser {
  const cookies = new Map<string, string>();

  async function go(url: URL, body?: URLSearchParams): Promise<Visit> {
    for (let hop = 0; hop < MOST_REDIRECTS; hop += 1) {
      if (url.origin !== service) return { page: null, callback: url };
      const headers: Record<string, string> = {
        Accept: 'text/html',
        Cookie: [...cookies].map((each) => each.join('=')).join('; '),
      };
      const response = await fetch(url, { redirect: 'manual', headers, ...(body && { method: 'POST', body }) });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        if (value) cookies.set(name!, value);
        else cookies.delete(name!);
      }
      const location = response.headers.get('location');
      const text = await response.text();
      if (location === null)
        return { page: { status: response.status, headers: response.headers, text }, callback: refresh(text) };
      url = new URL(location, url);
      body = undefined;
    }
    throw new Error(`${url} redirects without end.`);
  }

  return {
    visit: (url) => go(new URL(url)),
    async logIn(url, { scopes, refuse = false } = {}) {
      const visit = await go(new URL(url));
      const action = /<form method="post" action="([^"]+)"/.exec(visit.page?.text ?? '')?.[1];
      if (action === undefined) return visit;
      const inputs = [...visit.page!.text.matchAll(/<input type="(hidden|checkbox)" name="([^"]+)" value="([^"]+)"/g)];
      const form = new URLSearchParams({ decision: refuse ? 'refuse' : 'allow' });
      for (const [, type, name, value] of inputs)
        if (type === 'hidden' || !scopes || scopes.includes(value!)) form.append(name!, value!);
      return go(new URL(action, service), form);
    },
  };
}

/** The target of an automatic redirect of a page. */
function refresh(text: string): URL | null {
  const found = /<meta http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1];
  return found === undefined ? null : new URL(found.replaceAll('&amp;', '&'));
}

export interface AuthorizeOptions {
  redirectUri: string;
  responseType?: 'code' | 'token';
  clientId?: string;
  scope?: string;
  more?: Record<string, string>;
}

export function authorizeUrl(
  service: string,
  {
    redirectUri,
    responseType = 'code',
    clientId = 'demo-app',
    scope = 'profile items.read items.write',
    more,
  }: AuthorizeOptions,
): URL {
  const url = new URL(`${service}/authorize`);
  url.search = new URLSearchParams({
    response_type: responseType,
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state: 'a-state-of-mine',
    ...more,
  }).toString();
  return url;
}

export interface TokenAnswer {
  access_token: string;
  refresh_token?: string;
  expires_in: number;
  scope: string;
  token_type: string;
  error?: string;
  error_description?: string;
}

/** A request to the token endpoint as the confidential client, and its response. */
export async function askToken(
  service: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ response: Response; text: string }> {
  const body = new URLSearchParams({ client_id: 'demo-app', client_secret: 'demo-secret', ...fields });
  const response = await fetch(`${service}/token`, { method: 'POST', headers, body });
  return { response, text: await response.text() };
}

/** Logs in with an authorization code and returns the tokens. */
export async function tokensOf(
  service: string,
  redirectUri: string,
  options: Partial<AuthorizeOptions> & Decision = {},
): Promise<TokenAnswer> {
  const { callback } = await createOAuthBrowser(service).logIn(
    authorizeUrl(service, { redirectUri, ...options }),
    options,
  );
  const { text } = await askToken(service, {
    grant_type: 'authorization_code',
    code: callback!.searchParams.get('code')!,
    redirect_uri: redirectUri,
  });
  return JSON.parse(text) as TokenAnswer;
}

export const SERVICES = ['code', 'implicit'] as const satisfies (keyof OAuthDemo)[];
