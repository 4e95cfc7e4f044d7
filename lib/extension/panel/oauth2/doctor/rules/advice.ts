/** Owns what works and could be safer: the implicit flow where codes are offered, and a secret that the page gives away (RFC 9700, section 2.1). */
import { discoveryOf } from '../discovery.ts';
import { type Facts, type Found, grantTypeOf, line, option, optionEvidence, textOption } from '../facts.ts';

/** Advice where the configuration itself suggests it; a warning once the service says that it offers codes. */
export function flowFindings(facts: Facts): (Found | null)[] {
  if (!facts.options || grantTypeOf(facts) !== 'token') return [];
  const { document, tokenEndpoint, ask } = discoveryOf(facts);
  const isOffered = document?.responseTypes.some((type) => type.split(' ').includes('code')) === true;
  const grantUrl = tokenEndpoint ?? textOption(facts, 'grantUrl');
  if (!isOffered && (document || !grantUrl)) return [];
  return [
    {
      code: 'IMPLICIT_FLOW',
      severity: isOffered ? 'warning' : 'advice',
      title: isOffered
        ? 'The implicit flow is used where the service offers codes.'
        : 'The implicit flow is used, although a token endpoint is configured.',
      cause:
        'With the implicit flow the token travels through the address of a page, where histories, extensions and referrers can find it, and it can’t be refreshed (RFC 9700, section 2.1.2).',
      evidence: [
        ...(isOffered
          ? [{ text: `The discovery document lists ${document.responseTypes.join(', ')} as response types.` }]
          : optionEvidence(facts, 'grantUrl')),
        ...optionEvidence(facts, 'grantType'),
      ],
      fix: 'Use grantType code; PKCE comes with it.',
      snippet: [
        line('grantType', 'code'),
        ...(grantUrl ? [line('grantUrl', grantUrl)] : []),
        ...(document?.grantTypes.includes('refresh_token') ? [line('refresh', true)] : []),
      ].join('\n'),
      ask,
    },
  ];
}

/** A warning once the service says that it takes clients without one. */
export function secretFindings(facts: Facts): (Found | null)[] {
  const secret = option(facts, 'clientSecret');
  if (!secret?.masked?.length) return [];
  const { document, ask } = discoveryOf(facts);
  const isImplicit = grantTypeOf(facts) === 'token';
  const isNeedless = document?.authMethods.includes('none') === true;
  return [
    {
      code: 'SECRET_IN_PAGE',
      severity: isNeedless && !isImplicit ? 'warning' : 'advice',
      title: 'The page gives clientSecret away.',
      cause: `Everybody who opens the page can read it in its code, and act as this client.${isImplicit ? ' The implicit flow does not even use it.' : ''}`,
      evidence: [
        { text: `clientSecret has ${secret.masked.length} characters.` },
        ...(isNeedless
          ? [{ text: 'The discovery document says that the service takes clients without a secret (none).' }]
          : []),
      ],
      fix: 'Register the app as a public client, which has no secret (PKCE protects its codes), and treat this secret as known: replace it at the service.',
      snippet: line('clientSecret', ''),
      ask,
    },
  ];
}
