/** Defines every message between the extension’s pages and its background worker. */
import type {
  Action,
  ActionChange,
  ActionRevision,
  AnalyticsSession,
  App,
  AppPage,
  ClockMoved,
  ClockState,
  DataSource,
  FullRevision,
  FunctionDescriptor,
  LogList,
  LogQueryInput,
  LogRecord,
  Mock,
  NewAction,
  NewLog,
  Release,
  Result,
  Trigger,
} from '../../platform-api/index.ts';
import type { ActionV3, ActionV3List } from '../../platform-api/actions-v3/record.ts';
import type { RefusedMessages } from './model/refusals.ts';
import type { Environment, EnvironmentInput, TestedConnection } from './model/environment.ts';
import type { UnlockedProduction } from './model/guard.ts';
import type { ImportOutcome, ImportPreview, VaultState } from './model/lock.ts';
import type { KnownRelease, PublishPreview, PublishRecord } from './model/publishing.ts';

/** Extension pages that can send messages. */
export type Surface = 'options' | 'panel' | 'popup' | 'app';

export interface OfApp {
  environmentId: string;
  appId: number;
}
export interface OfAction extends OfApp {
  actionId: number;
}
/** `tokenInLog`: the tab's request carries the environment's token, so the tab's network log has it. */
export interface OpenedPage {
  url: string;
  tokenInLog: boolean;
}
/** What fires a V3 action. */
export interface FiringV3 {
  active: boolean;
  triggers: Trigger[];
  frequency: string | null;
  timezone: string | null;
}
/** All properties of a V3 action. Drafts never fire. */
export interface NewDraftV3 extends FiringV3 {
  name: string;
  code: string;
  description: string | null;
  active: false;
  environment: 'server' | 'client' | 'any';
  dependencies: string[];
}
interface RunOptions {
  payload: Record<string, unknown>;
  mocks?: readonly Mock[] | undefined;
  record?: boolean | undefined;
}

/**
 * Each message’s request and response. Responses never contain tokens. Requests beyond the specification fail with
 * `ENDPOINT_MISSING` on a platform that offers nothing beyond it: those about actions, logs, functions, data sources,
 * the clock, and pages other than debug pages.
 */
export interface Messages {
  'environments.list': { takes: undefined; answers: Environment[] };
  'environments.save': { takes: EnvironmentInput; answers: Environment };
  /** The environment and its token are removed, and the publish history unless its database fails. */
  'environments.remove': { takes: { id: string }; answers: { isHistoryRemoved: boolean } };
  /** Revokes access to this base URL unless a stored environment needs it. */
  'access.release': { takes: { baseUrl: string }; answers: null };
  /** Lists the apps, using the stored token or an unsaved `draft`. */
  'environments.test': {
    takes: { id: string } | { draft: EnvironmentInput };
    answers: TestedConnection;
  };
  /** Fails with `LOCAL_PLATFORM_NOT_FOUND` unless one runs on this computer, on this port. Sends no token. */
  'localPlatform.find': { takes: { port: number }; answers: { baseUrl: string } };
  'apps.list': { takes: { environmentId: string }; answers: App[] };
  /** A page of an app’s sessions, ordered by ID. The list can change between pages, so callers merge pages by ID. */
  'sessions.list': { takes: OfApp & { limit: number; offset: number }; answers: AnalyticsSession[] };
  'functions.list': { takes: { environmentId: string }; answers: FunctionDescriptor[] };
  'dataSources.list': { takes: OfApp; answers: DataSource[] };
  /** Returns all actions, or with `limit` one page of them, ordered by ID. */
  'actions.list': { takes: OfApp & { limit?: number | undefined; offset?: number | undefined }; answers: Action[] };
  'actions.create': { takes: OfApp & { action: NewAction }; answers: Action };
  /** Fails with `CONFLICT` if the action’s revision is no longer `change.revision`. */
  'actions.update': { takes: OfAction & { change: ActionChange }; answers: Action };
  'actions.remove': { takes: OfAction; answers: null };
  /** Fails with `CONFLICT` if the action’s revision is no longer `revision`. */
  'actions.publish': { takes: OfAction & { publish: boolean; revision?: number | undefined }; answers: Action };
  /** The versions of an action that the platform stores, newest first. Only local platforms have them. */
  'actions.revisions': { takes: OfAction; answers: ActionRevision[] };
  'actions.revision': { takes: OfAction & { revision: number }; answers: FullRevision };
  /** Fails with `CONFLICT` if the action’s revision is no longer `expected`. */
  'actions.restore': { takes: OfAction & { revision: number; expected?: number | undefined }; answers: Action };
  /**
   * Resolves when the run is queued. Only local platforms take mocks: they apply to the working copy. Others fail with
   * `MOCKS_UNSUPPORTED`, without running anything. `record` also records a run that completes.
   */
  'actions.run': { takes: OfAction & RunOptions; answers: { runId: string } };
  /** If the run fails, returns an error with its `failure`. `milliseconds` includes the request. */
  'actions.runWithResult': {
    takes: OfAction & RunOptions;
    answers: { result: unknown; milliseconds: number };
  };
  /** Master copies of V3 actions, ordered by ID. */
  'actionsV3.list': { takes: OfApp & { limit: number; offset: number }; answers: ActionV3List };
  /** The master copy, and the production copy or null. Null if the app doesn’t have the action. */
  'actionsV3.get': { takes: OfAction; answers: { action: ActionV3; live: ActionV3 | null } | null };
  /** Creates an inactive action. */
  'actionsV3.create': { takes: OfApp & { action: NewDraftV3 }; answers: ActionV3 };
  /** Changes what fires the master copy. Fails with `CONFLICT` if its revision is no longer `revision`. */
  'actionsV3.update': {
    takes: OfAction & { change: FiringV3; revision?: number | undefined };
    answers: ActionV3;
  };
  /** Resolves with the production copy. Fails with `CONFLICT` if the action’s revision is no longer `revision`. */
  'actionsV3.publish': { takes: OfAction & { revision?: number | undefined }; answers: ActionV3 };
  'actionsV3.unpublish': { takes: OfAction; answers: null };
  'actionsV3.remove': { takes: OfAction; answers: null };
  /** Resolves when a run of the production copy is queued. */
  'actionsV3.run': { takes: OfAction & { payload: Record<string, unknown> }; answers: { runId: string } };
  /** Newest first. */
  'logs.list': { takes: OfApp & { query: LogQueryInput }; answers: LogList };
  'logs.create': { takes: OfApp & { log: NewLog }; answers: LogRecord };
  /** The recording of a log record’s run, as JSON. Fails with `NOT_FOUND`, which says why, if there is none. */
  'logs.recording': { takes: OfApp & { logId: number }; answers: { text: string } };
  /**
   * Masks the stored tokens in texts. Returns the index and the masked text of those that have one. Fails with
   * `VAULT_LOCKED` if the worker can’t read the tokens.
   */
  'secrets.mask': { takes: { texts: string[] }; answers: { masked: [index: number, text: string][] } };
  'clock.get': { takes: { environmentId: string }; answers: ClockState };
  /** Moves the virtual clock to a time, and runs everything scheduled until then. */
  'clock.move': { takes: { environmentId: string; to: string }; answers: ClockMoved };
  /**
   * Opens the debug page in tab `tabId`, with the token in that navigation’s header. First requests the page once, so
   * that failures (401, 404, a response that isn’t HTML, or a platform that’s down or slow) are reported before the tab
   * navigates.
   */
  'debugPage.open': {
    takes: {
      environmentId: string;
      tabId: number;
      appId: number;
      taskId: number;
      /** Navigates to about:blank first, because a busy page can block navigation within its own site. */
      leaveFirst?: boolean | undefined;
      /** JSON text for the URL's parameter. */
      payload?: string | undefined;
    };
    answers: OpenedPage;
  };
  /**
   * Adds the token to the next load of the debug page in tab `tabId`, so that the panel can call
   * `inspectedWindow.reload`. Without it, a reload fails with 401. Resolves once the rule is set.
   */
  'debugPage.allowReload': {
    takes: { environmentId: string; tabId: number; appId: number; taskId: number };
    answers: OpenedPage;
  };
  /**
   * Opens an app’s preview or live page in tab `tabId`, like `debugPage.open`. Fails with `CONFLICT` if the app has no
   * live version.
   */
  'pages.open': {
    takes: OfApp & { tabId: number; page: AppPage; screen?: number | undefined };
    answers: OpenedPage;
  };
  /** Like `debugPage.allowReload`, but for an app’s page in tab `tabId`. */
  'pages.allowReload': {
    takes: OfApp & { tabId: number; page: AppPage; screen?: number | undefined };
    answers: OpenedPage;
  };
  /** The app’s current release, and which users would get an update. */
  'publish.preview': { takes: OfApp; answers: PublishPreview };
  /**
   * Resolves once the intent is on disk. The request is then sent, but never twice. `publish.list` returns the outcome.
   * `expected` is the release that the user saw. Returns the existing record for a known `id`. Fails with
   * `PUBLISH_UNDER_WAY`, `PUBLISH_UNSETTLED`, or `PUBLISH_UNSEEN` while another publish of the app blocks it.
   */
  'publish.start': {
    takes: OfApp & { id: string; appName: string; release: Release; expected: KnownRelease };
    answers: PublishRecord;
  };
  /** All publish records of this extension, newest first. */
  'publish.list': { takes: undefined; answers: PublishRecord[] };
  /** Reads the app again to settle an unknown outcome. */
  'publish.settle': { takes: { id: string }; answers: PublishRecord };
  /**
   * Ends a publish whose request hasn’t been sent, which then never is. Returns the record unchanged if it has been.
   */
  'publish.cancel': { takes: { id: string }; answers: PublishRecord };
  /** Dismisses an unknown outcome. */
  'publish.discard': { takes: { id: string }; answers: PublishRecord };
  /** Marks these outcomes as seen by the user. */
  'publish.seen': { takes: { ids: string[] }; answers: null };
  /**
   * The text of an environments file. With `passphrase`, it includes encrypted tokens, or fails with `VAULT_LOCKED`.
   */
  'environments.export': { takes: { passphrase?: string | undefined }; answers: { text: string } };
  /** Reads a file without importing it. Fails with `VAULT_LOCKED` if it contains tokens that couldn’t be stored. */
  'environments.readFile': { takes: { text: string }; answers: ImportPreview };
  /**
   * Imports all of a file or nothing. Fails with `IMPORT_PASSPHRASE_NEEDED` if the file contains tokens and
   * `passphrase` is missing.
   */
  'environments.import': { takes: { text: string; passphrase?: string | undefined }; answers: ImportOutcome };
  /** The production environments that the panel may change without asking. */
  'guard.list': { takes: undefined; answers: UnlockedProduction[] };
  /** Ends after 15 minutes, with the browser, or when the environment is saved or removed. */
  'guard.unlock': { takes: { environmentId: string }; answers: UnlockedProduction[] };
  'guard.lock': { takes: { environmentId: string }; answers: UnlockedProduction[] };
  'vault.state': { takes: undefined; answers: VaultState };
  /**
   * Fails with `PASSPHRASE_WRONG`, with `PASSPHRASE_TOO_SOON` after wrong attempts, or with `VAULT_LOCKED_MEANWHILE` if
   * `vault.lock` was called in the meantime.
   */
  'vault.unlock': { takes: { passphrase: string }; answers: VaultState };
  'vault.lock': { takes: undefined; answers: VaultState };
  /** Reports user activity, which resets the idle timer. */
  'vault.active': { takes: undefined; answers: null };
  /** Encrypts the tokens with a passphrase. Fails with `VAULT_PROTECTED` if one is already set. */
  'vault.protect': { takes: { passphrase: string; idleMinutes: number }; answers: VaultState };
  'vault.changePassphrase': { takes: { current: string; passphrase: string }; answers: VaultState };
  'vault.setIdle': { takes: { idleMinutes: number }; answers: VaultState };
  /** Removes the passphrase, and goes back to the key that the browser stores. */
  'vault.unprotect': { takes: { passphrase: string }; answers: VaultState };
  /** For a forgotten passphrase: deletes the lock and all tokens, but keeps the environments. */
  'vault.reset': { takes: undefined; answers: VaultState };
  /** Whether the worker is handling the message with this ID. A restarted worker doesn’t know earlier messages. */
  'worker.ping': { takes: { id: string }; answers: { isAtWork: boolean } };
  /**
   * Tells the worker that the sender of the message with this ID is no longer waiting. Cancels the message’s request
   * unless another caller shares it.
   */
  'worker.cancel': { takes: { id: string }; answers: null };
  'messages.refused': { takes: undefined; answers: RefusedMessages };
  /** Erases everything that the extension stores. */
  'data.erase': { takes: undefined; answers: null };
}
export type MessageName = keyof Messages;
export type Takes<N extends MessageName> = Messages[N]['takes'];
export type Answers<N extends MessageName> = Messages[N]['answers'];

/**
 * Sends a message to the worker. Returns errors as values, such as `WORKER_UNREACHABLE` if the worker stopped. Aborting
 * `signal` ends a read with `ABORTED`.
 */
export type Send = <N extends MessageName>(
  name: N,
  takes: Takes<N>,
  signal?: AbortSignal,
) => Promise<Result<Answers<N>>>;
