/** Implements `Platform.Page`, which lets a screen handle actions that are set to run on it (decisions, "Actions"). */
export type RemoteHandler = (payload: Record<string, unknown>) => unknown;

export interface PageApi {
  /** Sets the handler for actions that target the screen, replacing any earlier handler. */
  onRemoteExecution(handler: RemoteHandler): void;
}

export function createPage(): { api: PageApi; handler: () => RemoteHandler | null } {
  let current: RemoteHandler | null = null;
  const api: PageApi = {
    onRemoteExecution(handler) {
      if (typeof handler !== 'function')
        throw new TypeError('Page.onRemoteExecution: the argument must be a function that takes the payload.');
      current = handler;
    },
  };
  return { api, handler: () => current };
}
