/** How changes are sent in Chromium, with the real frame and worker sides over ports in memory. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveChange } from '../../../../../lib/extension/background/changes/frame.ts';
import { FrameChannel } from '../../../../../lib/extension/background/changes/frame-channel.ts';
import type { Port } from '../../../../../lib/extension/background/changes/frame-protocol.ts';
import { runAction } from '../../../../../lib/rest/index.ts';
import { toErrorValue } from '../../../../../lib/platform-api/index.ts';

const ID = 'extension-id';
const getURL = (path: string): string => `chrome-extension://${ID}/${path}`;

/** The two ends of a port. Messages arrive later, as copies. */
function ports(name: string, url: string): { frame: Port; worker: Port } {
  const ends = [0, 1].map(() => ({
    messages: [] as ((message: unknown) => void)[],
    closed: [] as (() => void)[],
  }));
  let isOpen = true;
  const end = (own: number): Port => ({
    name,
    sender: { id: ID, url },
    postMessage(message) {
      if (!isOpen) throw new Error('Attempting to use a disconnected port object');
      const copy = structuredClone(message);
      queueMicrotask(() => isOpen && ends[1 - own]!.messages.forEach((listener) => listener(copy)));
    },
    disconnect() {
      if (!isOpen) return;
      isOpen = false;
      queueMicrotask(() => ends[1 - own]!.closed.forEach((listener) => listener()));
    },
    onMessage: { addListener: (listener) => void ends[own]!.messages.push(listener) },
    onDisconnect: { addListener: (listener) => void ends[own]!.closed.push(listener) },
  });
  return { frame: end(0), worker: end(1) };
}

/** A browser with at most one offscreen document. `openFrame` loads the frame in it. */
function browserWith(openFrame?: (url: string, connectFrom: (url: string) => Port) => void) {
  const log: string[] = [];
  let open: Port[] | null = null;
  let onConnect: ((port: Port) => void) | undefined;
  const connectFrom = (url: string, name = 'change'): Port => {
    const { frame, worker } = ports(name, url);
    open?.push(frame);
    onConnect?.(worker);
    return frame;
  };
  const offscreen = {
    async createDocument({ url }: { url: string }) {
      if (open) throw new Error('Only a single offscreen document may be created.');
      open = [];
      log.push('open');
      const full = getURL(url);
      if (openFrame) openFrame(full, connectFrom);
      else serveChange(() => connectFrom(full));
    },
    async closeDocument() {
      open?.forEach((port) => port.disconnect());
      open = null;
      log.push('close');
    },
  };
  const runtime = {
    id: ID,
    getURL,
    getContexts: async () => (open ? [{}] : []),
    getPlatformInfo: vi.fn(async () => ({})),
    onConnect: { addListener: (listener: (port: Port) => void) => void (onConnect = listener) },
  };
  return { channel: new FrameChannel(offscreen, runtime), offscreen, runtime, connectFrom, log };
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const connection = { baseUrl: 'https://api.example.com', token: 'secret-token-1234567890' };
const args = { appId: 1, actionId: 2, payload: { a: 1 } };
const queued = (): Response => new Response(JSON.stringify({ runId: 'r1' }), { status: 202 });

let fetched: { url: string; init: RequestInit }[];
let respond: () => Response | Promise<Response>;
beforeEach(() => {
  fetched = [];
  respond = queued;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    fetched.push({ url, init });
    return respond();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a change in Chromium', () => {
  it('is sent once, by the frame of a new document, which is closed afterward', async () => {
    const { channel, log } = browserWith();
    for (let times = 0; times < 2; times++)
      expect(await runAction({ ...connection, changes: channel }, args)).toEqual({ runId: 'r1' });
    expect(log).toEqual(['open', 'close', 'open', 'close']);
    expect(fetched).toHaveLength(2);
    expect(fetched[0]).toMatchObject({
      url: 'https://api.example.com/v1/apps/1/actions/2/run?by=id',
      init: {
        method: 'POST',
        body: '{"payload":{"a":1}}',
        redirect: 'manual',
        credentials: 'omit',
        headers: { 'Auth-token': connection.token },
      },
    });
  });

  it('closes the document that a stopped worker left open', async () => {
    const { channel, offscreen, log } = browserWith();
    await offscreen.createDocument({ url: 'sender.html?old' });
    await runAction({ ...connection, changes: channel }, args);
    expect(log).toEqual(['open', 'close', 'open', 'close']);
  });

  it('gives its request to no other page, and to no second frame', async () => {
    const heard: unknown[] = [];
    const listenFrom = (connect: () => Port): void => {
      connect().onMessage.addListener((message) => heard.push(message));
    };
    const { channel, connectFrom } = browserWith((url, connectFrom) => {
      listenFrom(() => connectFrom(getURL('panel.html')));
      listenFrom(() => connectFrom(getURL('sender.html?guessed')));
      serveChange(() => connectFrom(url));
      listenFrom(() => connectFrom(url));
    });
    listenFrom(() => connectFrom(getURL('popup.html')));
    await runAction({ ...connection, changes: channel }, args);
    expect(fetched).toHaveLength(1);
    expect(heard).toEqual([]);
  });

  it('waits for the change before it, also when that one fails', async () => {
    const { channel, log } = browserWith();
    const held = Promise.withResolvers<Response>();
    respond = () => held.promise;
    const first = runAction({ ...connection, changes: channel }, args).then(() => null, toErrorValue);
    const second = runAction({ ...connection, changes: channel }, args);
    await vi.waitFor(() => expect(fetched).toHaveLength(1));
    await tick();
    expect(log).toEqual(['open']);
    respond = queued;
    held.reject(new TypeError('Failed to fetch'));
    expect(await first).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await second).toEqual({ runId: 'r1' });
    expect(fetched).toHaveLength(2);
  });

  it('that is canceled while it waits is never sent', async () => {
    const { channel } = browserWith();
    const held = Promise.withResolvers<Response>();
    respond = () => held.promise;
    const first = runAction({ ...connection, changes: channel }, args);
    const controller = new AbortController();
    const second = runAction({ ...connection, changes: channel }, args, { signal: controller.signal });
    controller.abort();
    expect(await second.then(() => null, toErrorValue)).toMatchObject({ code: 'ABORTED' });
    held.resolve(queued());
    await first;
    await tick();
    expect(fetched).toHaveLength(1);
  });

  it('that takes too long is aborted in the frame, and its outcome is unknown', async () => {
    const { channel, log } = browserWith();
    const aborted = Promise.withResolvers<void>();
    respond = () => {
      fetched[0]!.init.signal!.addEventListener('abort', () => aborted.resolve());
      return new Promise(() => {});
    };
    const error = await runAction({ ...connection, changes: channel }, args, { timeoutMs: 20 }).then(
      () => null,
      toErrorValue,
    );
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('within 1 seconds') });
    await aborted.promise;
    expect(log.at(-1)).toBe('close');
  });

  it('whose frame doesn’t open was not sent', async () => {
    vi.useFakeTimers();
    const { channel, log } = browserWith(() => {});
    const running = runAction({ ...connection, changes: channel }, args).then(() => null, toErrorValue);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await running).toMatchObject({ code: 'CHANGE_NOT_SENT' });
    expect(log).toEqual(['open', 'close']);
  });

  it('whose frame goes away has an unknown outcome', async () => {
    const { channel, offscreen } = browserWith();
    respond = () => new Promise(() => {});
    const running = runAction({ ...connection, changes: channel }, args).then(() => null, toErrorValue);
    await vi.waitFor(() => expect(fetched).toHaveLength(1));
    await offscreen.closeDocument();
    expect(await running).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it.each([
    ['a redirect', () => Response.error(), { code: 'OUTCOME_UNKNOWN' }],
    ['an error', () => new Response('{"error":"X","message":"Y."}', { status: 422 }), { code: 'REQUEST_INVALID' }],
    ['an endless body', () => new Response(endless()), { code: 'OUTCOME_UNKNOWN', message: /limited to 1 MB/ }],
  ])('reports %s like fetch', async (_what, response, expected) => {
    const { channel } = browserWith();
    respond = response;
    const error = await runAction({ ...connection, changes: channel }, args).then(() => null, toErrorValue);
    expect(error?.code).toBe(expected.code);
    if ('message' in expected) expect(error?.message).toMatch(expected.message);
  });

  it('keeps the worker awake while it waits and is sent', async () => {
    const { channel, runtime } = browserWith();
    const held = Promise.withResolvers<Response>();
    respond = () => held.promise;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const running = runAction({ ...connection, changes: channel }, args);
    await vi.waitFor(() => expect(fetched).toHaveLength(1));
    vi.advanceTimersByTime(60_000);
    expect(runtime.getPlatformInfo).toHaveBeenCalledTimes(3);
    held.resolve(queued());
    await running;
    await tick();
    expect(vi.getTimerCount()).toBe(0);
  });
});

function endless(): ReadableStream<Uint8Array> {
  const piece = new TextEncoder().encode(`["${'x'.repeat(100_000)}",`);
  return new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
}
