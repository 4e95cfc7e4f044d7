/** Owns the shapes of tab *Apps*: an app's sessions as they are filtered, drawn and followed after a publish. */
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { AnalyticsSession } from '../../contract/session.ts';
import type { ErrorValue } from '../../contract/errors.ts';

/** One session, ready to be filtered and drawn. Texts are untrusted; `''` and null are what the platform did not tell. */
export interface SessionRow {
  id: number;
  email: string | null;
  /** `appVersion.currentVersion`. */
  version: number | null;
  /** By how many versions it lags the newest known one; null when either is not known. */
  behind: number | null;
  device: string;
  os: string;
  browser: string;
  /** Epoch milliseconds; null where the date is absent or none. */
  lastAccess: number | null;
  /** `appVersion.localUpdatedAt`, epoch milliseconds: when this device came to its version. */
  updated: number | null;
  /** As the platform sent it. */
  session: AnalyticsSession;
}

export type SessionColumn = 'user' | 'version' | 'behind' | 'device' | 'os' | 'browser' | 'lastAccess' | 'updated' | 'address';
export interface SessionSort { by: SessionColumn; descending: boolean }

/** Everything that is set has to match; null and `''` mean any. */
export interface SessionFilter {
  /** Words that all occur in user, device, system, browser or address. */
  words: string;
  /** `'none'`: version not known. */
  version: number | 'none' | null;
  device: string | null;
  os: string | null;
  browser: string | null;
  /** Local days, `YYYY-MM-DD`, of the last access; both ends belong to it. */
  from: string;
  to: string;
  /** At least so many versions behind. */
  behind: number | null;
}

/** What can be chosen, most frequent first. */
export interface SessionChoices {
  versions: { value: number | 'none'; count: number }[];
  devices: Share[];
  systems: Share[];
  browsers: Share[];
}
export interface Share { label: string; count: number }

/** What the charts draw. Days are local midnights as epoch seconds, ascending, without gaps; arrays of values are as long as `days`. */
export interface SessionCharts {
  /** Sessions on each version, by `localUpdatedAt`: how many had come to it by that day. Newest version first; older ones than the eighth are one series. */
  versions: { days: number[]; series: { label: string; values: number[] }[] };
  /** Of the sessions that a version is known of, how many per cent (0 to 100) had come to the newest by that day. */
  adoption: { days: number[]; version: number | null; percent: number[] };
  lastAccess: { days: number[]; counts: number[] };
  /** Most frequent first; beyond the eighth as one, *Others*. */
  devices: Share[];
  browsers: Share[];
  /** Sessions that a chart over time leaves out: no date, or one in the future. */
  undated: { updated: number; lastAccess: number };
}

/** A user by the session used last. */
export interface BehindUser { key: string; email: string | null; version: number; behind: number; lastAccess: number | null }

/** The sessions of one app; read when first asked for, in pieces. */
export interface Sessions {
  readonly state: ReadonlySignal<'idle' | 'loading' | 'ready' | 'failed' | 'cancelled'>;
  readonly error: ReadonlySignal<ErrorValue | null>;
  /** How many have been read while `loading`. */
  readonly read: ReadonlySignal<number>;
  /** When they were read, epoch milliseconds. */
  readonly readAt: ReadonlySignal<number | null>;
  readonly all: ReadonlySignal<readonly SessionRow[]>;
  /** Filtered and in order. */
  readonly rows: ReadonlySignal<readonly SessionRow[]>;
  readonly filter: Signal<SessionFilter>;
  readonly sort: Signal<SessionSort>;
  readonly choices: ReadonlySignal<SessionChoices>;
  /** Of the filtered ones. */
  readonly charts: ReadonlySignal<SessionCharts>;
  /** Of all: users at least `filter.behind` (1 when not set) versions behind, the furthest first. */
  readonly behind: ReadonlySignal<readonly BehindUser[]>;
  /** The newest version that is known of the app. */
  readonly latest: ReadonlySignal<number | null>;
  sortBy(column: SessionColumn): void;
  refresh(): Promise<void>;
  cancel(): void;
  /** The filtered ones as one file. */
  exportAs(format: 'csv' | 'json'): void;
}

/** The way of one version to its users, from when it is watched on. */
export interface Adoption {
  /** Null while it is not watched. */
  readonly version: ReadonlySignal<number | null>;
  readonly points: ReadonlySignal<readonly AdoptionPoint[]>;
  readonly state: ReadonlySignal<'idle' | 'watching' | 'paused' | 'done'>;
  /** Of the last question; the next one is asked all the same, later. */
  readonly error: ReadonlySignal<ErrorValue | null>;
  /** When it will be asked again, epoch milliseconds. */
  readonly nextAt: ReadonlySignal<number | null>;
  watch(version: number): void;
  /** Asks at once. */
  look(): Promise<void>;
  stop(): void;
  dispose(): void;
}
/** At `at` (epoch milliseconds) `on` of `users` users had the version, or a newer one, on the device used last. */
export interface AdoptionPoint { at: number; on: number; users: number }
