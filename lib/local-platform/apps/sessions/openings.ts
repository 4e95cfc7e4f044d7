/**
 * Computes when a device opens its app, using only the session’s ID. Nothing is stored, so the times are the same after
 * a restart, on every platform with the same database, and after a virtual clock moves.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `share` is the fraction of devices that open their app every `from` to `to` milliseconds on average. */
const RHYTHMS = [
  { share: 0.55, from: 20 * SECOND, to: 10 * MINUTE },
  { share: 0.25, from: 10 * MINUTE, to: 12 * HOUR },
  { share: 0.13, from: 12 * HOUR, to: 10 * DAY },
] as const;

/** A number from 0 to below 1 that is always the same for the same arguments. */
export function chanceOf(a: number, b: number): number {
  let mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Log-uniform between `from` and `to`: every order of magnitude is equally likely. `chance` is from 0 to below 1. */
export const spread = (from: number, to: number, chance: number): number => from * (to / from) ** chance;

/** The average time between two openings, in milliseconds, or null if the app is never opened again. */
export function rhythmOf(sessionId: number): number | null {
  let left = chanceOf(sessionId, -1);
  for (const { share, from, to } of RHYTHMS) {
    if (left < share) return Math.round(spread(from, to, left / share));
    left -= share;
  }
  return null;
}

/** Every interval of length `rhythm` has one opening, at a random point. */
const opening = (sessionId: number, rhythm: number, interval: number): number =>
  interval * rhythm + Math.floor(chanceOf(sessionId, interval) * rhythm);

/** The last opening up to `time`. Times are in epoch milliseconds. */
export function lastOpening(sessionId: number, rhythm: number, time: number): number {
  const interval = Math.floor(time / rhythm);
  const candidate = opening(sessionId, rhythm, interval);
  return candidate <= time ? candidate : opening(sessionId, rhythm, interval - 1);
}

/** The first opening after `time`. */
export function nextOpening(sessionId: number, rhythm: number, time: number): number {
  const interval = Math.floor(time / rhythm);
  const candidate = opening(sessionId, rhythm, interval);
  return candidate > time ? candidate : opening(sessionId, rhythm, interval + 1);
}
