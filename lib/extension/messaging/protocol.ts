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

/** The extension's own pages; nothing else may send. */
export type Surface = 'options' | 'panel' | 'popup' | 'app';

export interface OfApp {
  environmentId: string;
  appId: number;
}
export interface OfAction extends OfApp {
  actionId: number;
}
type Payload = Record<string, unknown>;

/** Every message: what it takes, what it answers. Data, never tokens, comes back. */
export interface Messages {
  'environments.list': { takes: undefined; answers: Environment[] };
  'environments.save': { takes: EnvironmentInput; answers: Environment };
  'environments.remove': { takes: { id: string }; answers: null };
  /** Gives up the access to this address, unless a stored environment needs it. */
  'access.release': { takes: { baseUrl: string }; answers: null };
  /** Asks for the apps with the stored token, or with `draft` before anything is saved. */
  'environments.test': {
    takes: { id: string } | { draft: EnvironmentInput };
    answers: { apps: number; milliseconds: number };
  };
  'apps.list': { takes: { environmentId: string }; answers: App[] };
  /** At most `limit` of an app's sessions, by id. A list moves between two pieces: those who ask put it together by id. */
  'sessions.list': { takes: OfApp & { limit: number; offset: number }; answers: AnalyticsSession[] };
  'functions.list': { takes: { environmentId: string }; answers: FunctionDescriptor[] };
  'dataSources.list': { takes: OfApp; answers: DataSource[] };
  /** With `limit` a part of them, by id. */
  'actions.list': { takes: OfApp & { limit?: number | undefined; offset?: number | undefined }; answers: Action[] };
  'actions.create': { takes: OfApp & { action: NewAction }; answers: Action };
  /** With `change.revision` the second of two changes is refused with `CONFLICT`. */
  'actions.update': { takes: OfAction & { change: ActionChange }; answers: Action };
  'actions.remove': { takes: OfAction; answers: null };
  /** With `revision` nothing is published that was not seen: `CONFLICT` when the action has another by now. */
  'actions.publish': { takes: OfAction & { publish: boolean; revision?: number | undefined }; answers: Action };
  /** Answers when the run is queued. */
  'actions.run': { takes: OfAction & { payload: Payload }; answers: { runId: string } };
  /** A run that failed is an error with its `failure`; `milliseconds` are those that it took from here. */
  'actions.runWithResult': {
    takes: OfAction & { payload: Payload };
    answers: { result: unknown; milliseconds: number };
  };
  /** Newest first. */
  'logs.list': { takes: OfApp & { query: LogQueryInput }; answers: LogList };
  'logs.create': { takes: OfApp & { log: NewLog }; answers: LogRecord };
  /** The platform's time; on an installation without a clock to ask it is `NOT_FOUND`. */
  'clock.get': { takes: { environmentId: string }; answers: ClockState };
  /** Moves a virtual clock on to a time, through all that is scheduled on the way. */
  'clock.move': { takes: { environmentId: string; to: string }; answers: ClockMoved };
  /**
   * Takes tab `tabId` to the debug page, the token in that one navigation's header. Asks for the page once beforehand, so that
   * a refusal (401, 404, HTML, down, slow) is told without the tab leaving where it is.
   */
  'debugPage.open': {
    takes: {
      environmentId: string;
      tabId: number;
      appId: number;
      taskId: number;
      /** By way of about:blank: a page that never gives way keeps the tab within its own site. */ leaveFirst?:
        | boolean
        | undefined;
    };
    answers: { url: string };
  };
  /**
   * Lets the panel load the debug page that tab `tabId` shows once more by itself (`inspectedWindow.reload`), the token in that one
   * navigation's header. Answers as soon as the rule stands; a plain reload has no token and ends in a 401.
   */
  'debugPage.allowReload': {
    takes: { environmentId: string; tabId: number; appId: number; taskId: number };
    answers: { url: string };
  };
  /**
   * Takes tab `tabId` to an app's preview or live page, at its first screen or at `screen`, as `debugPage.open` does: `CONFLICT` where
   * the app has no live version yet.
   */
  'pages.open': {
    takes: OfApp & { tabId: number; page: AppPage; screen?: number | undefined };
    answers: { url: string };
  };
  /** As `debugPage.allowReload`, for the app's page that tab `tabId` shows. */
  'pages.allowReload': {
    takes: OfApp & { tabId: number; page: AppPage; screen?: number | undefined };
    answers: { url: string };
  };
  /** The app as it is now, and who would get an update. */
  'publish.preview': { takes: OfApp; answers: PublishPreview };
  /**
   * Answers when the intent is on disk, and sends it then: `publish.list` tells its outcome. Never sent twice. `expected` is the app as
   * the person saw it, `id` a new one for each intent: the same again is answered as it is. `PUBLISH_UNDER_WAY`,
   * `PUBLISH_UNSETTLED` and `PUBLISH_UNSEEN` where another publish of the app comes first.
   */
  'publish.start': {
    takes: OfApp & { id: string; appName: string; release: Release; expected: KnownRelease };
    answers: PublishRecord;
  };
  /** Every publish that was made from here, newest first. */
  'publish.list': { takes: undefined; answers: PublishRecord[] };
  /** Reads the app again for a publish of unknown outcome. */
  'publish.settle': { takes: { id: string }; answers: PublishRecord };
  /** The person no longer waits for an unknown outcome. */
  'publish.discard': { takes: { id: string }; answers: PublishRecord };
  /** The person has seen these outcomes. */
  'publish.seen': { takes: { ids: string[] }; answers: null };
  /** The environments as a file's text: with `passphrase` their tokens too, sealed under it. `VAULT_LOCKED` when tokens are wanted and cannot be read. */
  'environments.export': { takes: { passphrase?: string | undefined }; answers: { text: string } };
  /** All of a file or nothing. `IMPORT_…` codes; `IMPORT_PASSPHRASE_NEEDED` when it holds tokens and none was given. */
  'environments.import': { takes: { text: string; passphrase?: string | undefined }; answers: ImportOutcome };
  'vault.state': { takes: undefined; answers: VaultState };
  /** `PASSPHRASE_WRONG`, and `PASSPHRASE_TOO_SOON` while wrong ones are slowed down; `VAULT_LOCKED_MEANWHILE` when `vault.lock` came later. */
  'vault.unlock': { takes: { passphrase: string }; answers: VaultState };
  'vault.lock': { takes: undefined; answers: VaultState };
  /** A person is at work: the idle time begins anew. */
  'vault.active': { takes: undefined; answers: null };
  /** Puts the tokens under a passphrase. `VAULT_PROTECTED` when they are already. */
  'vault.protect': { takes: { passphrase: string; idleMinutes: number }; answers: VaultState };
  'vault.changePassphrase': { takes: { current: string; passphrase: string }; answers: VaultState };
  'vault.setIdle': { takes: { idleMinutes: number }; answers: VaultState };
  /** Back to the key that the browser keeps. */
  'vault.unprotect': { takes: { passphrase: string }; answers: VaultState };
  /** For one who forgot the passphrase: every token and the lock go, environments stay. */
  'vault.reset': { takes: undefined; answers: VaultState };
  /** Whether the worker is there, and at work on the message with this id: one that was sent to a worker that stopped is known to no other. */
  'worker.ping': { takes: { id: string }; answers: { isAtWork: boolean } };
  /** Nobody waits for the message with this id any more: what it reads for nobody else is given up. */
  'worker.cancel': { takes: { id: string }; answers: null };
  /** How many messages it has refused, and why. */
  'messages.refused': { takes: undefined; answers: RefusedMessages };
  /** Removes every environment, token and key, and all else that the extension stores. */
  'data.erase': { takes: undefined; answers: null };
}
export type MessageName = keyof Messages;
export type Takes<N extends MessageName> = Messages[N]['takes'];
export type Answers<N extends MessageName> = Messages[N]['answers'];

/**
 * How every surface talks to the worker; a failure is a value, and a dead worker is `WORKER_UNREACHABLE`. Aborting `signal` ends what only
 * reads with `ABORTED`.
 */
export type Send = <N extends MessageName>(
  name: N,
  takes: Takes<N>,
  signal?: AbortSignal,
) => Promise<Result<Answers<N>>>;
