/** Shows a service's session: expiry, scopes, and token claims. */
import type { JSX } from 'preact';
import { explainClaims } from '../../../lib/extension/panel/oauth2/claims.ts';
import { expiryText, sessionStateOf, type SessionState } from '../../../lib/extension/panel/oauth2/session-state.ts';
import type { Jwt, Masked, PageService, ServiceSession } from '../../../lib/extension/panel/oauth2/types.ts';
import { Badge } from '../../ui/index.ts';
import { MaskedText, PlainValue } from './masked-text.tsx';

export function SessionView({ service, now }: { service: PageService; now: number }): JSX.Element {
  const { session, sessionKnown, sessionProblem } = service;
  return (
    <section class="facts" aria-label="Session">
      <header class="section-head">
        <h2>Session</h2>
        <StateBadge state={sessionStateOf(service, now)} />
      </header>
      {sessionProblem ? <p class="remark untrusted">Couldn’t read the session: {sessionProblem}</p> : null}
      {session ? (
        <Session session={session} now={now} />
      ) : (
        <p class="remark">
          {sessionKnown ? 'Log in to see the session’s scopes, expiry, and token.' : 'Reading session…'}
        </p>
      )}
    </section>
  );
}

export function StateBadge({ state }: { state: SessionState }): JSX.Element {
  return (
    <span data-session-state={state.name}>
      <Badge tone={state.tone}>{state.label}</Badge>
    </span>
  );
}

function Session({ session, now }: { session: ServiceSession; now: number }): JSX.Element {
  const scopes = session.scope?.split(/[\s,]+/).filter(Boolean) ?? [];
  return (
    <dl class="fact-list">
      <Fact name="expires">
        <span data-expiry={session.expires ?? ''}>{expiryText(session.expires, session.expiresIn, now)}</span>
      </Fact>
      <Fact name="scope">
        {scopes.length > 0 ? (
          scopes.slice(0, 50).map((scope) => (
            <>
              <code class="scope untrusted">{scope}</code>{' '}
            </>
          ))
        ) : (
          <span class="muted">{session.scope === null ? 'unknown' : 'none'}</span>
        )}
      </Fact>
      {session.tokenType ? (
        <Fact name="token type">
          <span class="untrusted">{session.tokenType}</span>
        </Fact>
      ) : null}
      {session.accessToken ? <Token name="access token" token={session.accessToken} now={now} /> : null}
      {session.refreshToken ? (
        <Fact name="refresh token">
          <MaskedText value={session.refreshToken} />
        </Fact>
      ) : (
        <Fact name="refresh token">
          <span class="muted">not reported</span>
        </Fact>
      )}
      {session.idToken ? <Token name="id token" token={session.idToken} now={now} /> : null}
      {session.others.map((option) => (
        <Fact key={option.name} name={option.name}>
          <PlainValue option={option} />
        </Fact>
      ))}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: JSX.Element | JSX.Element[] }): JSX.Element {
  return (
    <div>
      <dt class="untrusted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Token({ name, token, now }: { name: string; token: Masked & { jwt: Jwt | null }; now: number }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <MaskedText value={token} />
        {token.jwt ? <Claims name={name} jwt={token.jwt} now={now} /> : <span class="muted"> · opaque token</span>}
      </dd>
    </div>
  );
}

function Claims({ name, jwt, now }: { name: string; jwt: Jwt; now: number }): JSX.Element {
  const header = explainClaims(jwt.header, now).filter((claim) => claim.name !== 'typ');
  const claims = jwt.claims ? explainClaims(jwt.claims, now) : [];
  return (
    <>
      <span class="muted"> · JWT, signature not verified</span>
      {jwt.problem ? <p class="muted untrusted">{jwt.problem}</p> : null}
      <table class="claims">
        <caption class="visually-hidden">Claims in the {name}</caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Claim</th>
            <th scope="col">Value</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {[...claims, ...header].map((claim, index) => (
            <tr key={`${index} ${claim.name}`} class={claim.tone} data-claim={claim.name}>
              <th scope="row" class="mono untrusted">
                {claim.name}
              </th>
              <td class="mono untrusted">{claim.value}</td>
              <td class="untrusted">{claim.meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
