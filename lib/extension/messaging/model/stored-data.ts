/** Limits and quarantine reports of stored data, for the options page and the panel. */

/** Maximum number of publishes with a known outcome. Publishes with an unknown outcome are never deleted. */
export const PUBLISH_LIMIT = 200;

/** Maximums: runs, characters of all runs, characters of one run’s events, and saved payloads and drafts. */
export const HISTORY_LIMITS = { runs: 200, size: 50_000_000, sizeOfRun: 10_000_000, payloads: 2_000 };

/** A database that has quarantined records or can’t be used. */
export interface QuarantineReport {
  title: string;
  /** `newer`: written by a newer version of the extension. `damaged`: can’t be opened, or lacks an object store. */
  problem: 'newer' | 'damaged' | null;
  /** Number of damaged records in quarantine. */
  records: number;
}
