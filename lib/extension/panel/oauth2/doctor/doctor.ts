/** Diagnoses the current state. Remembers check results and the user's answers. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { OAuth2State, Probe, ProbeRequest } from '../types.ts';
import { diagnose } from './diagnose.ts';
import { discoveryRequests } from './discovery.ts';
import { factsOf, textOption, urlOf } from './facts.ts';
import type { Checked, Finding, Knowledge } from './finding.ts';

/** Maximum number of results. The oldest ones are dropped. */
const MAX_RESULTS = 100;

export class Doctor {
  readonly #state: ReadonlySignal<OAuth2State>;
  readonly #probe: Probe;
  readonly #now: () => number;
  readonly #results = signal<readonly (Checked & { origin: string })[]>([]);
  readonly #answers = signal<Knowledge['answers']>(new Map());
  readonly #pendingChecks = signal(0);
  readonly #origin = computed(() => this.#state.value.page?.origin ?? '');

  /** Results for this page's origin. Requests from another origin can get different responses. */
  readonly checked = computed(() => this.#results.value.filter(({ origin }) => origin === this.#origin.value));
  readonly isChecking = computed(() => this.#pendingChecks.value > 0);

  constructor(state: ReadonlySignal<OAuth2State>, probe: Probe, now: () => number = Date.now) {
    this.#state = state;
    this.#probe = probe;
    this.#now = now;
  }

  /** @param now epoch milliseconds, needed because no event reports that a session expired */
  findings(now: number): Finding[] {
    return diagnose({ ...this.#state.value, now }, { checked: this.checked.value, answers: this.#answers.value });
  }

  /** The requests needed to check a service: one for its discovery document, and one to its API without a token. */
  checkup(service: string): ProbeRequest[] {
    return checkupOf(this.#state.value, service);
  }

  /** Sends requests from the page, without tokens or cookies. Call it only at the user's request. */
  async check(requests: readonly ProbeRequest[]): Promise<void> {
    const origin = this.#origin.peek();
    this.#pendingChecks.value++;
    const results = await Promise.all(
      requests.map(async (request) => {
        const response = await this.#probe(request);
        return { request, result: response.ok ? response.value : null, at: this.#now(), origin };
      }),
    );
    this.#results.value = [...this.#results.peek(), ...results].slice(-MAX_RESULTS);
    this.#pendingChecks.value--;
  }

  /** Stores the user's answer to a question. */
  answer(entry: number, yes: boolean): void {
    this.#answers.value = new Map(this.#answers.peek()).set(entry, yes);
  }
}

/** Lists the requests needed to check a service. They go only to hosts from its configuration. */
export function checkupOf(state: OAuth2State, service: string): ProbeRequest[] {
  const facts = factsOf(state, { checked: [], answers: new Map() }).find((each) => each.service === service);
  if (!facts) return [];
  const baseUrl = textOption(facts, 'baseUrl');
  return [
    ...discoveryRequests(facts),
    ...(/^https?:$/.test(urlOf(baseUrl)?.protocol ?? '') ? [{ url: baseUrl, mode: 'cors' as const }] : []),
  ];
}
