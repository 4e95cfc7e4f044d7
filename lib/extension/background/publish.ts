/** Owns publishing: an intent before the request, an outcome after it, and never a second request for the same intent. */
import type {
  App,
  AppUse,
  ErrorValue,
  KnownRelease,
  PublishOutcome,
  PublishPreview,
  PublishRecord,
  Release,
} from '../../platform-api/index.ts';
import { CodedError, audienceOf, latestVersion, toErrorValue, usersOf } from '../../platform-api/index.ts';
import type { Connection } from '../../rest/index.ts';
import { listApps, publishRelease, readClock } from '../../rest/index.ts';
import { readSessions } from '../panel/apps/read-sessions.ts';
import { judge } from './publish-settle.ts';
import type { PublishStore } from './publish-store.ts';
import type { SessionPieces } from './sessions.ts';

export interface PublishOrder {
  /** Of the intent, by whoever orders it: the same order twice is one. */
  id: string;
  environmentId: string;
  appId: number;
  appName: string;
  release: Release;
  /** As the person saw the app: refused with `APP_CHANGED` when it is another by now. */
  expected: KnownRelease;
}

export interface PublishingParts {
  store: PublishStore;
  /** The stored connection of an environment that may be asked. */
  connect(environmentId: string): Promise<Connection>;
  sessions: SessionPieces;
  /** Called after a request that may have changed the platform. */
  changed(): void;
  /** Called with all records after each change of one. */
  show(records: readonly PublishRecord[]): Promise<void>;
}

export interface Publishing {
  preview(takes: { environmentId: string; appId: number }, signal?: AbortSignal): Promise<PublishPreview>;
  /**
   * Answers as soon as the intent is on disk; the rest goes on by itself and ends in its outcome. An intent that is there is answered
   * as it is, and nothing is sent.
   * @throws CodedError `PUBLISH_UNDER_WAY`, `PUBLISH_UNSETTLED`, `PUBLISH_UNSEEN`, `PUBLISHES_…`, or why the environment cannot be asked
   */
  start(order: PublishOrder): Promise<PublishRecord>;
  /** Newest first. */
  list(): Promise<PublishRecord[]>;
  /** Reads the app again for a publish of unknown outcome. @throws CodedError `PUBLISH_GONE`, `ENVIRONMENT_MOVED`, or why the app cannot be read */
  settle(id: string): Promise<PublishRecord>;
  /** The person no longer waits for an unknown outcome. @throws CodedError `PUBLISH_GONE` */
  discard(id: string): Promise<PublishRecord>;
  seen(ids: readonly string[]): Promise<void>;
  /** Removes all of an environment. */
  forget(environmentId: string): Promise<void>;
}

/** Below the 30 seconds after which a browser ends a worker that waits for an answer, or idles. */
const READ_LIMIT = 15_000;
const SEND_LIMIT = 25_000;
/** Of a platform that does not tell its time so soon it is this machine's. */
const CLOCK_LIMIT = 5_000;

export function createPublishing({ store, connect, sessions, changed, show }: PublishingParts): Publishing {
  /** What this worker is at. A record without an outcome that is not in here was left by a worker that is gone. */
  const underWay = new Set<string>();
  /** Whether this worker has shown the records: the one before may have been killed before it did. */
  let hasShown = false;

  /** Every record, after those that a killed worker left have got their outcome: nothing of them is ever sent again. */
  async function recovered(): Promise<PublishRecord[]> {
    const records = await store.list();
    const left = records.filter(({ id, outcome }) => outcome === null && !underWay.has(id));
    if (left.length === 0 && hasShown) return records;
    for (const { id } of left)
      await store.change(id, (record) =>
        record.outcome === null && !underWay.has(id) ? { ...record, outcome: leftBehind(record) } : record,
      );
    return showAll();
  }

  async function showAll(): Promise<PublishRecord[]> {
    const records = await store.list();
    await show(records);
    hasShown = true;
    return records;
  }

  async function end(id: string, outcome: PublishOutcome): Promise<void> {
    await store.change(id, (record) => (isOpen(record) ? { ...record, outcome, seen: false } : record));
    await showAll();
  }

  async function send({ id, appId, release, expected }: PublishRecord, connection: Connection): Promise<void> {
    try {
      const app = (await listApps(connection, { timeoutMs: READ_LIMIT })).find((one) => one.id === appId);
      if (!app) throw gone();
      if (app.updatedAt !== expected.updatedAt || (app.version !== null && app.version !== expected.version))
        throw changedMeanwhile(app);
      // Also a call of the browser's API, which gives the worker another 30 seconds.
      await showAll();
      // In one transaction with the look at its outcome: what was told as not sent stays unsent, whoever told it.
      const mine = await store.change(id, (record) =>
        record.outcome === null ? { ...record, sentAt: Date.now() } : record,
      );
      if (!mine || mine.outcome) return;
    } catch (error) {
      return end(id, { state: 'failed', at: Date.now(), error: toErrorValue(error) });
    }
    const outcome = await publishRelease(
      connection,
      { appId, release, idempotencyKey: id },
      { timeoutMs: SEND_LIMIT },
    ).then(
      ({ version, updatedAt }): PublishOutcome => ({
        state: 'published',
        at: Date.now(),
        settled: false,
        app: { version, updatedAt },
      }),
      (thrown: unknown): PublishOutcome => {
        const error = toErrorValue(thrown);
        return { state: error.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed', at: Date.now(), error };
      },
    );
    changed();
    await end(id, outcome);
  }

  async function find(id: string): Promise<PublishRecord> {
    const record = (await recovered()).find((one) => one.id === id);
    if (!record)
      throw new CodedError({
        code: 'PUBLISH_GONE',
        message: 'This publish is no longer kept.',
        hint: 'Look at the app’s version instead.',
      });
    return record;
  }

  /** What the sessions tell of an app's users and of its newest version; without them, why they cannot be had. */
  async function hear(
    connection: Connection,
    appId: number,
    signal?: AbortSignal,
  ): Promise<{ users: Map<string, AppUse> | null; latest: number | null; error: ErrorValue | null }> {
    const heard = { users: new Map<string, AppUse>(), latest: null as number | null };
    const end = Date.now() + READ_LIMIT;
    const time = readClock(connection, { timeoutMs: CLOCK_LIMIT, signal }).then(
      (clock) => (clock.virtual ? Date.parse(clock.now) : Date.now()),
      () => Date.now(),
    );
    const answer = await readSessions(
      (piece) =>
        sessions.list(connection, { appId, ...piece }, { timeoutMs: Math.max(1, end - Date.now()), signal }).then(
          (value) => ({ ok: true, value }),
          (error: unknown) => ({ ok: false, error: toErrorValue(error) }),
        ),
      time,
      (piece, now) => {
        usersOf(piece, now, heard.users);
        const newest = latestVersion(piece);
        if (newest !== null && (heard.latest === null || newest > heard.latest)) heard.latest = newest;
        return true;
      },
    );
    return answer?.ok === false ? { users: null, latest: null, error: answer.error } : { ...heard, error: null };
  }

  return {
    async preview({ environmentId, appId }, signal) {
      const connection = await connect(environmentId);
      const [apps, heard, own] = await Promise.all([
        listApps(connection, { timeoutMs: READ_LIMIT, signal }),
        hear(connection, appId, signal),
        recovered(),
      ]);
      const app = apps.find((one) => one.id === appId);
      if (!app) throw gone();
      const current = {
        version: app.version ?? lastOwn(own, connection.baseUrl, app) ?? heard.latest,
        updatedAt: app.updatedAt,
      };
      return {
        appId,
        name: app.name,
        current,
        audience: heard.users && audienceOf(heard.users, current.version),
        audienceError: heard.error,
      };
    },

    async start(order) {
      const connection = await connect(order.environmentId);
      await recovered();
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
      const isFirst = !underWay.has(id);
      underWay.add(id);
      const inTheWay = (others: readonly PublishRecord[]) =>
        others.find((other) => other.id === id) ??
        others.find(
          (other) => comesFirst(other) && other.appId === order.appId && other.baseUrl === connection.baseUrl,
        );
      const found = await store.begin(record, inTheWay).catch((error: unknown) => {
        if (isFirst) underWay.delete(id);
        throw error;
      });
      if (found) {
        if (isFirst) underWay.delete(id);
        if (found.id === id) return found;
        throw refused(found);
      }
      // What fails here is found without an outcome, and told as unknown.
      void send(record, connection)
        .catch(() => {})
        .finally(() => underWay.delete(id));
      return record;
    },

    list: recovered,

    async settle(id) {
      const record = await find(id);
      if (record.outcome?.state !== 'unknown') return record;
      const connection = await connect(record.environmentId);
      if (connection.baseUrl !== record.baseUrl)
        throw new CodedError({
          code: 'ENVIRONMENT_MOVED',
          message: `It was sent to ${record.baseUrl}; the environment has another address now.`,
          hint: 'Look at the app there.',
        });
      const app = (await listApps(connection, { timeoutMs: READ_LIMIT })).find((one) => one.id === record.appId);
      const latest = app?.version === null ? (await hear(connection, record.appId)).latest : null;
      const outcome = judge(record, app, latest, Date.now());
      await store.change(id, (now) => (now.outcome?.state === 'unknown' ? { ...now, outcome } : now));
      await showAll();
      return find(id);
    },

    async discard(id) {
      const record = await find(id);
      if (record.outcome?.state === 'unknown')
        await store.change(id, (now) => ({ ...now, discarded: true, seen: true }));
      await showAll();
      return find(id);
    },

    async seen(ids) {
      for (const id of ids)
        await store.change(id, (record) => (record.outcome === null ? record : { ...record, seen: true }));
      await showAll();
    },

    async forget(environmentId) {
      await store.forget(environmentId);
      await showAll();
    },
  };
}

const isOpen = ({ outcome, discarded }: PublishRecord): boolean =>
  outcome === null || (outcome.state === 'unknown' && !discarded);

/** An outcome that the person has not seen counts too: who does not know that it was published must not publish it again. */
const comesFirst = (record: PublishRecord): boolean =>
  isOpen(record) || (record.outcome?.state === 'published' && !record.seen);

function leftBehind({ sentAt }: PublishRecord): PublishOutcome {
  const at = Date.now();
  if (sentAt === null)
    return {
      state: 'failed',
      at,
      error: {
        code: 'PUBLISH_NOT_SENT',
        message: 'The browser stopped the extension before anything was sent: nothing was published.',
        hint: 'Publish it again.',
      },
    };
  return {
    state: 'unknown',
    at,
    error: {
      code: 'OUTCOME_UNKNOWN',
      message:
        'The browser stopped the extension before the platform had answered, so it is not known whether the update was published.',
      hint: 'Look again: the app’s version and time of change tell.',
    },
  };
}

/** The version that was published from here last, as long as the app has not changed since. */
function lastOwn(records: readonly PublishRecord[], baseUrl: string, { id, updatedAt }: App): number | null {
  for (const record of records) {
    if (record.baseUrl === baseUrl && record.appId === id && record.outcome?.state === 'published')
      return record.outcome.app.updatedAt === updatedAt ? record.outcome.app.version : null;
  }
  return null;
}

const gone = (): CodedError =>
  new CodedError({
    code: 'NOT_FOUND',
    message: 'The app is not in the list of apps any more, or the token has no access to it.',
    hint: 'Choose another app.',
  });

const changedMeanwhile = ({ version, updatedAt }: App): CodedError =>
  new CodedError({
    code: 'APP_CHANGED',
    message: `The app was changed meanwhile, at ${updatedAt}${version === null ? '' : `: it is at version ${version}`}. Nothing was sent.`,
    hint: 'Look at what is there now, then publish again if you still want to.',
  });

function refused(record: PublishRecord): CodedError {
  if (record.outcome === null)
    return new CodedError({
      code: 'PUBLISH_UNDER_WAY',
      message: `An update of ${record.appName} is being published already. Nothing was sent.`,
      hint: 'Wait for its outcome.',
    });
  if (record.outcome.state === 'published')
    return new CodedError({
      code: 'PUBLISH_UNSEEN',
      message: `The last update of ${record.appName} was published meanwhile. Nothing was sent.`,
      hint: 'Look at it, then publish again if you still want to.',
    });
  return new CodedError({
    code: 'PUBLISH_UNSETTLED',
    message: `It is not known yet whether the last update of ${record.appName} was published. Nothing was sent.`,
    hint: 'Look again, or let that one go, and then publish.',
  });
}
