/** Owns the shapes of tab *Apps*: the table of apps, one app's page, its sessions as they are filtered and drawn, and its way after a publish. */
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { App } from '../../../platform-api/app.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { Audience, PublishRecord } from '../../messaging/model/publishing.ts';
import type { AnalyticsSession } from '../../../platform-api/session.ts';
import type { OfApp } from '../../messaging/protocol.ts';

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

/** The table of apps, and which of them is looked at; the app chosen in the toolbar and here is the same. */
export interface AppsState {
  readonly view: Signal<AppsView>;
  readonly query: Signal<string>;
  readonly sort: ReadonlySignal<AppSort>;
  /** Those that are shown, in their order; also across openings of the panel. */
  readonly columns: ReadonlySignal<readonly AppColumn[]>;
  /** Those that have the words, in order; deleted ones apart. */
  readonly rows: ReadonlySignal<readonly App[]>;
  readonly deleted: ReadonlySignal<readonly App[]>;
  readonly selectedId: ReadonlySignal<number | null>;
  /** Null while none is chosen, or the chosen one is not in the list. */
  readonly selected: ReadonlySignal<App | null>;
  /** Of the chosen app; null while none is chosen. Another app or environment has another one, which has read nothing yet. */
  readonly page: ReadonlySignal<AppPage | null>;
  /** When the list was read, epoch milliseconds. */
  readonly loadedAt: ReadonlySignal<number | null>;
  /** Milliseconds that the platform's virtual clock was ahead of this machine's then; 0 where it has none. */
  readonly ahead: ReadonlySignal<number>;
  readonly isOnline: ReadonlySignal<boolean>;
  sortBy(column: AppColumn): void;
  /** Shows exactly these; the name is always one of them. */
  showColumns(columns: readonly AppColumn[]): void;
  select(appId: number): void;
  /** Selects it and goes to its page. */
  open(appId: number): void;
  refresh(): Promise<void>;
}

/** All that is known of one app, in the panel and in a browser tab. */
export interface AppPage {
  readonly of: OfApp;
  /** As the list of apps has it; null while that is not there, or does not have it. */
  readonly app: ReadonlySignal<App | null>;
  readonly sessions: Sessions;
  readonly adoption: Adoption;
  /** What was published from here, newest first. */
  readonly releases: ReadonlySignal<readonly PublishRecord[]>;
  /** Why those could not be read. */
  readonly releasesError: ReadonlySignal<ErrorValue | null>;
  /** By all sessions; null before they were read. */
  readonly audience: ReadonlySignal<Audience | null>;
  /** What the browser says; an installation on this machine is there all the same. */
  readonly isOnline: ReadonlySignal<boolean>;
  /** Also done by each refresh of the sessions. */
  loadReleases(): Promise<void>;
  dispose(): void;
}

/** One session, ready to be filtered and drawn. Texts are untrusted; `''` and null are what the platform did not tell. */
export interface SessionRow {
  id: number;
  email: string | null;
  /** `appVersion.currentVersion`. */
  version: number | null;
  /** By how many versions it lags the newest known one; null when either is not known. */
  behind: number | null;
  device: string;
  /** Family and major version, such as `iOS 26`. */
  os: string;
  /** Family and major version, such as `Chrome 156`. */
  browser: string;
  /** Epoch milliseconds; null where the date is absent or none. It may lie in the future. */
  lastAccess: number | null;
  /** `appVersion.localUpdatedAt`, epoch milliseconds: when this device came to its version. */
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
  | 'address';
export interface SessionSort {
  by: SessionColumn;
  descending: boolean;
}

/** Everything that is set has to match; null and `''` mean any. */
export interface SessionFilter {
  /** Words that all occur in user, device, system, browser or address. */
  query: string;
  /** `'none'`: version not known. */
  version: number | 'none' | null;
  /** This and the next two are families, whatever the version: one of the choices. */
  device: string | null;
  os: string | null;
  browser: string | null;
  /** Local days, `YYYY-MM-DD`, of the last access; both ends belong to it. */
  from: string;
  to: string;
  /** At least so many versions behind. */
  behind: number | null;
}

/** What can be chosen, most frequent first: of each the 200 most frequent. */
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

/** What the charts draw. Days are local midnights as epoch seconds, ascending, without gaps; arrays of values are as long as `days`. */
export interface SessionCharts {
  /** Sessions on each version, by `localUpdatedAt`: how many had come to it by that day. Newest version first; older ones than the eighth are one series. */
  versions: { days: number[]; series: { label: string; values: number[] }[] };
  /** Of the sessions that tell a version and when they came to it, how many per cent (0 to 100) had come to the newest by that day. */
  adoption: { days: number[]; version: number | null; percent: number[] };
  lastAccess: { days: number[]; counts: number[] };
  /** Families, most frequent first; beyond the eighth as one, *Others*; `''` where the platform tells none. */
  devices: Share[];
  browsers: Share[];
  /** Sessions that a chart over time leaves out: no date, one in the future, or, of the last access, one more than 400 days ago. */
  undated: { updated: number; lastAccess: number };
}

/** A user by the session used last. */
export interface BehindUser {
  key: string;
  email: string | null;
  version: number;
  behind: number;
  lastAccess: number | null;
}

/** The sessions of one app; read by the first `refresh`, in pieces. What was read before stays until all of the new is there. */
export interface Sessions {
  readonly state: ReadonlySignal<'idle' | 'loading' | 'ready' | 'failed' | 'cancelled'>;
  readonly error: ReadonlySignal<ErrorValue | null>;
  /** How many have been read while `loading`. */
  readonly loadedCount: ReadonlySignal<number>;
  /** When they were read, epoch milliseconds. */
  readonly loadedAt: ReadonlySignal<number | null>;
  /** The platform's time then, epoch milliseconds: this machine's, or that of a virtual clock. What is later is in the future. */
  readonly now: ReadonlySignal<number>;
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
  /** `paused` by the person, or while the page is hidden; `done` when all users have it, or after a day. */
  readonly state: ReadonlySignal<'idle' | 'watching' | 'paused' | 'done'>;
  /** Whether the platform is being asked right now. */
  readonly checking: ReadonlySignal<boolean>;
  /** Of the last question; the next one is asked all the same, later. */
  readonly error: ReadonlySignal<ErrorValue | null>;
  /** When it will be asked again, epoch milliseconds. */
  readonly nextCheckAt: ReadonlySignal<number | null>;
  watch(version: number): void;
  /** Asks at once. */
  check(): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): void;
  dispose(): void;
}
/** At `at` (epoch milliseconds) `on` of `users` users had the version, or a newer one, on the device used last. */
export interface AdoptionPoint {
  at: number;
  on: number;
  users: number;
}
