/** Types of the *Apps* tab: table columns, session rows, filters, and chart data. */
import type { AnalyticsSession } from '../../../platform-api/sessions/session.ts';

/** One for each field of the specification. */
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

/** A session, ready to be filtered and shown. Texts are untrusted. `''` and null mean unknown. */
export interface SessionRow {
  id: number;
  email: string | null;
  /** `appVersion.currentVersion`. */
  version: number | null;
  /** How many versions it is behind the newest known one; null when either is unknown. */
  behind: number | null;
  device: string;
  /** Family and major version, such as `iOS 26`. */
  os: string;
  /** Family and major version, such as `Chrome 156`. */
  browser: string;
  /** Epoch milliseconds; null when missing or invalid. It may be in the future. */
  lastAccess: number | null;
  /** `appVersion.localUpdatedAt`, epoch milliseconds: when this device was updated to its version. */
  updated: number | null;
  /** As the platform sent it. */
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

/** All filters must match. Null and `''` match everything. */
export interface SessionFilter {
  /** Every word must occur in email, device, system, browser, or IP address. */
  query: string;
  /** `'none'`: unknown version. */
  version: number | 'none' | null;
  /** Families regardless of the version, as `os` and `browser`. */
  device: string | null;
  os: string | null;
  browser: string | null;
  /** First and last local date of the last access, `YYYY-MM-DD`, inclusive. */
  from: string;
  to: string;
  /** At least this many versions behind. */
  behind: number | null;
}

/** The 200 most frequent choices of each filter, most frequent first. */
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

/** Days are local midnights in epoch seconds, ascending, without gaps. Arrays of values are as long as `days`. */
export interface SessionCharts {
  /** Sessions updated to each version by that day, newest version first. Versions beyond the eighth are one series. */
  versions: { days: number[]; series: { label: string; values: number[] }[] };
  /** Percentage (0 to 100) of sessions with a known version and update time that had the newest version by that day. */
  adoption: { days: number[]; version: number | null; percent: number[] };
  lastAccess: { days: number[]; counts: number[] };
  /** Families, most frequent first. Those beyond the eighth are one share, *Others*. `''` means unknown. */
  devices: Share[];
  browsers: Share[];
  /** Sessions that charts over time omit: without a date, in the future, or last used more than 400 days ago. */
  undated: { updated: number; lastAccess: number };
}

/** A user, by the session used last. */
export interface BehindUser {
  key: string;
  email: string | null;
  version: number;
  behind: number;
  lastAccess: number | null;
}

/** At `at` (epoch milliseconds), `on` of `users` users had at least the version on the device used last. */
export interface AdoptionPoint {
  at: number;
  on: number;
  users: number;
}
