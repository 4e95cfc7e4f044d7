/** Finds missing, misspelled, and invalid options, and services that aren't configured. */
import type { Evidence } from '../finding.ts';
import { type Facts, type Found, grantTypeOf, option, optionLine, quoted } from '../facts.ts';
import type { Of } from '../history.ts';
import { editDistance } from '../../../../../shared/edit-distance.ts';
import { intendedOption, REQUIRED } from '../../option-names.ts';

const EXAMPLES = new Map([
  ['clientId', 'the id that the service issued'],
  ['clientSecret', ''],
  ['redirectUrl', 'https://…/v1/auth/sso-callback'],
  ['authUrl', 'https://…/authorize'],
  ['grantUrl', 'https://…/token'],
]);
/** Maximum number of services to list. */
const MAX_SERVICES = 10;
/** A service is suggested only if its name differs by at most this many letters. */
const MAX_EDITS = 2;

export function configurationFindings(facts: Facts): (Found | null)[] {
  const refusals = facts.history.refused.filter(({ detail }) => detail.call === 'configure');
  if (refusals.length > 0) return refusals.map(ofRefusal);
  // If a login succeeded, the configuration is good enough, even if it looks wrong.
  if (facts.session || facts.login?.outcome === 'succeeded') return [];
  return facts.options ? ofOptions(facts) : [notConfigured(facts)];
}

/** A finding for an option that the library rejected. */
function ofRefusal({ id, detail: { code, option, message } }: Of<'refused'>): Found {
  const evidence = [{ text: `configure() threw${code ? ` ${code}` : ''}: ${quoted(message)}`, entry: id }];
  if (option && code === 'OPTION_MISSING')
    return option === 'grantUrl' ? grantUrlMissing(evidence) : missing(option, evidence);
  const intended = option && intendedOption(option);
  if (option && intended && code === 'OPTION_UNKNOWN') return misspelled(option, intended, evidence);
  if (option && code === 'OPTION_UNKNOWN') return unknown(option, evidence);
  if (option && code === 'OPTION_INVALID') return invalid(option, evidence);
  return {
    code: 'CONFIGURE_REFUSED',
    severity: 'error',
    title: 'configure() failed',
    cause: 'The library rejected the configuration, so the service isn’t configured.',
    evidence,
    fix: 'Compare the configuration with the options in the specification.',
  };
}

/** Findings about options that the library accepted. */
function ofOptions(facts: Facts): (Found | null)[] {
  const names = facts.options!.map(({ name }) => name);
  const typos = names.flatMap((name) => {
    const intended = intendedOption(name);
    return intended !== null && option(facts, intended) === null ? [{ name, intended }] : [];
  });
  const isMissing = (name: string): boolean => isEmpty(facts, name) && !typos.some(({ intended }) => intended === name);
  const evidence = [{ text: `The options are ${names.join(', ') || 'empty'}.` }];
  return [
    ...typos.map(({ name, intended }) => misspelled(name, intended, evidence)),
    ...REQUIRED.filter(isMissing).map((name) => missing(name, evidence)),
    grantTypeOf(facts) === 'code' && isMissing('grantUrl')
      ? grantUrlMissing([{ text: 'grantType is “code”, and grantUrl isn’t set.' }])
      : null,
  ];
}

function isEmpty(facts: Facts, name: string): boolean {
  const found = option(facts, name);
  return !found || (found.type === 'string' && found.value === '' && !found.secret);
}

function missing(option: string, evidence: Evidence[]): Found {
  return {
    code: 'OPTION_MISSING',
    severity: 'error',
    title: `The option ${option} is missing`,
    cause: `A service can’t be configured without ${option}.`,
    evidence,
    fix:
      option === 'clientSecret'
        ? 'Add clientSecret. For a public client, use an empty string.'
        : `Add ${option} with the value from the service’s documentation or settings.`,
    snippet: optionLine(option, EXAMPLES.get(option) ?? '…'),
  };
}

function misspelled(option: string, intended: string, evidence: Evidence[]): Found {
  return {
    code: 'OPTION_MISSPELLED',
    severity: 'error',
    title: `Unknown option ${quoted(option)}. Did you mean ${intended}?`,
    cause: `The name is misspelled, so ${intended} is missing.`,
    evidence,
    fix: `Rename it to ${intended}.`,
  };
}

function unknown(option: string, evidence: Evidence[]): Found {
  return {
    code: 'OPTION_INVALID',
    severity: 'error',
    title: `Unknown option ${quoted(option)}`,
    cause: 'The library rejects unknown options, since they are usually misspelled.',
    evidence,
    fix: 'Remove it, or move it to grantData if it is a parameter of the token request.',
  };
}

function invalid(option: string, evidence: Evidence[]): Found {
  return {
    code: 'OPTION_INVALID',
    severity: 'error',
    title: `The option ${quoted(option)} is invalid`,
    cause: 'The value has the wrong type, isn’t a full URL, has a fragment, or isn’t https.',
    evidence,
    fix: 'Correct the value as the error message describes.',
  };
}

function grantUrlMissing(evidence: Evidence[]): Found {
  return {
    code: 'GRANT_URL_MISSING',
    severity: 'error',
    title: 'grantType is “code”, but grantUrl is missing',
    cause: 'The explicit flow exchanges its code at grantUrl. Without this URL, logins can’t complete.',
    evidence,
    fix: 'Set grantUrl to the service’s token endpoint (token_endpoint in its discovery document).',
    snippet: optionLine('grantUrl', EXAMPLES.get('grantUrl')!),
  };
}

function notConfigured({ service, services, history, page }: Facts): Found | null {
  const entry = history.events.findLast(({ detail }) => detail.code === 'SERVICE_UNKNOWN');
  if (!entry || entry.documentId !== page?.documentId) return null;
  const similar = services.find((name) => editDistance(name.toLowerCase(), service.toLowerCase()) <= MAX_EDITS);
  const configured = services.slice(0, MAX_SERVICES).map(quoted).join(', ');
  return {
    code: 'SERVICE_UNKNOWN',
    severity: 'error',
    title: 'This service isn’t configured',
    cause:
      similar === undefined
        ? 'The page used the service before it called configure() with this name.'
        : `The configured service is called ${quoted(similar)}.`,
    evidence: [
      { text: 'A call to this service failed with SERVICE_UNKNOWN.', entry: entry.id },
      { text: configured ? `Configured services: ${configured}.` : 'No service is configured.' },
    ],
    fix:
      similar === undefined
        ? 'Call configure() with this name when the page loads.'
        : 'Use the same name in configure() and in later calls.',
  };
}
