/** Owns `Platform.Page`: what a screen does when an action targets it (decisions, "Actions"). */
export type RemoteHandler = (payload: Record<string, unknown>) => unknown;

export interface PageApi {
  /** Gives the screen's answer to actions that target it; a later handler takes the place of an earlier one. */
  onRemoteExecution(handler: RemoteHandler): void;
}

export function createPage(): { api: PageApi; handler: () => RemoteHandler | null } {
  let kept: RemoteHandler | null = null;
  const api: PageApi = {
    onRemoteExecution(handler) {
      if (typeof handler !== 'function')
        throw new TypeError('Page.onRemoteExecution: the argument must be a function of the payload.');
      kept = handler;
    },
  };
  return { api, handler: () => kept };
}
