/** Issues the tokens of the demo service `demo-implicit`: JWT access tokens, and refresh tokens that work once. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Forget } from './fault-menu.ts';
import { LIFETIME, type Bearer } from './service.ts';

/** One user’s consent: what its tokens are valid for, and for how many seconds (null: the default). */
export interface Grant extends Bearer {
  id: string;
  lifetime: number | null;
}

/** The fields of a token response (RFC 6749 section 5.1). */
export interface TokenResponse {
  access_token: string;
  expires_in: number;
  scope: string;
  refresh_token?: string;
}

const MAX_ENTRIES = 10_000;

export class Tokens {
  readonly #issuer: string;
  readonly #key = randomBytes(32);
  readonly #access = new Map<string, { grant: Grant; until: number }>();
  readonly #refresh = new Map<string, Grant & { used: boolean }>();

  constructor(issuer: string) {
    this.#issuer = issuer;
  }

  issue(grant: Grant, withRefresh: boolean): TokenResponse {
    const now = Math.floor(Date.now() / 1000);
    const lifetime = grant.lifetime ?? LIFETIME;
    const token = this.#jwt(grant, now, now + lifetime);
    bounded(this.#access).set(token, { grant, until: Date.now() + lifetime * 1000 });
    const response: TokenResponse = { access_token: token, expires_in: lifetime, scope: grant.scopes.join(' ') };
    if (!withRefresh) return response;
    const refreshToken = randomBytes(24).toString('base64url');
    bounded(this.#refresh).set(refreshToken, { ...grant, used: false });
    return { ...response, refresh_token: refreshToken };
  }

  check(token: string): Bearer | null {
    const found = this.#access.get(token);
    return found && found.until > Date.now() ? found.grant : null;
  }

  /** Null if the token isn’t valid. A reused token might be stolen, so its grant ends (RFC 9700 section 4.14.2). */
  useRefresh(token: string, clientId: string): Grant | null {
    const found = this.#refresh.get(token);
    if (!found || found.clientId !== clientId) return null;
    if (found.used) {
      this.revokeGrant(found.id);
      return null;
    }
    found.used = true;
    const { used: _used, ...grant } = found;
    return grant;
  }

  revoke(token: string): void {
    const grant = this.#refresh.get(token);
    if (grant) this.revokeGrant(grant.id);
    this.#access.delete(token);
  }

  revokeGrant(id: string): void {
    for (const [token, { grant }] of this.#access) if (grant.id === id) this.#access.delete(token);
    for (const [token, grant] of this.#refresh) if (grant.id === id) this.#refresh.delete(token);
  }

  forget(what: Forget): void {
    if (what !== 'refresh') this.#access.clear();
    if (what !== 'access') this.#refresh.clear();
  }

  #jwt({ sub, clientId, scopes }: Grant, issued: number, expires: number): string {
    const header = encode({ alg: 'HS256', typ: 'at+jwt' });
    const claims = encode({
      iss: this.#issuer,
      sub,
      aud: `${this.#issuer}/api`,
      client_id: clientId,
      scope: scopes.join(' '),
      iat: issued,
      exp: expires,
      jti: randomBytes(9).toString('base64url'),
    });
    const signature = createHmac('sha256', this.#key).update(`${header}.${claims}`).digest('base64url');
    return `${header}.${claims}.${signature}`;
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** If the map is full, removes its oldest entry. */
export function bounded<V>(map: Map<string, V>): Map<string, V> {
  if (map.size >= MAX_ENTRIES) map.delete(map.keys().next().value!);
  return map;
}
