/** Limits and quarantine reports of stored data, for the options page and the panel. */

/** Maximum number of publish records with a known outcome. Records with an unknown outcome are never deleted. */
export const PUBLISH_LIMIT = 200;

/** Limits of past runs, saved payloads, and drafts. Sizes are in bytes as stored. */
export const HISTORY_LIMITS = {
  /** Maximum number and size of an action’s runs, not counting pinned ones. */
  runsOfAction: 200,
  sizeOfAction: 25_000_000,
  /** An action’s newest runs, which are never removed automatically. */
  keptOfAction: 20,
  /** Maximum number and size of all runs. */
  runs: 5_000,
  size: 100_000_000,
  /** Maximum size of one run’s events, and of their text before compression, in characters. */
  sizeOfRun: 10_000_000,
  charactersOfRun: 200_000_000,
  /** The steps of runs larger than this are removed before smaller runs are. */
  largeRun: 250_000,
  payloads: 2_000,
};

/** The JSON text of a file, and the titles of the databases that couldn’t be read. */
export interface QuarantineFile {
  text: string;
  unread: readonly string[];
}

/** A database that has quarantined records or can’t be used. */
export interface QuarantineReport {
  title: string;
  /** `newer`: written by a newer version of the extension. `damaged`: can’t be opened, or lacks an object store. */
  problem: 'newer' | 'damaged' | null;
  /** Number of damaged records in quarantine. */
  records: number;
}
