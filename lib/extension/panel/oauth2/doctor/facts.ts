/** Owns what a rule is given of one service: its options, session, history, and what was found out beside. */
import { truncate } from '../../../../shared/format.ts';
import type { OAuth2Page, OAuth2State, PageService, ProbeRequest, ServiceOption, ServiceSession } from '../types.ts';
import type { Checked, Evidence, Finding, Knowledge } from './finding.ts';
import { type Login, readHistory, type Of, type ServiceHistory } from './history.ts';

export interface Facts {
  /** As entries name it. */
  service: string;
  page: OAuth2Page | null;
  /** Null: the page never told them. */
  options: readonly ServiceOption[] | null;
  session: ServiceSession | null;
  sessionKnown: boolean;
  history: ServiceHistory;
  /** The last login; null when there was none. */
  login: Login | null;
  csp: readonly Of<'csp'>[];
  /** Names of all configured services. */
  services: readonly string[];
  now: number;
  knowledge: Knowledge;
}

const NOTHING: ServiceHistory = { logins: [], exchanges: [], calls: [], stored: null, refused: [], events: [] };

/** Of every service that the page configured or that anything happened to. */
export function factsOf({ page, services, entries, now }: OAuth2State, knowledge: Knowledge): Facts[] {
  const history = readHistory(entries);
  const byName = new Map<string, PageService | null>(services.map((service) => [service.name, service]));
  for (const name of history.services.keys()) if (!byName.has(name)) byName.set(name, null);
  const names = services.map(({ name }) => name);
  return [...byName].map(([service, found]) => {
    const own = history.services.get(service) ?? NOTHING;
    return {
      service,
      page,
      options: found?.options ?? null,
      session: found?.session ?? null,
      sessionKnown: found?.sessionKnown ?? false,
      history: own,
      login: own.logins.at(-1) ?? null,
      csp: history.csp,
      services: names,
      now,
      knowledge,
    };
  });
}

export function option({ options }: Facts, name: string): ServiceOption | null {
  return options?.find((each) => each.name === name) ?? null;
}

/** An option's text, `''` when it has none that is told. */
export function textOption(facts: Facts, name: string): string {
  const value = option(facts, name)?.value;
  return typeof value === 'string' ? value : '';
}

/** True only of the value `true`. */
export function isOn(facts: Facts, name: string): boolean {
  return option(facts, name)?.value === true;
}

/** What it does without the option is the implicit flow (specification, "OAuth2 service configuration"). */
export function grantTypeOf(facts: Facts): string {
  return textOption(facts, 'grantType') || facts.login?.started.detail.grantType || 'token';
}

/** The option as evidence: its name and value, of a secret its length. @param unset whether it tells something that there is none */
export function optionEvidence(facts: Facts, name: string, unset = true): Evidence[] {
  const found = option(facts, name);
  if (!found) return facts.options && unset ? [{ text: `${name} is not set.` }] : [];
  if (found.secret)
    return [{ text: found.masked?.length ? `${name} has ${found.masked.length} characters.` : `${name} is empty.` }];
  return found.value === null ? [] : [{ text: `${name} is ${quoted(String(found.value))}.` }];
}

export function quoted(text: string): string {
  return `“${truncate(text, 200)}”`;
}

/** `name: value,` as a line of a configuration, which also holds where a page's markup stands around it. */
export function line(name: string, value: string | boolean): string {
  return `${name}: ${JSON.stringify(value).replace(/[<\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)},`;
}

export function urlOf(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}

/** The newest answer of an address; null when it was not asked for, or could not be. @param since epoch milliseconds: what was found before is not looked at */
export function checkedAt(
  { knowledge }: Facts,
  { url, mode }: ProbeRequest,
  since = -Infinity,
): (Checked & { answer: NonNullable<Checked['answer']> }) | null {
  const found = knowledge.checked.findLast(
    ({ request, answer, at }) => answer !== null && at >= since && request.url === url && request.mode === mode,
  );
  return found?.answer ? { ...found, answer: found.answer } : null;
}

/** Requests that were not made yet, each once. */
export function unasked(facts: Facts, requests: readonly ProbeRequest[], since = -Infinity): ProbeRequest[] {
  return requests.filter(
    (request, index) =>
      checkedAt(facts, request, since) === null &&
      requests.findIndex(({ url, mode }) => url === request.url && mode === request.mode) === index,
  );
}

export type Found = Omit<Finding, 'service'>;
/** What a rule has to say of a service, most probable first. */
export type Rule = (facts: Facts) => (Found | null)[];
