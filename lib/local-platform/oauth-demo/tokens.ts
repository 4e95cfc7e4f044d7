/** Owns the tokens of the demo service `demo-implicit`: access tokens that are JWTs, and refresh tokens that are used once. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Forget } from './fault-menu.ts';
import { LIFETIME, type Bearer } from './service.ts';

/** One consent: what its tokens are good for, and how many seconds they live (null: as long as usual). */
export interface Grant extends Bearer {
  id: string;
  lifetime: number | null;
}
/** As the token endpoint tells it (RFC 6749, section 5.1). */
export interface Issued {
  access_token: string;
  expires_in: number;
  scope: string;
  refresh_token?: string;
}

const MOST = 10_000;

export function createTokens(issuer: string) {
  const key = randomBytes(32);
  const access = new Map<string, { grant: Grant; until: number }>();
  const refresh = new Map<string, Grant & { used: boolean }>();
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  function jwt({ sub, clientId, scopes }: Grant, issued: number, expires: number): string {
    const head = encode({ alg: 'HS256', typ: 'at+jwt' });
    const claims = encode({
      iss: issuer,
      sub,
      aud: `${issuer}/api`,
      client_id: clientId,
      scope: scopes.join(' '),
      iat: issued,
      exp: expires,
      jti: randomBytes(9).toString('base64url'),
    });
    return `${head}.${claims}.${createHmac('sha256', key).update(`${head}.${claims}`).digest('base64url')}`;
  }

  function revokeGrant(id: string): void {
    for (const [token, { grant }] of access) if (grant.id === id) access.delete(token);
    for (const [token, grant] of refresh) if (grant.id === id) refresh.delete(token);
  }

  return {
    issue(grant: Grant, withRefresh: boolean): Issued {
      const now = Math.floor(Date.now() / 1000);
      const lifetime = grant.lifetime ?? LIFETIME;
      const token = jwt(grant, now, now + lifetime);
      bounded(access).set(token, { grant, until: Date.now() + lifetime * 1000 });
      const told: Issued = { access_token: token, expires_in: lifetime, scope: grant.scopes.join(' ') };
      if (withRefresh) {
        told.refresh_token = randomBytes(24).toString('base64url');
        bounded(refresh).set(told.refresh_token, { ...grant, used: false });
      }
      return told;
    },
    check(token: string): Bearer | null {
      const found = access.get(token);
      return found && found.until > Date.now() ? found.grant : null;
    },
    /** null: not to be used (again). One used twice is in two hands, so its grant ends (RFC 9700, section 4.14.2). */
    useRefresh(token: string, clientId: string): Grant | null {
      const found = refresh.get(token);
      if (!found || found.clientId !== clientId) return null;
      if (found.used) {
        revokeGrant(found.id);
        return null;
      }
      found.used = true;
      const { used: _used, ...grant } = found;
      return grant;
    },
    revoke(token: string): void {
      const grant = refresh.get(token);
      if (grant) revokeGrant(grant.id);
      access.delete(token);
    },
    revokeGrant,
    forget(what: Forget): void {
      if (what !== 'refresh') access.clear();
      if (what !== 'access') refresh.clear();
    },
  };
}

/** Makes room for one more: the oldest goes. */
export function bounded<V>(map: Map<string, V>): Map<string, V> {
  if (map.size >= MOST) map.delete(map.keys().next().value!);
  return map;
}
