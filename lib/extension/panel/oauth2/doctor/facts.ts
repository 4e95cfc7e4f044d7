/** Collects everything the rules need to know about a service: options, session, history, and check results. */
import { truncate } from '../../../../shared/format.ts';
import type { OAuth2Page, OAuth2State, PageService, ProbeRequest, ServiceOption, ServiceSession } from '../types.ts';
import type { Checked, Evidence, Finding, Knowledge } from './finding.ts';
import { type Login, readHistory, type Of, type ServiceHistory } from './history.ts';

export interface Facts {
  /** The service's name, as it appears in timeline entries. */
  service: string;
  page: OAuth2Page | null;
  /** Null if the page doesn't report them. */
  options: readonly ServiceOption[] | null;
  session: ServiceSession | null;
  sessionKnown: boolean;
  history: ServiceHistory;
  /** The most recent login. */
  login: Login | null;
  csp: readonly Of<'csp'>[];
  /** Names of all configured services. */
  services: readonly string[];
  now: number;
  knowledge: Knowledge;
}

const NO_HISTORY: ServiceHistory = { logins: [], exchanges: [], calls: [], stored: null, refused: [], events: [] };

/** Creates one `Facts` per service that is configured or has timeline entries. */
export function factsOf({ page, services, entries, now }: OAuth2State, knowledge: Knowledge): Facts[] {
  const history = readHistory(entries);
  const byName = new Map<string, PageService | null>(services.map((service) => [service.name, service]));
  for (const name of history.services.keys()) if (!byName.has(name)) byName.set(name, null);
  const names = services.map(({ name }) => name);
  return [...byName].map(([service, found]) => {
    const own = history.services.get(service) ?? NO_HISTORY;
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

/** A string option; `''` if it's missing or secret. */
export function textOption(facts: Facts, name: string): string {
  const value = option(facts, name)?.value;
  return typeof value === 'string' ? value : '';
}

export function isOn(facts: Facts, name: string): boolean {
  return option(facts, name)?.value === true;
}

/** Defaults to the implicit flow (specification, "OAuth2 service configuration"). */
export function grantTypeOf(facts: Facts): string {
  return textOption(facts, 'grantType') || facts.login?.started.detail.grantType || 'token';
}

/**
 * An option as evidence: its name and value, or the length if it's secret.
 * @param reportUnset also report a missing option
 */
export function optionEvidence(facts: Facts, name: string, reportUnset = true): Evidence[] {
  const found = option(facts, name);
  if (!found) return facts.options && reportUnset ? [{ text: `${name} isn’t set.` }] : [];
  if (found.secret)
    return [{ text: found.masked?.length ? `${name} has ${found.masked.length} characters.` : `${name} is empty.` }];
  return found.value === null ? [] : [{ text: `${name} is ${quoted(String(found.value))}.` }];
}

export function quoted(text: string): string {
  return `“${truncate(text, 200)}”`;
}

/** A configuration line, `name: value,`, escaped so that it can't close a script element. */
export function optionLine(name: string, value: string | boolean): string {
  const escape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${name}: ${JSON.stringify(value).replace(/[<\u2028\u2029]/g, escape)},`;
}

export function urlOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/**
 * The newest result for a URL, or null if there is none.
 * @param since epoch milliseconds; earlier results are ignored
 */
export function checkedAt(
  { knowledge }: Facts,
  { url, mode }: ProbeRequest,
  since = -Infinity,
): (Checked & { result: NonNullable<Checked['result']> }) | null {
  const found = knowledge.checked.findLast(
    ({ request, result, at }) => result !== null && at >= since && request.url === url && request.mode === mode,
  );
  return found?.result ? { ...found, result: found.result } : null;
}

/** Requests that don't have a result yet, without duplicates. */
export function unsentProbes(facts: Facts, requests: readonly ProbeRequest[], since = -Infinity): ProbeRequest[] {
  return requests.filter(
    (request, index) =>
      checkedAt(facts, request, since) === null &&
      requests.findIndex(({ url, mode }) => url === request.url && mode === request.mode) === index,
  );
}

export type Found = Omit<Finding, 'service'>;
/** Returns a rule's findings, most probable first. */
export type Rule = (facts: Facts) => (Found | null)[];
