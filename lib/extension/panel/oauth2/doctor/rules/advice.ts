/** Finds setups that work but could be safer: the implicit flow, and a secret in the page (RFC 9700 section 2.1). */
import { discoveryOf } from '../discovery.ts';
import { type Facts, type Found, grantTypeOf, optionEvidence, optionLine, option, textOption } from '../facts.ts';

/** A warning if the service supports codes, or advice if only the configuration suggests that it does. */
export function flowFindings(facts: Facts): (Found | null)[] {
  if (!facts.options || grantTypeOf(facts) !== 'token') return [];
  const { document, tokenEndpoint, probes } = discoveryOf(facts);
  const isOffered = document?.responseTypes.some((type) => type.split(' ').includes('code')) === true;
  const grantUrl = tokenEndpoint ?? textOption(facts, 'grantUrl');
  if (!isOffered && (document || !grantUrl)) return [];
  const evidence = isOffered
    ? [{ text: `The discovery document lists these response types: ${document.responseTypes.join(', ')}.` }]
    : optionEvidence(facts, 'grantUrl');
  return [
    {
      code: 'IMPLICIT_FLOW',
      severity: isOffered ? 'warning' : 'advice',
      title: isOffered
        ? 'The implicit flow is used, but the service supports authorization codes'
        : 'The implicit flow is used, but grantUrl is set',
      cause: 'The token is in a URL, where browser history and extensions can expose it (RFC 9700 section 2.1.2).',
      evidence: [...evidence, ...optionEvidence(facts, 'grantType')],
      fix: 'Set grantType to “code”, which also turns on PKCE.',
      snippet: [
        optionLine('grantType', 'code'),
        ...(grantUrl ? [optionLine('grantUrl', grantUrl)] : []),
        ...(document?.grantTypes.includes('refresh_token') ? [optionLine('refresh', true)] : []),
      ].join('\n'),
      probes,
    },
  ];
}

/** A warning if the service accepts clients without a secret. */
export function secretFindings(facts: Facts): (Found | null)[] {
  const secret = option(facts, 'clientSecret');
  if (!secret?.masked?.length) return [];
  const { document, probes } = discoveryOf(facts);
  const isImplicit = grantTypeOf(facts) === 'token';
  const isUnnecessary = document?.authMethods.includes('none') === true;
  return [
    {
      code: 'SECRET_IN_PAGE',
      severity: isUnnecessary && !isImplicit ? 'warning' : 'advice',
      title: 'The page exposes clientSecret',
      cause: isImplicit
        ? 'Anyone who opens the page can read it, and the implicit flow doesn’t use it.'
        : 'Anyone who opens the page can read it and act as this client.',
      evidence: [
        { text: `clientSecret has ${secret.masked.length} characters.` },
        ...(isUnnecessary ? [{ text: 'The discovery document allows clients without a secret (“none”).' }] : []),
      ],
      fix: 'Register the app as a public client, and revoke this secret with the service.',
      snippet: optionLine('clientSecret', ''),
      probes,
    },
  ];
}
