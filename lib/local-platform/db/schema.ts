/** Defines the platform’s tables. `drizzle-kit` derives the migrations from this file. */
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from './drizzle.ts';
import { MENTIONS_ANALYTICS } from './predicates.ts';
import type { AnalyticsSession, PublishedAction, ReleaseType, Trigger } from '../../platform-api/index.ts';
import type { RunOutcome, RunRequest } from '../jobs/types.ts';
import type { MissingRecording } from '../runner/recording.ts';

// `json`, not `jsonb`: it keeps the order of keys, and `set-context` assigns in order.
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
const id = () => integer().primaryKey().generatedByDefaultAsIdentity();
const time = () => timestamp({ withTimezone: true, precision: 3 });
const created = () => time().notNull().defaultNow();

export const organizations = pgTable('organizations', { id: id(), name: text().notNull() });

export const users = pgTable('users', {
  id: id(),
  email: text().notNull().unique(),
  organizationId: integer()
    .notNull()
    .references(() => organizations.id),
});

/** Tokens are stored only as SHA-256 digests. */
export const authTokens = pgTable('auth_tokens', {
  id: id(),
  digest: text().notNull().unique(),
  userId: integer()
    .notNull()
    .references(() => users.id),
  createdAt: created(),
  revokedAt: time(),
});

/** Unused tokens that open one page each. Only digests are stored. */
export const oneTimeTokens = pgTable('one_time_tokens', {
  digest: text().primaryKey(),
  /** The user’s token that requested it. */
  tokenId: integer()
    .notNull()
    .references(() => authTokens.id),
  appId: integer()
    .notNull()
    .references(() => apps.id),
  /** The page’s path and query. */
  path: text().notNull(),
  expiresAt: time().notNull(),
});

/** Keys that the platform generated, such as the one for signing page tokens. */
export const secrets = pgTable('secrets', { name: text().primaryKey(), value: text().notNull() });

export const apps = pgTable('apps', {
  id: id(),
  name: text().notNull(),
  icon: text().notNull().default(''),
  version: integer(),
  createdAt: created(),
  updatedAt: created(),
  deletedAt: time(),
  organizationId: integer()
    .notNull()
    .references(() => organizations.id),
  startingPageId: integer(),
  productionAppId: integer(),
});

/** Which users can see and change which apps. */
export const appUsers = pgTable(
  'app_users',
  {
    appRoleId: integer().notNull(),
    appId: integer()
      .notNull()
      .references(() => apps.id),
    userId: integer()
      .notNull()
      .references(() => users.id),
  },
  (t) => [primaryKey({ columns: [t.userId, t.appId] })],
);

export const releases = pgTable(
  'releases',
  {
    id: id(),
    appId: integer()
      .notNull()
      .references(() => apps.id),
    version: integer().notNull(),
    type: text().$type<ReleaseType>().notNull(),
    changelog: text().notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id),
    createdAt: created(),
  },
  (t) => [unique().on(t.appId, t.version)],
);

/**
 * The result of the change that was made with each `Idempotency-Key`, for repeated requests. `request` is a digest.
 * Keys are per `owner`: a token, or a token of one app.
 */
export const requestKeys = pgTable(
  'request_keys',
  {
    owner: text().notNull(),
    key: text().notNull(),
    request: text().notNull(),
    result: json(),
    createdAt: created(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.key] })],
);

/** What only a V3 action has. */
export interface ProgramV3 {
  actionVersion: 'v3';
  code: string;
  description: string | null;
  dependencies: string[];
}
export type PublishedCopy = PublishedAction & { name: string } & Partial<ProgramV3>;

export const actions = pgTable(
  'actions',
  {
    id: id(),
    appId: integer()
      .notNull()
      .references(() => apps.id),
    pageId: integer(),
    name: text().notNull(),
    active: boolean().notNull().default(true),
    frequency: text(),
    timezone: text(),
    environment: text().$type<'server' | 'client' | 'any'>().notNull().default('any'),
    triggers: json().$type<Trigger[]>().notNull(),
    /** Empty for V3 actions, which have `code`. */
    functions: json().$type<unknown[]>().notNull(),
    actionVersion: text().$type<'v2' | 'v3'>().notNull().default('v2'),
    /** This and the next two columns: only of V3 actions. */
    code: text(),
    description: text(),
    dependencies: json().$type<string[]>(),
    lastRunAt: time(),
    /** The next time the published copy’s schedule is due. Null without a schedule. */
    nextRunAt: time(),
    /**
     * The copy that live apps, schedules, and log triggers run. Null if unpublished. The other columns are the working
     * copy.
     */
    published: json().$type<PublishedCopy>(),
    publishedAt: time(),
    /** Each log trigger’s `where` filter, if the published copy is active. Null without log triggers. */
    listensTo: json().$type<Record<string, unknown>[]>(),
    /** Incremented by every change to the working copy. */
    revision: integer().notNull().default(1),
    createdAt: created(),
    updatedAt: created(),
  },
  (t) => [
    unique().on(t.appId, t.name),
    uniqueIndex('actions_published_name').on(t.appId, sql`(published ->> 'name')`),
    index()
      .on(t.nextRunAt)
      .where(sql`next_run_at is not null`),
    index()
      .on(t.appId)
      .where(sql`listens_to is not null`),
    index().on(t.appId, t.actionVersion, t.id),
    index('actions_analytics').on(t.appId).where(MENTIONS_ANALYTICS),
  ],
);

/** How often the V3 actions of an app have run within the current minute. */
export const runRates = pgTable('run_rates', {
  appId: integer()
    .primaryKey()
    .references(() => apps.id),
  /** When the minute began. */
  minute: time().notNull(),
  runs: integer().notNull(),
});

/**
 * Versions of each action’s working copy, including the current one. `apps/actions/revisions` limits how many are kept.
 * `change`, `changed`, and `author` are null for a version from before this table existed.
 */
export const actionRevisions = pgTable(
  'action_revisions',
  {
    actionId: integer()
      .notNull()
      .references(() => actions.id, { onDelete: 'cascade' }),
    revision: integer().notNull(),
    copy: json().$type<PublishedCopy>().notNull(),
    change: text().$type<'create' | 'update' | 'restore'>(),
    /** The fields that differ from the version before. */
    changed: json().$type<string[]>(),
    /** The version that a restore copied. */
    restored: integer(),
    author: text().$type<'user' | 'page' | 'run'>(),
    /** Null for a run, which has no user. */
    userId: integer().references(() => users.id),
    createdAt: created(),
  },
  (t) => [primaryKey({ columns: [t.actionId, t.revision] })],
);

/** A `package` is a script that the platform serves, by name and version. Its `source` is empty. */
export type ScreenAsset = { name: string; kind: 'script' | 'style' | 'image' | 'package'; source: string };

/** Screens that actions can target. `published` is the live app’s version, as of the app’s last publish. */
export const screens = pgTable(
  'screens',
  {
    id: id(),
    appId: integer()
      .notNull()
      .references(() => apps.id),
    title: text().notNull(),
    assets: json().$type<ScreenAsset[]>().notNull(),
    published: json().$type<ScreenAsset[]>(),
  },
  (t) => [index().on(t.appId)],
);

/**
 * Every run that was queued or was started in a page. `request` includes the pipeline, since the action can be removed.
 */
export const runs = pgTable(
  'runs',
  {
    id: uuid().primaryKey().defaultRandom(),
    appId: integer()
      .notNull()
      .references(() => apps.id),
    actionId: integer().notNull(),
    /** `page`: the page that fired the run also executes it and reports the outcome. */
    runsOn: text('place').$type<'server' | 'page'>().notNull().default('server'),
    request: json().$type<RunRequest>().notNull(),
    state: text().$type<'queued' | 'running' | 'completed' | 'failed'>().notNull().default('queued'),
    attempts: integer().notNull().default(0),
    outcome: json().$type<RunOutcome>(),
    queuedAt: created(),
    startedAt: time(),
    endedAt: time(),
  },
  (t) => [
    index()
      .on(t.queuedAt)
      .where(sql`state in ('queued', 'running')`),
  ],
);

export const dataSources = pgTable('data_sources', {
  id: id(),
  appId: integer()
    .notNull()
    .references(() => apps.id),
  name: text().notNull(),
  columns: json().$type<string[]>().notNull(),
  createdAt: created(),
  updatedAt: created(),
});

/** The total size of an app’s data sources. `bytes` is the size as JSON. A database trigger updates the row. */
export const dataUsage = pgTable('data_usage', {
  appId: integer().primaryKey(),
  entries: bigint({ mode: 'number' }).notNull(),
  bytes: bigint({ mode: 'number' }).notNull(),
});

export const dataSourceEntries = pgTable(
  'data_source_entries',
  {
    id: id(),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id),
    data: json().$type<Record<string, unknown>>().notNull(),
    createdAt: created(),
    updatedAt: created(),
  },
  (t) => [index().on(t.dataSourceId, t.id)],
);

/** Sessions as stored. `apps/sessions` derives their state after later releases. */
export const analyticsSessions = pgTable(
  'analytics_sessions',
  {
    id: id(),
    appId: integer()
      .notNull()
      .references(() => apps.id),
    identifier: json().$type<AnalyticsSession['identifier']>().notNull(),
    lastAccessedAt: time().notNull(),
    userEmail: text(),
    appVersion: json().$type<AnalyticsSession['appVersion']>().notNull(),
    /**
     * The app’s latest version when the session was stored: only later releases affect it. Null: the latest version
     * that the device reported.
     */
    recordedVersion: integer(),
  },
  (t) => [index().on(t.appId, t.id)],
);

/** The specification’s log records ("Trigger context", "Action log record"). */
export const logs = pgTable(
  'logs',
  {
    id: id(),
    appId: integer()
      .notNull()
      .references(() => apps.id),
    organizationId: integer()
      .notNull()
      .references(() => organizations.id),
    dataSourceId: integer(),
    dataSourceEntryId: integer(),
    appNotificationId: integer(),
    sessionId: integer(),
    type: text().notNull(),
    data: json().$type<Record<string, unknown>>().notNull(),
    /** `data` as `where.data` searches it. Null if it isn’t valid as `jsonb`: old versions stored such records. */
    searchData: jsonb().generatedAlwaysAs(sql`searchable(data)`),
    /** `data.actionId`, if present. */
    actionId: integer(),
    createdAt: created(),
  },
  (t) => [
    index().on(t.appId, t.type, t.id),
    index().on(t.appId, t.actionId, t.type, t.id),
    index().on(t.appId, t.createdAt),
    ...[t.dataSourceId, t.dataSourceEntryId, t.appNotificationId, t.sessionId].map((column) =>
      index()
        .on(t.appId, column)
        .where(sql`${column} is not null`),
    ),
    index('logs_search_data')
      .using('gin', sql`search_data jsonb_path_ops`)
      .with({ fastupdate: false }),
  ],
);

/**
 * Log record counts, updated by a database trigger, so that counting never reads a million rows. Each connection has a
 * separate slot, so that concurrent writes don’t wait for each other.
 */
export const logCounts = pgTable(
  'log_counts',
  {
    appId: integer().notNull(),
    /** 0 if the records have no action. */
    actionId: integer().notNull(),
    type: text().notNull(),
    slot: integer().notNull(),
    count: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.appId, t.actionId, t.type, t.slot] })],
);

/**
 * The size of each app’s log, updated by the same database trigger, in as many slots. `bytes` is the size of `data` as
 * JSON.
 */
export const logUsage = pgTable(
  'log_usage',
  {
    appId: integer().notNull(),
    slot: integer().notNull(),
    records: bigint({ mode: 'number' }).notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.appId, t.slot] })],
);

/** Recordings of server runs, each with the run’s log record. `recordings` limits how many are stored. */
export const recordings = pgTable(
  'recordings',
  {
    logId: integer()
      .primaryKey()
      .references(() => logs.id, { onDelete: 'cascade' }),
    appId: integer()
      .notNull()
      .references(() => apps.id),
    /** Compressed JSON. Null if the run should have a recording, but has none. */
    content: bytes(),
    /** Why there is no content. */
    missing: text().$type<MissingRecording>(),
    /** Bytes of `content`. */
    size: integer().notNull(),
    expiresAt: time().notNull(),
  },
  (t) => [index().on(t.appId, t.logId), index().on(t.expiresAt)],
);

/** Messages that actions sent. `delivery` is `kept` (only stored here), `sent` (by SMTP), or `failed` (see `error`). */
export const outbox = pgTable(
  'outbox',
  {
    id: id(),
    appId: integer()
      .notNull()
      .references(() => apps.id),
    kind: text().$type<'email' | 'notification'>().notNull(),
    message: json().$type<Record<string, string>>().notNull(),
    delivery: text().$type<'kept' | 'sent' | 'failed'>().notNull().default('kept'),
    error: text(),
    createdAt: created(),
  },
  (t) => [index().on(t.appId, t.id)],
);
