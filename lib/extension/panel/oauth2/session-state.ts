/** Derives a session's state from the current time. */
import { formatSpan, whenIs } from './claims.ts';
import type { Tone } from './entry-text.ts';
import type { PageService } from './types.ts';

export interface SessionState {
  name: 'unknown' | 'none' | 'active' | 'soon' | 'expired' | 'endless';
  label: string;
  tone: Tone;
}

const ENDLESS: SessionState = { name: 'endless', label: 'logged in', tone: 'success' };
const EXPIRED: SessionState = { name: 'expired', label: 'expired', tone: 'danger' };
/** The library refreshes tokens this many milliseconds before they expire. */
const REFRESH_MARGIN = 30_000;

/** @param now epoch milliseconds */
export function sessionStateOf({ session, sessionKnown, sessionProblem }: PageService, now: number): SessionState {
  if (sessionProblem) return { name: 'unknown', label: 'unknown', tone: 'plain' };
  if (!sessionKnown) return { name: 'unknown', label: '…', tone: 'plain' };
  if (!session) return { name: 'none', label: 'no session', tone: 'plain' };
  if (session.expires === null) return session.expiresIn !== null && session.expiresIn <= 0 ? EXPIRED : ENDLESS;
  const end = session.expires * 1000;
  if (Number.isNaN(new Date(end).getTime())) return ENDLESS;
  if (end <= now) return EXPIRED;
  const isSoon = end - now <= REFRESH_MARGIN;
  return {
    name: isSoon ? 'soon' : 'active',
    label: `${formatSpan(end - now)} left`,
    tone: isSoon ? 'warning' : 'success',
  };
}

/** For example, `Mon 23 Nov 14:03, in 9 min 12 s`. */
export function expiryText(expires: number | null, expiresIn: number | null, now: number): string {
  if (expires !== null) return whenIs(expires * 1000, now);
  return expiresIn === null ? 'unknown' : `${expiresIn} s after the login`;
}
