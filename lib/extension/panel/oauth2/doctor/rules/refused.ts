/** Findings about errors that both the authorization endpoint and the token endpoint can return. */
import type { Evidence } from '../finding.ts';
import { type Facts, type Found, optionEvidence, quoted, textOption } from '../facts.ts';

export function redirectRefused(
  facts: Facts,
  evidence: Evidence[],
  cause = 'The URL must exactly match one registered for this clientId: scheme, host, port, path, and final slash.',
): Found {
  const redirectUrl = textOption(facts, 'redirectUrl') || facts.login?.started.detail.redirectUrl || '';
  return {
    code: 'REDIRECT_URL_REFUSED',
    severity: 'error',
    title: 'The service rejected redirectUrl',
    cause,
    evidence: [...evidence, ...optionEvidence(facts, 'clientId')],
    fix: 'Register this URL with the service.',
    snippet: redirectUrl,
  };
}

export function scopeUnknown(facts: Facts, evidence: Evidence[]): Found {
  return {
    code: 'SCOPE_NOT_GRANTED',
    severity: 'error',
    title: 'The service doesn’t recognize a requested scope',
    cause: 'A scope is misspelled, or isn’t allowed for this client.',
    evidence: [...evidence, ...optionEvidence(facts, 'scope')],
    fix: 'Compare scope with the service’s documentation.',
  };
}

interface ServiceError {
  error: string | null;
  description: string | null;
}

/** A service's error code and description as evidence. `sentence` says where they come from. */
export function errorEvidence(sentence: string, { error, description }: ServiceError, entry: number): Evidence {
  const details = description && description !== error ? `: ${quoted(description)}` : '';
  return { text: `${sentence} ${quoted(error ?? '')}${details}.`, entry };
}
