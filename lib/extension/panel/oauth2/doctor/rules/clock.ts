/** Detects when this computer's clock and the service's clock differ by more than a minute. */
import { plural } from '../../../../../shared/format.ts';
import type { Evidence } from '../finding.ts';
import { type Facts, type Found, textOption } from '../facts.ts';

/** In seconds. */
const TOLERANCE = 60;
/** How many recent token responses to check for a date. */
const MAX_EXCHANGES = 5;

interface Reading {
  /** How many seconds this computer is ahead of the service, as measured. */
  measured: number;
  /** The measured difference minus the possible error. */
  atLeast: number;
  /** Epoch milliseconds. */
  at: number;
  evidence: Evidence;
}

export function clockFindings(facts: Facts): (Found | null)[] {
  const readings = [...fromExchanges(facts), ...fromToken(facts), ...fromChecks(facts)];
  const newest = readings.toSorted((a, b) => b.at - a.at)[0];
  if (!newest || Math.abs(newest.atLeast) <= TOLERANCE) return [];
  const minutes = Math.max(1, Math.round(Math.abs(newest.measured) / 60));
  const isAhead = newest.atLeast > 0;
  const isRefused = facts.history.calls.some(({ ended }) => ended?.detail.status === 401);
  const direction = isAhead ? 'ahead of' : 'behind';
  return [
    {
      code: 'CLOCK_OFF',
      severity: isRefused ? 'error' : 'warning',
      title: `This device’s clock is about ${plural(minutes, 'minute')} ${direction} the service’s`,
      cause: isAhead
        ? 'Sessions seem to expire too early, so they are refreshed too often.'
        : 'Sessions seem valid for too long, so calls fail with 401.',
      evidence: [newest.evidence],
      fix: 'Set this device’s time automatically. If its clock is right, contact the service provider.',
    },
  ];
}

function fromExchanges({ history }: Facts): Reading[] {
  return history.exchanges.slice(-MAX_EXCHANGES).flatMap(({ response: { id, at, detail } }) => {
    const { clockAhead, milliseconds } = detail;
    if (clockAhead === null) return [];
    const text = `The Date header of the token response differs from this device’s clock by ${Math.abs(clockAhead)} seconds.`;
    const atLeast = withoutDelay(clockAhead, milliseconds);
    return [{ measured: clockAhead, atLeast, at, evidence: { text, entry: id } }];
  });
}

/**
 * Finds a token that was issued in the future. An issue time in the past proves nothing, since services cache tokens.
 */
function fromToken({ history: { stored }, session }: Facts): Reading[] {
  const claims = session?.accessToken?.jwt?.claims;
  const issued = claims?.t === 'object' ? claims.entries.find(([name]) => name === 'iat')?.[1] : undefined;
  if (!stored || issued?.t !== 'number' || typeof issued.v !== 'number') return [];
  const early = Math.round(issued.v - stored.at / 1000);
  if (early <= TOLERANCE) return [];
  const text = `The access token arrived ${early} seconds before its issue time (iat).`;
  return [{ measured: -early, atLeast: -early, at: stored.at, evidence: { text, entry: stored.id } }];
}

function fromChecks(facts: Facts): Reading[] {
  const baseUrl = textOption(facts, 'baseUrl');
  return facts.knowledge.checked.flatMap(({ request, result, at }) => {
    const time = Date.parse(result?.date ?? '');
    if (request.url !== baseUrl || !result || Number.isNaN(time)) return [];
    const measured = Math.round((at - time) / 1000);
    const text = `The Date header of ${baseUrl} differs from this device’s clock by ${Math.abs(measured)} seconds.`;
    return [{ measured, atLeast: withoutDelay(measured, result.milliseconds), at, evidence: { text } }];
  });
}

/** Subtracts the response time, and one second because the header is rounded to seconds. */
function withoutDelay(seconds: number, milliseconds: number): number {
  const delay = milliseconds / 1000 + 1;
  return Math.sign(seconds) * Math.max(0, Math.abs(seconds) - delay);
}
