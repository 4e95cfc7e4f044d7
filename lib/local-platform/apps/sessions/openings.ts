/**
 * Computes when a device opens its app: a rhythm that follows only from the session’s ID. Nothing is stored, so it is
 * the same after a restart, on every platform with the same database, and with a moved clock.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How many devices, of all, open their app how often: on average once in a time between the two. */
const RHYTHMS = [
  { share: 0.55, from: 20 * SECOND, to: 10 * MINUTE },
  { share: 0.25, from: 10 * MINUTE, to: 12 * HOUR },
  { share: 0.13, from: 12 * HOUR, to: 10 * DAY },
] as const;

/** A number from 0 up to 1, always the same for the same two numbers. */
export function chanceOf(a: number, b: number): number {
  let mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Between the two, each order of magnitude as likely as the other; `chance` from 0 up to 1. */
export const spread = (from: number, to: number, chance: number): number => from * (to / from) ** chance;

/** The average time between two openings, in milliseconds; null: this device never comes back. */
export function rhythmOf(sessionId: number): number | null {
  let left = chanceOf(sessionId, -1);
  for (const { share, from, to } of RHYTHMS) {
    if (left < share) return Math.round(spread(from, to, left / share));
    left -= share;
  }
  return null;
}

/** Each stretch of time as long as the rhythm has one opening, anywhere in it. */
const opening = (sessionId: number, rhythm: number, stretch: number): number =>
  stretch * rhythm + Math.floor(chanceOf(sessionId, stretch) * rhythm);

/** The last opening up to `time`, both in epoch milliseconds. */
export function lastOpening(sessionId: number, rhythm: number, time: number): number {
  const stretch = Math.floor(time / rhythm);
  const found = opening(sessionId, rhythm, stretch);
  return found <= time ? found : opening(sessionId, rhythm, stretch - 1);
}

/** The first opening after `time`. */
export function nextOpening(sessionId: number, rhythm: number, time: number): number {
  const stretch = Math.floor(time / rhythm);
  const found = opening(sessionId, rhythm, stretch);
  return found > time ? found : opening(sessionId, rhythm, stretch + 1);
}
