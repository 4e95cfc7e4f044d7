/** Owns noticing that this device's clock and the service's differ by more than a minute. */
import { plural } from '../../../../../shared/format.ts';
import type { Evidence } from '../finding.ts';
import { type Facts, type Found, textOption } from '../facts.ts';

/** In seconds. */
const TOLERANCE = 60;

interface Reading {
  /** Seconds that this device is ahead of the service, as was told, and at least. */
  told: number;
  ahead: number;
  /** Epoch milliseconds; the newest reading counts. */
  at: number;
  evidence: Evidence;
}

export function clockFindings(facts: Facts): (Found | null)[] {
  const newest = readings(facts).sort((one, other) => other.at - one.at)[0];
  if (!newest || Math.abs(newest.ahead) <= TOLERANCE) return [];
  const minutes = Math.max(1, Math.round(Math.abs(newest.told) / 60));
  const isAhead = newest.ahead > 0;
  const isRefused = facts.history.calls.some(({ ended }) => ended?.detail.status === 401);
  return [
    {
      code: 'CLOCK_OFF',
      severity: isRefused ? 'error' : 'warning',
      title: `This device’s clock is about ${plural(minutes, 'minute')} ${isAhead ? 'ahead of' : 'behind'} the service’s.`,
      cause: isAhead
        ? 'Sessions count as expired that much too early, and are refreshed too often; what this device signs or checks by time may be refused.'
        : 'Sessions count as good that much too long, so calls are refused with 401; tokens may count as not yet valid.',
      evidence: [newest.evidence],
      fix: 'Set this device’s clock by the network. If it is right, the service’s is wrong: tell its operator.',
    },
  ];
}

function readings(facts: Facts): Reading[] {
  const { history, session, knowledge } = facts;
  const found: Reading[] = [];
  for (const { answered } of history.exchanges.slice(-5)) {
    const { clockAhead, milliseconds } = answered.detail;
    // The answer was made some time while it was waited for.
    if (clockAhead !== null)
      found.push({
        told: clockAhead,
        ahead: within(clockAhead, milliseconds),
        at: answered.at,
        evidence: {
          text: `The Date of the token endpoint’s answer differs by ${Math.abs(clockAhead)} seconds.`,
          entry: answered.id,
        },
      });
  }
  const stored = history.stored;
  const claims = session?.accessToken?.jwt?.claims ?? null;
  const issued = claims?.t === 'object' ? claims.entries.find(([name]) => name === 'iat')?.[1] : undefined;
  const early =
    stored && issued?.t === 'number' && typeof issued.v === 'number' ? Math.round(issued.v - stored.at / 1000) : 0;
  // A token that was made in the future; one made earlier says nothing: services keep tokens for a while.
  if (stored && early > TOLERANCE)
    found.push({
      told: -early,
      ahead: -early,
      at: stored.at,
      evidence: {
        text: `The access token came ${early} seconds before the time at which it says it was issued (iat).`,
        entry: stored.id,
      },
    });
  const base = textOption(facts, 'baseUrl');
  for (const { request, answer, at } of knowledge.checked) {
    const time = Date.parse(answer?.date ?? '');
    if (request.url !== base || Number.isNaN(time)) continue;
    const ahead = Math.round((at - time) / 1000);
    found.push({
      told: ahead,
      ahead: within(ahead, answer!.milliseconds),
      at,
      evidence: { text: `The Date of the answer of ${base} differs by ${Math.abs(ahead)} seconds.` },
    });
  }
  return found;
}

/** Towards nought by what the answer took, and by the second that a header has no parts of. */
function within(seconds: number, milliseconds: number): number {
  const slack = milliseconds / 1000 + 1;
  return Math.sign(seconds) * Math.max(0, Math.abs(seconds) - slack);
}
