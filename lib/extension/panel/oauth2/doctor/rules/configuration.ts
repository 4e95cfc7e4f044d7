/** Owns the faults of a configuration: options that are missing, misspelled or not what they must be, and services that nobody configured. */
import type { Evidence } from '../finding.ts';
import { type Facts, type Found, grantTypeOf, line, option, quoted } from '../facts.ts';
import type { Of } from '../history.ts';
import { edits, meantBy, REQUIRED } from '../option-names.ts';

const EXAMPLES: Record<string, string> = {
  clientId: 'the id that the service issued',
  clientSecret: '',
  redirectUrl: 'https://…/v1/auth/sso-callback',
  authUrl: 'https://…/authorize',
  grantUrl: 'https://…/token',
};

export function configurationFindings(facts: Facts): (Found | null)[] {
  const refused = facts.history.refused
    .filter(({ detail }) => detail.call === 'configure')
    .map((entry) => ofRefusal(entry));
  if (refused.length > 0) return refused;
  // What logged in works, whatever a library of others makes of its options.
  if (facts.session || facts.login?.outcome === 'succeeded') return [];
  return facts.options ? ofOptions(facts) : [notConfigured(facts)];
}

/** What the library itself refused. */
function ofRefusal({ id, detail: { code, option, message } }: Of<'refused'>): Found {
  const evidence = [{ text: `configure() threw${code ? ` ${code}` : ''}: ${quoted(message)}`, entry: id }];
  if (option && code === 'OPTION_MISSING')
    return option === 'grantUrl' ? grantUrlMissing(evidence) : missing(option, evidence);
  const meant = option && meantBy(option);
  if (option && meant && code === 'OPTION_UNKNOWN') return misspelled(option, meant, evidence);
  if (option && (code === 'OPTION_UNKNOWN' || code === 'OPTION_INVALID'))
    return invalid(option, code === 'OPTION_UNKNOWN', evidence);
  return {
    code: 'CONFIGURE_REFUSED',
    severity: 'error',
    title: 'configure() failed.',
    cause: 'The library refused the configuration, so the service is not configured.',
    evidence,
    fix: 'Compare the configuration with the options of the specification: clientId, clientSecret, redirectUrl, authUrl, and grantUrl with grantType code.',
  };
}

/** What can be seen in options that a library took without a word. */
function ofOptions(facts: Facts): (Found | null)[] {
  const wrong = facts.options!.flatMap(({ name }) => {
    const meant = meantBy(name);
    return meant !== null && option(facts, meant) === null ? [{ name, meant }] : [];
  });
  const isMeant = (name: string): boolean => wrong.some(({ meant }) => meant === name);
  const evidence = [{ text: `The options are ${facts.options!.map(({ name }) => name).join(', ') || 'none'}.` }];
  const isEmpty = (name: string): boolean => {
    const found = option(facts, name);
    return !found || (found.type === 'string' && found.value === '' && !found.secret);
  };
  return [
    ...wrong.map(({ name, meant }) => misspelled(name, meant, evidence)),
    ...REQUIRED.filter((name) => isEmpty(name) && !isMeant(name)).map((name) => missing(name, evidence)),
    grantTypeOf(facts) === 'code' && isEmpty('grantUrl') && !isMeant('grantUrl')
      ? grantUrlMissing([{ text: 'grantType is “code”, and grantUrl is not set.' }])
      : null,
  ];
}

function missing(option: string, evidence: Evidence[]): Found {
  const isSecret = option === 'clientSecret';
  return {
    code: 'OPTION_MISSING',
    severity: 'error',
    title: `Option ${option} is missing.`,
    cause: `A service can't be configured without ${option}.`,
    evidence,
    fix: isSecret
      ? 'Add it; of a public client, which has no secret, as an empty text.'
      : `Add ${option}, as the service gave it.`,
    snippet: line(option, Object.hasOwn(EXAMPLES, option) ? EXAMPLES[option]! : '…'),
  };
}

function misspelled(option: string, meant: string, evidence: Evidence[]): Found {
  return {
    code: 'OPTION_MISSPELLED',
    severity: 'error',
    title: `There is no option ${quoted(option)}; ${meant} is meant.`,
    cause: `The name is misspelled, so ${meant} counts as absent.`,
    evidence,
    fix: `Rename it to ${meant}.`,
  };
}

function invalid(option: string, isUnknown: boolean, evidence: Evidence[]): Found {
  return {
    code: 'OPTION_INVALID',
    severity: 'error',
    title: isUnknown ? `There is no option ${quoted(option)}.` : `Option ${quoted(option)} is not what it must be.`,
    cause: isUnknown
      ? 'The library knows no such option, and refuses the configuration rather than ignore it.'
      : 'It has the wrong type, or is no full address, or one without https.',
    evidence,
    fix: isUnknown
      ? 'Take it out; further parameters of the token request belong into grantData, those of the login into the query of authUrl.'
      : `Give ${cutName(option)} a value of the kind that the message names.`,
  };
}

const cutName = (option: string): string => (option.length > 60 ? 'it' : option);

function grantUrlMissing(evidence: Evidence[]): Found {
  return {
    code: 'GRANT_URL_MISSING',
    severity: 'error',
    title: 'grantType is code, but grantUrl is missing.',
    cause: 'The explicit flow exchanges its code for a token at grantUrl; without it a login can’t end.',
    evidence,
    fix: 'Add grantUrl, the service’s token endpoint; its documentation or discovery document names it (token_endpoint).',
    snippet: line('grantUrl', EXAMPLES.grantUrl!),
  };
}

function notConfigured({ service, services, history, page }: Facts): Found | null {
  const entry = history.events.findLast(({ detail }) => detail.code === 'SERVICE_UNKNOWN');
  if (!entry || entry.documentId !== page?.documentId) return null;
  const near = services.find((name) => edits(name.toLowerCase(), service.toLowerCase()) <= 2);
  return {
    code: 'SERVICE_UNKNOWN',
    severity: 'error',
    title: 'This service is not configured.',
    cause:
      near === undefined
        ? 'configure() was not called for it before it was used, or under another name.'
        : `The configured service is called ${quoted(near)}.`,
    evidence: [
      { text: 'A call of this service failed with SERVICE_UNKNOWN.', entry: entry.id },
      {
        text:
          services.length > 0
            ? `Configured: ${services.slice(0, 10).map(quoted).join(', ')}.`
            : 'No service is configured.',
      },
    ],
    fix:
      near === undefined
        ? 'Call configure() with this name first, when the page starts.'
        : 'Use one name in both places.',
  };
}
