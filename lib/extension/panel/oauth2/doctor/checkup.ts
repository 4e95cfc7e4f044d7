/** Lists the requests needed to check a service. They go only to hosts from its configuration. */
import type { OAuth2State, ProbeRequest } from '../types.ts';
import { discoveryRequests } from './discovery.ts';
import { factsOf, textOption, urlOf } from './facts.ts';

export function checkupOf(state: OAuth2State, service: string): ProbeRequest[] {
  const facts = factsOf(state, { checked: [], answers: new Map() }).find((each) => each.service === service);
  if (!facts) return [];
  const baseUrl = textOption(facts, 'baseUrl');
  return [
    ...discoveryRequests(facts),
    ...(/^https?:$/.test(urlOf(baseUrl)?.protocol ?? '') ? [{ url: baseUrl, mode: 'cors' as const }] : []),
  ];
}
