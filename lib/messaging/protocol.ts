/** Owns the one list of messages between the extension's surfaces and its background worker. */
import type { Action, App, Environment, EnvironmentInput, Result } from '../contract/index.ts';

/** The extension's own pages; nothing else may send. */
export type Surface = 'options' | 'panel' | 'popup';

/** Every message: what it takes, what it answers. Data, never tokens, comes back. */
export interface Messages {
  'environments.list': { takes: undefined; answers: Environment[] };
  'environments.save': { takes: EnvironmentInput; answers: Environment };
  'environments.remove': { takes: { id: string }; answers: null };
  /** Gives up the access to this address, unless a stored environment needs it. */
  'access.release': { takes: { baseUrl: string }; answers: null };
  /** Asks for the apps with the stored token, or with `draft` before anything is saved. */
  'environments.test': { takes: { id: string } | { draft: EnvironmentInput }; answers: { apps: number; milliseconds: number } };
  'apps.list': { takes: { environmentId: string }; answers: App[] };
  'actions.list': { takes: { environmentId: string; appId: number }; answers: Action[] };
  /**
   * Takes tab `tabId` to the debug page, the token in that one navigation's header. Asks for the page once beforehand, so that
   * a refusal (401, 404, HTML, down, slow) is told without the tab leaving where it is.
   */
  'debugPage.open': { takes: { environmentId: string; tabId: number; appId: number; taskId: number; /** By way of about:blank: a page that never gives way keeps the tab within its own site. */ leaveFirst?: boolean | undefined }; answers: { url: string } };
  /**
   * Lets the panel load the debug page that tab `tabId` shows once more by itself (`inspectedWindow.reload`), the token in that one
   * navigation's header. Answers as soon as the rule stands; a plain reload has no token and ends in a 401.
   */
  'debugPage.allowReload': { takes: { environmentId: string; tabId: number; appId: number; taskId: number }; answers: { url: string } };
  /** How many damaged records were set aside, kept but not used. */
  'vault.state': { takes: undefined; answers: { aside: number } };
  /** Removes every environment, token and key, and all else that the extension stores. */
  'data.erase': { takes: undefined; answers: null };
}
export type MessageName = keyof Messages;
export type Takes<N extends MessageName> = Messages[N]['takes'];
export type Answers<N extends MessageName> = Messages[N]['answers'];

/** How every surface talks to the worker; a failure is a value, and a dead worker is `WORKER_UNREACHABLE`. */
export type Send = <N extends MessageName>(name: N, takes: Takes<N>) => Promise<Result<Answers<N>>>;
