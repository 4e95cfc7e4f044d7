/** The messages between the worker and the frame that sends one change. All are plain data. */

/** Page of the frame, and of the offscreen document around it. Its query is the one-time name of the change. */
export const FRAME_PAGE = 'sender.html';
/** Name of the port that the frame opens. */
export const FRAME_PORT = 'change';

/** From the worker: first the request, then `more` for each piece of the response’s body. */
export type ToFrame = { url: string; init: RequestInit } | 'more';

/** From the frame. `status` is 0 for a redirect. An error says only that there’s no (further) response. */
export type FromFrame =
  | { status: number; headers: [string, string][] }
  | { piece: string }
  | { end: true }
  | { error: true };

/** The subset of `runtime.Port` that both sides use. */
export interface Port {
  name: string;
  sender?: { id?: string | undefined; url?: string | undefined } | undefined;
  postMessage(message: unknown): void;
  disconnect(): void;
  onMessage: { addListener(listener: (message: unknown) => void): void };
  onDisconnect: { addListener(listener: () => void): void };
}
