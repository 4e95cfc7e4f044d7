/**
 * Publishes releases. Stores the intent before the request and the outcome afterward, and never sends an intent twice.
 */
import type { App, Release } from '../../platform-api/index.ts';
import { audienceOf, CodedError, toErrorValue } from '../../platform-api/index.ts';
import { unreadableOf } from '../../platform-api/lists/unreadable.ts';
import { type Connection, listApps, NotSentError, publishRelease } from '../../rest/index.ts';
import { readUsage } from './app-usage.ts';
import {
  appChanged,
  appMissing,
  appUnreadable,
  blockedBy,
  canceledOutcome,
  environmentMoved,
  interruptedOutcome,
  notSent,
  publishMissing,
} from './publish-errors.ts';
import { isJump, judge, judgeResponse } from './publish-settle.ts';
import type { PublishStore } from './publish-store.ts';
import { NO_RELEASES, readReleases } from './releases.ts';
import type { SessionPages } from './session-pages.ts';
import type { KnownRelease, PublishOutcome, PublishPreview, PublishRecord } from '../messaging/model/publishing.ts';

export interface PublishOrder {
  /** Identifies the intent. Two orders with the same ID are the same intent. */
  id: string;
  environmentId: string;
  appId: number;
  appName: string;
  release: Release;
  /** The app as the user saw it. If it has changed since, the order is rejected with `APP_CHANGED`. */
  expected: KnownRelease;
}

export interface PublisherOptions {
  store: PublishStore;
  /** The stored connection of an environment. The browser must allow requests to its host. */
  connect(environmentId: string): Promise<Connection>;
  sessions: SessionPages;
  /** Called after a request that might have changed the platform. */
  onRequest(): void;
  /** Called with all records after every change. */
  onChange(records: readonly PublishRecord[]): Promise<void>;
}

/**
 * In milliseconds. Must be below the 30 seconds after which browsers stop a worker that is idle or waiting for a
 * response.
 */
const READ_TIMEOUT = 15_000;
const SEND_TIMEOUT = 25_000;

export class Publisher {
  readonly #options: PublisherOptions;
  /**
   * IDs of the releases that this worker is publishing. Any other record without an outcome comes from a worker that
   * was stopped.
   */
  readonly #running = new Set<string>();
  /** Outcomes that couldn’t be stored yet. */
  readonly #unstored = new Map<string, PublishOutcome>();
  /** Whether this worker has reported the records. The previous worker might have been stopped before it did. */
  #hasReported = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  async preview(
    { environmentId, appId }: { environmentId: string; appId: number },
    signal?: AbortSignal,
  ): Promise<PublishPreview> {
    const connection = await this.#options.connect(environmentId);
    const [app, usage, records] = await Promise.all([
      findApp(connection, appId, signal),
      readUsage(this.#options.sessions, connection, appId, signal),
      this.list(),
    ]);
    if (!app) throw appMissing();
    const known = app.version ?? lastPublishedVersion(records, connection.baseUrl, app);
    const version = known ?? usage.latest;
    return {
      appId,
      name: app.name,
      current: { version, updatedAt: app.updatedAt },
      isFromSessions: known === null && version !== null,
      audience: usage.users && audienceOf(usage.users, version),
      audienceError: usage.error,
    };
  }

  /**
   * Resolves when the intent is on disk. The request is sent afterward. If the intent is already stored, its record is
   * returned unchanged and nothing is sent.
   * @throws CodedError `PUBLISH_UNDER_WAY`, `PUBLISH_UNSETTLED`, `PUBLISH_UNSEEN`, `PUBLISHES_…`, or why there is no
   * connection
   */
  async start(order: PublishOrder): Promise<PublishRecord> {
    const connection = await this.#options.connect(order.environmentId);
    await this.list();
    const { id } = order;
    const record: PublishRecord = {
      ...order,
      baseUrl: connection.baseUrl,
      startedAt: Date.now(),
      sentAt: null,
      outcome: null,
      seen: false,
      told: false,
      discarded: false,
    };
    const isFirst = !this.#running.has(id);
    this.#running.add(id);
    const blocks = (other: PublishRecord): boolean =>
      comesFirst(other) && other.appId === order.appId && other.baseUrl === connection.baseUrl;
    const findBlocker = (others: readonly PublishRecord[]): PublishRecord | undefined =>
      others.find((other) => other.id === id) ?? others.find(blocks);
    let blocker: PublishRecord | undefined;
    try {
      blocker = await this.#options.store.begin(record, findBlocker);
    } catch (error) {
      if (isFirst) this.#running.delete(id);
      throw new CodedError(notSent(error), { cause: error });
    }
    if (!blocker) {
      // A failure to store the outcome leaves a record without one. The next list stores it.
      void this.#send(record, connection)
        .catch(() => {})
        .finally(() => this.#running.delete(id));
      return record;
    }
    if (isFirst) this.#running.delete(id);
    if (blocker.id === id) return blocker;
    throw blockedBy(blocker);
  }

  /** Newest first. Records left by a stopped worker get an outcome here and are never sent again. */
  async list(): Promise<PublishRecord[]> {
    const { store } = this.#options;
    const records = await store.list();
    const isInterrupted = ({ id, outcome }: PublishRecord): boolean => outcome === null && !this.#running.has(id);
    const interrupted = records.filter(isInterrupted);
    if (interrupted.length === 0 && this.#hasReported) return records;
    for (const { id } of interrupted)
      await store.change(id, (record) =>
        isInterrupted(record) ? { ...record, outcome: this.#unstored.get(id) ?? interruptedOutcome(record) } : record,
      );
    for (const { id } of interrupted) this.#unstored.delete(id);
    return this.#report();
  }

  /**
   * Checks the app again to determine an unknown outcome.
   * @throws CodedError `PUBLISH_GONE`, `ENVIRONMENT_MOVED`, or why the app can’t be read
   */
  async settle(id: string): Promise<PublishRecord> {
    const record = await this.#find(id);
    if (record.outcome?.state !== 'unknown') return record;
    const connection = await this.#options.connect(record.environmentId);
    if (connection.baseUrl !== record.baseUrl) throw environmentMoved(record.baseUrl);
    const app = await findApp(connection, record.appId);
    const { sessions, store } = this.#options;
    const latest = app?.version === null ? (await readUsage(sessions, connection, record.appId)).latest : null;
    const hasChanged = app && app.updatedAt !== record.expected.updatedAt;
    const releases = hasChanged ? await readReleases(connection, app, READ_TIMEOUT) : NO_RELEASES;
    const at = Date.now();
    const outcome = judge(record, { app, latest, releases }, at);
    // Once the clock was set back, how long ago the request was sent is unknown. It was no later than now.
    const sentAt = record.sentAt === null ? null : Math.min(record.sentAt, at);
    await store.change(id, (now) => (now.outcome?.state === 'unknown' ? { ...now, outcome, sentAt } : now));
    await this.#report();
    return this.#find(id);
  }

  /**
   * Ends a publish that wasn’t sent. The same transaction that marks a record as sent checks for an outcome, so a
   * canceled one is never sent.
   * @throws CodedError `PUBLISH_GONE`
   */
  async cancel(id: string): Promise<PublishRecord> {
    await this.#options.store.change(id, (record) =>
      record.outcome === null && record.sentAt === null ? { ...record, outcome: canceledOutcome(Date.now()) } : record,
    );
    await this.#report();
    return this.#find(id);
  }

  /** Dismisses an unknown outcome. @throws CodedError `PUBLISH_GONE` */
  async discard(id: string): Promise<PublishRecord> {
    const record = await this.#find(id);
    if (record.outcome?.state === 'unknown')
      await this.#options.store.change(id, (now) => ({ ...now, discarded: true, seen: true }));
    await this.#report();
    return this.#find(id);
  }

  async markSeen(ids: readonly string[]): Promise<void> {
    for (const id of ids)
      await this.#options.store.change(id, (record) => (record.outcome === null ? record : { ...record, seen: true }));
    await this.#report();
  }

  /** Removes all publish records of an environment. */
  async forget(environmentId: string): Promise<void> {
    await this.#options.store.forget(environmentId);
    await this.#report();
  }

  async #find(id: string): Promise<PublishRecord> {
    const record = (await this.list()).find((one) => one.id === id);
    if (!record) throw publishMissing();
    return record;
  }

  async #report(): Promise<PublishRecord[]> {
    const records = await this.#options.store.list();
    await this.#options.onChange(records);
    this.#hasReported = true;
    return records;
  }

  async #end(id: string, outcome: PublishOutcome): Promise<void> {
    this.#unstored.set(id, outcome);
    await this.#options.store.change(id, (record) => (isOpen(record) ? { ...record, outcome, seen: false } : record));
    this.#unstored.delete(id);
    await this.#report();
  }

  async #send(record: PublishRecord, connection: Connection): Promise<void> {
    const { id, appId, release } = record;
    try {
      if (!(await this.#prepare(record, connection))) return;
    } catch (error) {
      return this.#end(id, { state: 'failed', at: Date.now(), error: notSent(error) });
    }
    const request = { appId, release, idempotencyKey: id };
    const outcome = await publishRelease(connection, request, { timeoutMs: SEND_TIMEOUT }).then(
      async ({ version, updatedAt }): Promise<PublishOutcome> => {
        const app = { version, updatedAt };
        const published = { state: 'published', at: Date.now(), settled: false, app } as const;
        if (!isJump(record, app)) return published;
        return judgeResponse(
          record,
          published,
          await readReleases(connection, { id: appId, releases: null }, READ_TIMEOUT),
        );
      },
      (thrown: unknown): PublishOutcome => {
        const error = toErrorValue(thrown);
        if (error.code === 'OUTCOME_UNKNOWN') return { state: 'unknown', at: Date.now(), error };
        return { state: 'failed', at: Date.now(), error: thrown instanceof NotSentError ? notSent(thrown) : error };
      },
    );
    this.#options.onRequest();
    await this.#end(id, outcome);
  }

  /** Checks the app once more and marks the record as sent. Returns false if the record already has an outcome. */
  async #prepare({ id, appId, expected }: PublishRecord, connection: Connection): Promise<boolean> {
    const app = await findApp(connection, appId);
    if (!app) throw appMissing();
    const hasOtherVersion = app.version !== null && app.version !== expected.version;
    if (app.updatedAt !== expected.updatedAt || hasOtherVersion) throw appChanged(app);
    // Reporting calls a browser API, which also extends the worker’s lifetime by 30 seconds.
    await this.#report();
    // One transaction checks the outcome and marks the record, so that a publish reported as not sent is never sent.
    const marked = await this.#options.store.change(id, (record) =>
      record.outcome === null ? { ...record, sentAt: Date.now() } : record,
    );
    return marked !== undefined && marked.outcome === null;
  }
}

const isOpen = ({ outcome, discarded }: PublishRecord): boolean =>
  outcome === null || (outcome.state === 'unknown' && !discarded);

/**
 * Unseen outcomes block publishing, too. Otherwise, a user who doesn’t know about a published update might publish it
 * again.
 */
const comesFirst = (record: PublishRecord): boolean =>
  isOpen(record) || (record.outcome?.state === 'published' && !record.seen);

/** The version that was last published here, provided that the app hasn’t changed since. */
function lastPublishedVersion(
  records: readonly PublishRecord[],
  baseUrl: string,
  { id, updatedAt }: App,
): number | null {
  for (const record of records) {
    if (record.baseUrl === baseUrl && record.appId === id && record.outcome?.state === 'published')
      return record.outcome.app.updatedAt === updatedAt ? record.outcome.app.version : null;
  }
  return null;
}

/**
 * Undefined if the platform doesn’t list it.
 * @throws CodedError `ANSWER_INVALID` if it’s listed and can’t be read, or if another item might be it
 */
async function findApp(connection: Connection, appId: number, signal?: AbortSignal): Promise<App | undefined> {
  const apps = await listApps(connection, { timeoutMs: READ_TIMEOUT, signal });
  const found = apps.find(({ id }) => id === appId);
  const unreadable = unreadableOf(apps).find(({ id }) => id === appId || (id === null && !found));
  if (unreadable) throw appUnreadable(unreadable);
  return found;
}
