/** Owns in which state a session is, in a word and by the clock. */
import { span, whenIs } from './claims.ts';
import type { PageService } from './types.ts';
import type { Tone } from './words.ts';

export interface SessionState {
  name: 'unknown' | 'none' | 'active' | 'soon' | 'expired' | 'endless';
  label: string;
  tone: Tone;
}

/** A token is refreshed so many milliseconds before its end (decisions, "OAuth2 library"). */
const EARLY = 30_000;

/** @param now epoch milliseconds */
export function sessionStateOf({ session, sessionKnown, sessionProblem }: PageService, now: number): SessionState {
  if (!sessionKnown || sessionProblem)
    return { name: 'unknown', label: sessionProblem ? 'not readable' : '…', tone: 'plain' };
  if (!session) return { name: 'none', label: 'no session', tone: 'plain' };
  if (session.expires === null)
    return session.expiresIn !== null && session.expiresIn <= 0
      ? { name: 'expired', label: 'expired', tone: 'danger' }
      : { name: 'endless', label: 'logged in', tone: 'success' };
  if (Number.isNaN(new Date(session.expires * 1000).getTime()))
    return { name: 'endless', label: 'logged in', tone: 'success' };
  const left = session.expires * 1000 - now;
  if (left <= 0) return { name: 'expired', label: 'expired', tone: 'danger' };
  return {
    name: left <= EARLY ? 'soon' : 'active',
    label: `${span(left)} left`,
    tone: left <= EARLY ? 'warning' : 'success',
  };
}

/** The end of a session in words: `14:03:27, in 9 min 12 s`. */
export function expiryText(expires: number | null, expiresIn: number | null, now: number): string {
  if (expires !== null) return whenIs(expires * 1000, now);
  return expiresIn === null ? 'The service says nothing about it.' : `${expiresIn} s after the login`;
}
