/** Recognizes the local platform’s demo services, and has them fail on request. */
import { signal } from '@preact/signals';
import * as v from 'valibot';
import type { Result } from '../../../platform-api/errors.ts';
import type { ProbeRequest, ProbeResult } from '../../inspector/oauth2/contract.ts';
import { toJson } from '../shared/value-json.ts';
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

const FaultState = v.object({
  next: v.array(v.object({ name: v.string() })),
  menu: v.array(v.object({ name: v.string(), says: v.string() })),
});
export type FaultState = v.InferOutput<typeof FaultState>;

/** The faults of a demo service. The page requests them, so the panel needs no access to the service. */
export class DemoFaults {
  /** By URL of the faults. Null if the page can't read them. */
  readonly states = signal<ReadonlyMap<string, FaultState | null>>(new Map());
  readonly #probe: (request: ProbeRequest) => Promise<Result<ProbeResult>>;

  constructor(probe: (request: ProbeRequest) => Promise<Result<ProbeResult>>) {
    this.#probe = probe;
  }

  readonly load = (url: string): Promise<void> => this.#request({ url, mode: 'cors' });

  /** Makes the service's next response fail, or none if `name` is empty. */
  readonly inject = (url: string, name: string): Promise<void> =>
    this.#request({ url, mode: 'cors', form: new URLSearchParams({ next: name }).toString() });

  async #request(request: ProbeRequest): Promise<void> {
    const response = await this.#probe(request);
    const json = response.ok ? response.value.json : null;
    const parsed = json && v.safeParse(FaultState, JSON.parse(toJson(json)));
    const state = parsed?.success ? parsed.output : null;
    this.states.value = new Map(this.states.peek()).set(request.url, state);
  }
}
