/** Requests and reads a service's discovery document (RFC 8414, OpenID Connect Discovery 1.0). */
import { withoutEnd } from '../../../../shared/text-end.ts';
import type { RemoteValue } from '../../../inspector/contract.ts';
import type { ProbeRequest } from '../types.ts';
import { checkedAt, type Facts, textOption, unsentProbes, urlOf } from './facts.ts';

export interface Discovery {
  /** Null if it hasn't been checked yet, or if this page can't read it. */
  document: { responseTypes: string[]; grantTypes: string[]; authMethods: string[] } | null;
  tokenEndpoint: string | null;
  /** Requests for URLs that haven't been checked yet. */
  probes: ProbeRequest[];
}

/** Path segments that belong to an authorization endpoint, not to the issuer. */
const ENDPOINT = /^(protocol|oauth2?|oidc|openid-connect|connect|authorize|authorization|auth|login|v\d[\d.]*)$/i;

/** The issuer's two well-known URLs. Derives the issuer from authUrl if the option isn't set. */
export function discoveryRequests(facts: Facts): ProbeRequest[] {
  const auth = urlOf(textOption(facts, 'authUrl') || facts.login?.started.detail.authUrl || '');
  const issuer = urlOf(textOption(facts, 'issuer'));
  if (!auth || !/^https?:$/.test(auth.protocol)) return [];
  // Ignores an issuer on another host, because it might not belong to the service.
  const base = issuer?.origin === auth.origin ? issuer.pathname : pathBefore(auth.pathname);
  const path = withoutEnd(base, '/');
  return [
    { url: `${auth.origin}/.well-known/oauth-authorization-server${path}`, mode: 'cors' },
    { url: `${auth.origin}${path}/.well-known/openid-configuration`, mode: 'cors' },
  ];
}

function pathBefore(path: string): string {
  const segments = path.split('/');
  const end = segments.findIndex((segment) => ENDPOINT.test(segment));
  return segments.slice(0, end < 0 ? segments.length - 1 : end).join('/');
}

export function discoveryOf(facts: Facts): Discovery {
  const requests = discoveryRequests(facts);
  for (const request of requests) {
    const json = checkedAt(facts, request)?.result.json;
    const endpoint = json && text(json, 'authorization_endpoint');
    if (!endpoint) continue;
    const tokenEndpoint = text(json, 'token_endpoint');
    return {
      document: {
        responseTypes: texts(json, 'response_types_supported'),
        grantTypes: texts(json, 'grant_types_supported'),
        authMethods: texts(json, 'token_endpoint_auth_methods_supported'),
      },
      tokenEndpoint: tokenEndpoint && urlOf(tokenEndpoint) ? tokenEndpoint : null,
      probes: [],
    };
  }
  return { document: null, tokenEndpoint: null, probes: unsentProbes(facts, requests) };
}

function field(value: RemoteValue, name: string): RemoteValue | undefined {
  return value.t === 'object' ? value.entries.find(([key]) => key === name)?.[1] : undefined;
}
function text(value: RemoteValue, name: string): string | null {
  const found = field(value, name);
  return found?.t === 'string' ? found.v : null;
}
function texts(value: RemoteValue, name: string): string[] {
  const found = field(value, name);
  return found?.t === 'array' ? found.items.flatMap((item) => (item.t === 'string' ? [item.v] : [])) : [];
}
