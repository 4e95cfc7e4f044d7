/** What the options page and the panel say about stored data. */

/** Publishes with a known outcome; publishes whose outcome is open are never deleted. */
export const PUBLISH_LIMIT = 200;

/** Runs, characters of all runs, characters of one run’s events, and payloads with drafts. */
export const HISTORY_LIMITS = { runs: 200, size: 50_000_000, sizeOfRun: 10_000_000, payloads: 2_000 };

/** A database with quarantined records, or one that can’t be used. */
export interface QuarantineReport {
  title: string;
  /** `newer`: written by a newer version of the extension. `damaged`: it can’t be opened, or an object store is missing. */
  problem: 'newer' | 'damaged' | null;
  /** Damaged records in quarantine. */
  records: number;
}
