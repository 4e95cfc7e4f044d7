/** Types of the *Apps* tab: table columns, session rows, filters, and chart data. */
import type { AnalyticsSession } from '../../../platform-api/sessions/session.ts';

/** A column for each field in the specification. */
export type AppColumn =
  | 'name'
  | 'id'
  | 'icon'
  | 'version'
  | 'updatedAt'
  | 'createdAt'
  | 'deletedAt'
  | 'productionAppId'
  | 'startingPageId'
  | 'organizationId'
  | 'slug'
  | 'appUser'
  | 'settings'
  | 'releases'
  | 'dependencies';
export interface AppSort {
  by: AppColumn;
  descending: boolean;
}
export type AppsView = 'table' | 'page';

/** A session prepared for filtering and display. Strings are untrusted. `''` and null mean unknown. */
export interface SessionRow {
  id: number;
  email: string | null;
  /** `appVersion.currentVersion`. */
  version: number | null;
  /** How many versions it's behind the newest known version; null if either is unknown. */
  behind: number | null;
  device: string;
  /** Family and major version, for example `iOS 26`. */
  os: string;
  /** Family and major version, for example `Chrome 156`. */
  browser: string;
  /** Epoch milliseconds; null if missing or invalid. Can be in the future. */
  lastAccess: number | null;
  /** `appVersion.localUpdatedAt` in epoch milliseconds: when this device was updated to its current version. */
  updated: number | null;
  /** The session as the platform sent it. */
  session: AnalyticsSession;
}

export type SessionColumn =
  | 'user'
  | 'version'
  | 'behind'
  | 'device'
  | 'os'
  | 'browser'
  | 'lastAccess'
  | 'updated'
  | 'ipAddress';
export interface SessionSort {
  by: SessionColumn;
  descending: boolean;
}

/** All filters must match. Null and `''` match anything. */
export interface SessionFilter {
  /** Every word must occur in the email, device, system, browser, or IP address. */
  query: string;
  /** `'none'` means an unknown version. */
  version: number | 'none' | null;
  /** Families as in `os` and `browser`, without the version. */
  device: string | null;
  os: string | null;
  browser: string | null;
  /** First and last local date of the last access, `YYYY-MM-DD`, both inclusive. */
  from: string;
  to: string;
  /** Minimum number of versions behind. */
  behind: number | null;
}

/** The 200 most frequent values for each filter, most frequent first. */
export interface SessionChoices {
  versions: { value: number | 'none'; count: number }[];
  devices: Share[];
  systems: Share[];
  browsers: Share[];
}
export interface Share {
  label: string;
  count: number;
}

/** A chart’s periods: local midnights, or hours if the data is less than two days old. */
export interface ChartTimes {
  unit: 'day' | 'hour';
  /** When each period starts, in epoch seconds, ascending, without gaps. Value arrays have one item per period. */
  times: number[];
}

export interface SessionCharts {
  /** Sessions updated to each version by then, newest version first. Versions after the eighth are combined. */
  versions: ChartTimes & { series: { label: string; values: number[] }[] };
  /**
   * Percentage (0 to 100) of sessions that had the newest version by then, among those with a known version and
   * update time.
   */
  adoption: ChartTimes & { version: number | null; percent: number[] };
  lastAccess: ChartTimes & { counts: number[] };
  /** Families, most frequent first. Those after the eighth are combined as *Others*. `''` means unknown. */
  devices: Share[];
  browsers: Share[];
  /** Number of sessions omitted from time charts: no date, a future date, or last used more than 400 days ago. */
  undated: { updated: number; lastAccess: number };
}

/** A user, represented by the most recently used session. */
export interface BehindUser {
  key: string;
  email: string | null;
  version: number;
  behind: number;
  lastAccess: number | null;
}

/** At `at` (epoch milliseconds), `on` of `users` users had the version or a newer one on the device they used last. */
export interface AdoptionPoint {
  at: number;
  on: number;
  users: number;
}
