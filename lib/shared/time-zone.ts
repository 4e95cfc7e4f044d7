/** Resolves time zones for display: the browser’s own, or UTC for a zone that the browser doesn’t know. */

export interface TimeZone {
  /** A name that the browser accepts. */
  name: string;
  /** The name that the browser doesn’t know, so that times are in UTC; null if it knows the zone. */
  unknown: string | null;
}

/** The name of the local zone can be asked for in every cell of a table, which is too slow. In milliseconds. */
const CHECK_INTERVAL = 1_000;
/** A platform can list any names. */
const MAX_ZONES = 500;

const zones = new Map<string, TimeZone>();
let local: { zone: TimeZone; checkedAt: number } | null = null;
let onLocal = (): void => {};

export function zoneOf(name: string): TimeZone {
  let zone = zones.get(name);
  if (zone) return zone;
  try {
    // Chromium itself reports `Etc/Unknown` for a zone that it doesn’t know, and then throws at that name.
    const format = new Intl.DateTimeFormat('en', { timeZone: name });
    zone = { name, unknown: format.resolvedOptions().timeZone ? null : name };
  } catch {
    zone = { name: 'UTC', unknown: name };
  }
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(name, zone);
  return zone;
}

/** The browser’s zone, which can change at any time. */
export function localZone(): TimeZone {
  onLocal();
  const now = Date.now();
  // The absolute difference, because a clock can be set back.
  if (local && Math.abs(now - local.checkedAt) < CHECK_INTERVAL) return local.zone;
  return checkLocalZone();
}

/** Asks the browser for its zone now. */
export function checkLocalZone(): TimeZone {
  local = { zone: zoneOf(nameOfLocalZone()), checkedAt: Date.now() };
  return local.zone;
}

/** Calls `listener` whenever a time is formatted in the browser’s zone, so that a view can format it again later. */
export function trackLocalZone(listener: () => void): void {
  onLocal = listener;
}

function nameOfLocalZone(): string {
  try {
    return new Intl.DateTimeFormat().resolvedOptions().timeZone || 'Etc/Unknown';
  } catch {
    return 'Etc/Unknown';
  }
}
