/**
 * Sends changes in Chromium, one at a time, each from a credentialless frame in a new offscreen document, because
 * Chromium repeats any request whose reused connection ends before the first byte of the response.
 */
import type { ChangeChannel, SendRequest } from '../../../rest/index.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { FRAME_PAGE, FRAME_PORT, type FromFrame, type Port, type ToFrame } from './frame-protocol.ts';

/** The subset of `chrome.offscreen` that this module uses. */
export interface Offscreen {
  createDocument(options: { url: string; reasons: string[]; justification: string }): Promise<void>;
  closeDocument(): Promise<void>;
}

/** The subset of `browser.runtime` that this module uses. */
export interface FrameRuntime {
  readonly id: string;
  getURL(path: string): string;
  getContexts(filter: object): Promise<readonly unknown[]>;
  getPlatformInfo(): Promise<unknown>;
  onConnect: { addListener(listener: (port: Port) => void): void };
}

/** How long a change waits for earlier ones, in milliseconds. Less than how long its sender waits for the response. */
const WAIT_LIMIT = 120_000;
/** In milliseconds. Browsers stop an idle worker after 30 seconds, and calling one of their functions counts as work. */
const WAKE_INTERVAL = 20_000;
const OPEN_LIMIT = 10_000;

interface Expected {
  url: string;
  resolve(port: Port): void;
}

export class FrameChannel implements ChangeChannel {
  readonly #offscreen: Offscreen;
  readonly #runtime: FrameRuntime;
  readonly #queue = new SerialQueue();
  #expected: Expected | null = null;
  #unfinished = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Must be created before any `await`, as every listener of the worker. */
  constructor(offscreen: Offscreen, runtime: FrameRuntime) {
    this.#offscreen = offscreen;
    this.#runtime = runtime;
    runtime.onConnect.addListener((port) => this.#accept(port));
  }

  async run<T>(work: (send: SendRequest) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let isWaiting = true;
    const stop = (reason: unknown): void => {
      if (!isWaiting) return;
      isWaiting = false;
      reject(reason as Error);
    };
    const onAbort = (): void => stop(signal?.reason);
    const timer = setTimeout(() => stop(new Error('Earlier changes take too long.')), WAIT_LIMIT);
    signal?.addEventListener('abort', onAbort);
    this.#keepAwake(1);
    void this.#queue.run(async () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
      if (isWaiting) await this.#inNewFrame(work).then(resolve, reject);
      this.#keepAwake(-1);
    });
    return promise;
  }

  async #inNewFrame<T>(work: (send: SendRequest) => Promise<T>): Promise<T> {
    try {
      const port = await this.#open();
      return await work(sendThrough(port));
    } finally {
      await this.#close().catch(() => {});
    }
  }

  async #open(): Promise<Port> {
    // A worker that was stopped leaves its document, and there can be only one.
    await this.#close();
    const page = `${FRAME_PAGE}?${crypto.randomUUID()}`;
    const { promise, resolve, reject } = Promise.withResolvers<Port>();
    this.#expected = { url: this.#runtime.getURL(page), resolve };
    const timer = setTimeout(() => reject(new Error('The page that sends changes didn’t open.')), OPEN_LIMIT);
    try {
      await this.#offscreen.createDocument({
        url: page,
        reasons: ['IFRAME_SCRIPTING'],
        justification: 'Sends one change over a new connection, so that the browser doesn’t send it twice.',
      });
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#expected = null;
    }
  }

  async #close(): Promise<void> {
    const open = await this.#runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] });
    if (open.length > 0) await this.#offscreen.closeDocument();
  }

  /** Accepts the frame that this worker has just opened, once. No other page gets a request to send. */
  #accept(port: Port): void {
    const expected = this.#expected;
    const { id, url } = port.sender ?? {};
    if (!expected || port.name !== FRAME_PORT || id !== this.#runtime.id || url !== expected.url)
      return port.disconnect();
    this.#expected = null;
    expected.resolve(port);
  }

  #keepAwake(change: 1 | -1): void {
    this.#unfinished += change;
    if (this.#unfinished === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else this.#timer ??= setInterval(() => void this.#runtime.getPlatformInfo().catch(() => {}), WAKE_INTERVAL);
  }
}

/** Sends one request through the frame. Rejects like `fetch`. */
function sendThrough(port: Port): SendRequest {
  let waiting: PromiseWithResolvers<FromFrame> | undefined;
  let failure: Error | undefined;
  const fail = (reason: unknown): void => {
    failure ??= reason as Error;
    waiting?.reject(failure);
  };
  port.onMessage.addListener((received) => {
    const message = received as FromFrame;
    if ('error' in message) fail(new TypeError('Failed to fetch'));
    else waiting?.resolve(message);
  });
  port.onDisconnect.addListener(() => fail(new TypeError('The page that sends changes was closed.')));
  const ask = async (message: ToFrame): Promise<FromFrame> => {
    if (failure) throw failure;
    waiting = Promise.withResolvers();
    port.postMessage(message);
    return waiting.promise;
  };

  return async (url, { signal, ...init }) => {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => {
      fail(signal.reason);
      port.disconnect();
    });
    const head = await ask({ url, init });
    if (!('status' in head)) throw new TypeError('Failed to fetch');
    return responseOf(head, ask, () => port.disconnect());
  };
}

const BODYLESS = new Set([204, 205, 304]);

function responseOf(
  { status, headers }: { status: number; headers: [string, string][] },
  ask: (message: ToFrame) => Promise<FromFrame>,
  cancel: () => void,
): Response {
  // Browsers report redirects only as status 0.
  if (status === 0) return Response.error();
  if (BODYLESS.has(status)) return new Response(null, { status, headers });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const message = await ask('more');
        if ('piece' in message) controller.enqueue(encoder.encode(message.piece));
        else controller.close();
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}
