/** Recognizes the local platform’s demo services, which fail on request. */
import { isLoopback } from '../../../platform-api/loopback.ts';
import type { PageService } from './types.ts';

const DEMO_CLIENTS: readonly unknown[] = ['demo-app', 'demo-public'];

/** The page of a demo service where the user chooses how its next response fails; null for other services. */
export function faultPageOf({ options }: Pick<PageService, 'options'>): string | null {
  const valueOf = (option: string): unknown => options?.find(({ name }) => name === option)?.value;
  const authUrl = valueOf('authUrl');
  if (typeof authUrl !== 'string' || !URL.canParse(authUrl) || !DEMO_CLIENTS.includes(valueOf('clientId'))) return null;
  const { protocol, hostname, pathname, origin } = new URL(authUrl);
  return protocol === 'http:' && isLoopback(hostname) && pathname === '/authorize' ? `${origin}/faults` : null;
}
