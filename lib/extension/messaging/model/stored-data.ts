/** Limits and quarantine reports of stored data, for the options page and the panel. */

/** Maximum number of publish records with a known outcome. Records with an unknown outcome are never deleted. */
export const PUBLISH_LIMIT = 200;

/**
 * Maximum number of runs, of characters in all runs, of characters in one run’s events, and of saved payloads and
 * drafts.
 */
export const HISTORY_LIMITS = { runs: 200, size: 50_000_000, sizeOfRun: 10_000_000, payloads: 2_000 };

/** A database that has quarantined records or can’t be used. */
export interface QuarantineReport {
  title: string;
  /** `newer`: written by a newer version of the extension. `damaged`: can’t be opened, or lacks an object store. */
  problem: 'newer' | 'damaged' | null;
  /** Number of damaged records in quarantine. */
  records: number;
}
