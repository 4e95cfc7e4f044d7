/**
 * Writes the exported file. It contains what the panel shows, without tokens or secrets. Claims are exported by name.
 */
import { entriesOf, isComposite } from '../shared/remote-value.ts';
import type { Entry, Masked, OAuth2State, PageService, ServiceOption } from './types.ts';

const FORMAT = 'platform-devtools-oauth2';
const VERSION = 1;

export function writeFlowFile({ page, services, entries, dropped, now }: OAuth2State): string {
  const pageInfo = page && {
    origin: page.origin,
    url: page.url,
    library: page.library,
    version: page.version,
    seeing: page.tracing,
    secure: page.secure,
    storage: page.storage,
    csp: page.csp,
  };
  return JSON.stringify(
    {
      format: FORMAT,
      version: VERSION,
      exportedAt: new Date(now).toISOString(),
      page: pageInfo,
      services: services.map(serviceOf),
      dropped,
      entries: entries.map(withoutHeaderValues),
    },
    null,
    2,
  );
}

/** Headers are exported by name: a service may send anything in their values. */
function withoutHeaderValues(entry: Entry): Entry {
  const { detail } = entry;
  if (detail.kind !== 'api-ended' || !detail.headers) return entry;
  return { ...entry, detail: { ...detail, headers: detail.headers.map((line) => line.replace(/:.*/s, '')) } };
}

function serviceOf({ name, options, session }: PageService) {
  return {
    name,
    options: options?.map(optionOf) ?? null,
    session: session && {
      tokenType: session.tokenType,
      expires: session.expires,
      expiresIn: session.expiresIn,
      scope: session.scope,
      accessToken: session.accessToken && {
        ...lengthOf(session.accessToken),
        claims:
          session.accessToken.jwt?.claims && isComposite(session.accessToken.jwt.claims)
            ? entriesOf(session.accessToken.jwt.claims).map(([claim]) => claim)
            : null,
      },
      refreshToken: session.refreshToken && lengthOf(session.refreshToken),
      idToken: session.idToken && lengthOf(session.idToken),
      others: session.others.map(optionOf),
    },
  };
}

const lengthOf = ({ length }: Masked) => ({ length });

function optionOf({ name, value, secret, masked, type, entries }: ServiceOption): object {
  return secret
    ? { name, secret, length: masked?.length ?? null }
    : { name, value: entries ? entries.map(optionOf) : (value ?? `(${type})`) };
}
