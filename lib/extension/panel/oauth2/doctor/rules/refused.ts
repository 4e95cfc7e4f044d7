/** Owns what services refuse alike on the way back and at the token endpoint, and how their words are told. */
import type { Evidence } from '../finding.ts';
import { type Facts, type Found, optionEvidence, quoted, textOption } from '../facts.ts';

export function redirectRefused(facts: Facts, evidence: Evidence[], why?: string): Found {
  const redirectUrl = textOption(facts, 'redirectUrl') || facts.login?.started.detail.redirectUrl || '';
  return {
    code: 'REDIRECT_URL_REFUSED',
    severity: 'error',
    title: 'The service refused redirectUrl.',
    cause:
      why ??
      'It is not registered for this clientId, letter for letter: scheme, host, port, path and slash at the end. (An unknown clientId looks the same.)',
    evidence: [...evidence, ...optionEvidence(facts, 'clientId')],
    fix: 'Register this address at the service, or set redirectUrl to one that is.',
    snippet: redirectUrl,
  };
}

export function scopeUnknown(facts: Facts, evidence: Evidence[]): Found {
  return {
    code: 'SCOPE_NOT_GRANTED',
    severity: 'error',
    title: 'The service does not know a scope that was asked for.',
    cause: 'A scope is misspelled, or not allowed for this client.',
    evidence: [...evidence, ...optionEvidence(facts, 'scope')],
    fix: 'Ask for scopes that the service’s documentation names, and that are allowed for this client, between commas.',
  };
}

/** Error and sentence of a service as evidence. */
export function said(
  who: string,
  { error, description }: { error: string | null; description: string | null },
  entry: number,
): Evidence {
  return {
    text: `${who} said ${quoted(error ?? '')}${description && description !== error ? `: ${quoted(description)}` : ''}.`,
    entry,
  };
}
