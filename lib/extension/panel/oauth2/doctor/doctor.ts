/** Owns the doctor in the panel: the diagnosis of what is known now, the addresses that a person had checked, and what a person saw. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { OAuth2Store } from '../store.ts';
import type { OAuth2State, Probe, ProbeRequest } from '../types.ts';
import { checkupOf } from './checkup.ts';
import { diagnose } from './diagnose.ts';
import type { Checked, Finding, Knowledge } from './finding.ts';

/** Answers beyond these are forgotten, the oldest first. */
const MOST_CHECKED = 100;

export interface Doctor {
  /** @param now epoch milliseconds: what has expired changes by itself */
  findings(now: number): Finding[];
  /** Answers that this page got; none of a page of another origin. */
  readonly checked: ReadonlySignal<readonly Checked[]>;
  /** Whether addresses are being asked. */
  readonly checking: ReadonlySignal<boolean>;
  /** What a check of a service asks: its discovery document, and its API without a token. */
  checkup(service: string): ProbeRequest[];
  /** Asks from the page, without tokens and cookies; on a person's word alone. */
  check(requests: readonly ProbeRequest[]): Promise<void>;
  /** What the person saw. */
  say(about: number, yes: boolean): void;
}

const doctors = new WeakMap<OAuth2Store, Doctor>();

/** The one of this store. */
export function doctorOf(store: OAuth2Store): Doctor {
  let doctor = doctors.get(store);
  if (!doctor) doctors.set(store, (doctor = createDoctor(store.state, store.probe)));
  return doctor;
}

export function createDoctor(state: ReadonlySignal<OAuth2State>, probe: Probe, now: () => number = Date.now): Doctor {
  const answers = signal<readonly (Checked & { origin: string })[]>([]);
  const said = signal<Knowledge['said']>(new Map());
  const asking = signal(0);
  const origin = computed(() => state.value.page?.origin ?? '');
  const checked = computed(() => answers.value.filter((answer) => answer.origin === origin.value));
  return {
    findings: (time) => diagnose({ ...state.value, now: time }, { checked: checked.value, said: said.value }),
    checked,
    checking: computed(() => asking.value > 0),
    checkup: (service) => checkupOf(state.value, service),
    async check(requests) {
      const from = origin.peek();
      asking.value++;
      const got = await Promise.all(
        requests.map(async (request) => {
          const result = await probe(request);
          return { request, answer: result.ok ? result.value : null, at: now(), origin: from };
        }),
      );
      answers.value = [...answers.peek(), ...got].slice(-MOST_CHECKED);
      asking.value--;
    },
    say(about, yes) {
      said.value = new Map(said.peek()).set(about, yes);
    },
  };
}
