/** Lists every message between the extension’s pages and its background worker. */
import type {
  Action,
  ActionChange,
  AnalyticsSession,
  App,
  AppPage,
  ClockMoved,
  ClockState,
  DataSource,
  FunctionDescriptor,
  LogList,
  LogQueryInput,
  LogRecord,
  NewAction,
  NewLog,
  Release,
  Result,
} from '../../platform-api/index.ts';
import type { RefusedMessages } from './model/refusals.ts';
import type { Environment, EnvironmentInput } from './model/environment.ts';
import type { ImportOutcome, VaultState } from './model/lock.ts';
import type { KnownRelease, PublishPreview, PublishRecord } from './model/publishing.ts';

/** The extension’s pages that send messages. */
export type Surface = 'options' | 'panel' | 'popup' | 'app';

export interface OfApp {
  environmentId: string;
  appId: number;
}
export interface OfAction extends OfApp {
  actionId: number;
}
type Payload = Record<string, unknown>;

/** What each message takes, and what the worker answers. Answers contain no tokens. */
export interface Messages {
  'environments.list': { takes: undefined; answers: Environment[] };
  'environments.save': { takes: EnvironmentInput; answers: Environment };
  'environments.remove': { takes: { id: string }; answers: null };
  /** Gives up access to this base URL, unless a stored environment needs it. */
  'access.release': { takes: { baseUrl: string }; answers: null };
  /** Lists the apps with the stored token, or with an unsaved `draft`. */
  'environments.test': {
    takes: { id: string } | { draft: EnvironmentInput };
    answers: { apps: number; milliseconds: number };
  };
  'apps.list': { takes: { environmentId: string }; answers: App[] };
  /** A page of an app’s sessions, ordered by ID. The list can change between two pages, so callers merge them by ID. */
  'sessions.list': { takes: OfApp & { limit: number; offset: number }; answers: AnalyticsSession[] };
  'functions.list': { takes: { environmentId: string }; answers: FunctionDescriptor[] };
  'dataSources.list': { takes: OfApp; answers: DataSource[] };
  /** With `limit`, a page of them, ordered by ID. */
  'actions.list': { takes: OfApp & { limit?: number | undefined; offset?: number | undefined }; answers: Action[] };
  'actions.create': { takes: OfApp & { action: NewAction }; answers: Action };
  /** Refused with `CONFLICT` if the action no longer has `change.revision`. */
  'actions.update': { takes: OfAction & { change: ActionChange }; answers: Action };
  'actions.remove': { takes: OfAction; answers: null };
  /** Refused with `CONFLICT` if the action no longer has `revision`. */
  'actions.publish': { takes: OfAction & { publish: boolean; revision?: number | undefined }; answers: Action };
  /** Resolves when the run is queued. */
  'actions.run': { takes: OfAction & { payload: Payload }; answers: { runId: string } };
  /** A failed run is an error with its `failure`. `milliseconds` includes the request. */
  'actions.runWithResult': {
    takes: OfAction & { payload: Payload };
    answers: { result: unknown; milliseconds: number };
  };
  /** Newest first. */
  'logs.list': { takes: OfApp & { query: LogQueryInput }; answers: LogList };
  'logs.create': { takes: OfApp & { log: NewLog }; answers: LogRecord };
  /** `NOT_FOUND` on a platform without a clock endpoint. */
  'clock.get': { takes: { environmentId: string }; answers: ClockState };
  /** Moves a virtual clock to a time, and runs what is scheduled until then. */
  'clock.move': { takes: { environmentId: string; to: string }; answers: ClockMoved };
  /**
   * Opens the debug page in tab `tabId`, with the token in that navigation’s header. Requests the page once before, so that a
   * refusal (401, 404, HTML, down, slow) is reported before the tab leaves its page.
   */
  'debugPage.open': {
    takes: {
      environmentId: string;
      tabId: number;
      appId: number;
      taskId: number;
      /** Goes through about:blank, because a busy page can block navigation within its own site. */
      leaveFirst?: boolean | undefined;
    };
    answers: { url: string };
  };
  /**
   * Adds the token to the next load of the debug page in tab `tabId`, so that the panel can call `inspectedWindow.reload`. A plain
   * reload has no token and ends with 401. Resolves when the rule is set.
   */
  'debugPage.allowReload': {
    takes: { environmentId: string; tabId: number; appId: number; taskId: number };
    answers: { url: string };
  };
  /**
   * Opens an app’s preview or live page in tab `tabId`, like `debugPage.open`. `CONFLICT` if the app has no live version.
   */
  'pages.open': {
    takes: OfApp & { tabId: number; page: AppPage; screen?: number | undefined };
    answers: { url: string };
  };
  /** Like `debugPage.allowReload`, for the app’s page in tab `tabId`. */
  'pages.allowReload': {
    takes: OfApp & { tabId: number; page: AppPage; screen?: number | undefined };
    answers: { url: string };
  };
  /** The app’s current release, and who would get an update. */
  'publish.preview': { takes: OfApp; answers: PublishPreview };
  /**
   * Resolves when the intent is on disk, then sends it, never twice; `publish.list` returns the outcome. `expected` is the app as the
   * user saw it. A known `id` returns its record. `PUBLISH_UNDER_WAY`, `PUBLISH_UNSETTLED`, or `PUBLISH_UNSEEN` while another publish
   * of the app blocks it.
   */
  'publish.start': {
    takes: OfApp & { id: string; appName: string; release: Release; expected: KnownRelease };
    answers: PublishRecord;
  };
  /** All publishes from this extension, newest first. */
  'publish.list': { takes: undefined; answers: PublishRecord[] };
  /** Reads the app again for a publish of unknown outcome. */
  'publish.settle': { takes: { id: string }; answers: PublishRecord };
  /** Dismisses an unknown outcome. */
  'publish.discard': { takes: { id: string }; answers: PublishRecord };
  /** The user has seen these outcomes. */
  'publish.seen': { takes: { ids: string[] }; answers: null };
  /** The text of a file of environments. With `passphrase`, it includes tokens encrypted by it, or fails with `VAULT_LOCKED`. */
  'environments.export': { takes: { passphrase?: string | undefined }; answers: { text: string } };
  /** Imports all of a file or nothing. `IMPORT_PASSPHRASE_NEEDED` if it contains tokens and `passphrase` is missing. */
  'environments.import': { takes: { text: string; passphrase?: string | undefined }; answers: ImportOutcome };
  'vault.state': { takes: undefined; answers: VaultState };
  /** `PASSPHRASE_WRONG`, `PASSPHRASE_TOO_SOON` after wrong ones, or `VAULT_LOCKED_MEANWHILE` if `vault.lock` came later. */
  'vault.unlock': { takes: { passphrase: string }; answers: VaultState };
  'vault.lock': { takes: undefined; answers: VaultState };
  /** Reports user activity, which restarts the idle time. */
  'vault.active': { takes: undefined; answers: null };
  /** Encrypts the tokens with a passphrase. `VAULT_PROTECTED` if there is one already. */
  'vault.protect': { takes: { passphrase: string; idleMinutes: number }; answers: VaultState };
  'vault.changePassphrase': { takes: { current: string; passphrase: string }; answers: VaultState };
  'vault.setIdle': { takes: { idleMinutes: number }; answers: VaultState };
  /** Returns to the key that the browser keeps. */
  'vault.unprotect': { takes: { passphrase: string }; answers: VaultState };
  /** For a forgotten passphrase: deletes the lock and every token, but no environment. */
  'vault.reset': { takes: undefined; answers: VaultState };
  /** Whether the worker is handling the message with this ID. A new worker doesn’t know messages of a stopped one. */
  'worker.ping': { takes: { id: string }; answers: { isAtWork: boolean } };
  /** The sender of the message with this ID no longer waits. Cancels its request unless another caller shares it. */
  'worker.cancel': { takes: { id: string }; answers: null };
  /** Counts of refused messages. */
  'messages.refused': { takes: undefined; answers: RefusedMessages };
  /** Erases everything that the extension stores. */
  'data.erase': { takes: undefined; answers: null };
}
export type MessageName = keyof Messages;
export type Takes<N extends MessageName> = Messages[N]['takes'];
export type Answers<N extends MessageName> = Messages[N]['answers'];

/**
 * Sends a message to the worker. Errors are values: a stopped worker is `WORKER_UNREACHABLE`. Aborting `signal` ends a read with
 * `ABORTED`.
 */
export type Send = <N extends MessageName>(
  name: N,
  takes: Takes<N>,
  signal?: AbortSignal,
) => Promise<Result<Answers<N>>>;
