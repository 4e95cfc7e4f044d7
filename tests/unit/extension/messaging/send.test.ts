/** Tests that a message always comes back as a Result, with the browser's runtime and without a worker. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { Sender } from '../../../../lib/extension/messaging/receive.ts';
import type { ListenRuntime } from '../../../../lib/extension/messaging/listen.ts';
import { listen } from '../../../../lib/extension/messaging/listen.ts';
import { createSend } from '../../../../lib/extension/messaging/send.ts';
import { fakeHandlers } from '../../../support/fake-handlers.ts';

const STATE = { quarantined: 2, lock: { kind: 'open' } } as const;
const handlers = fakeHandlers({
  'environments.list': () => Promise.resolve([]),
  'vault.state': () => Promise.resolve(STATE),
});

beforeEach(() => fakeBrowser.reset());

describe('a message over the browser’s runtime', () => {
  const from = (sender: Sender): ListenRuntime => ({
    id: fakeBrowser.runtime.id,
    getURL: (path) => `chrome-extension://test${path}`,
    onMessage: {
      addListener: (listener) =>
        fakeBrowser.runtime.onMessage.addListener(
          (message: unknown, _sender: unknown, respond: (value: unknown) => void) => listener(message, sender, respond),
        ),
    },
  });
  const send = createSend(fakeBrowser.runtime as unknown as Parameters<typeof createSend>[0]);

  it('returns the response', async () => {
    listen(from({ id: fakeBrowser.runtime.id, url: 'chrome-extension://test/options.html' }), handlers);
    expect(await send('vault.state', undefined)).toEqual({ ok: true, value: STATE });
  });

  it('returns a refusal', async () => {
    listen(from({ id: 'another-extension', url: 'chrome-extension://test/options.html' }), handlers);
    expect(await send('vault.state', undefined)).toMatchObject({ ok: false, error: { code: 'SENDER_REFUSED' } });
  });

  it('reports that there is no worker', async () => {
    expect(await send('environments.list', undefined)).toMatchObject({
      ok: false,
      error: { code: 'WORKER_UNREACHABLE', hint: expect.stringContaining('Reload') },
    });
  });
});

describe('when the worker stops during a message', () => {
  function dying(responses: unknown[]) {
    const sent: string[] = [];
    const runtime = {
      id: 'ours',
      sendMessage: (message: { name: string }) => {
        sent.push(message.name);
        const response = responses.shift();
        return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
      },
    };
    return { runtime, sent };
  }
  const closed = () => new Error('The message port closed before a response was received.');

  it('a message that changes nothing is repeated once', async () => {
    const { runtime, sent } = dying([closed(), { ok: true, value: [] }]);
    expect(await createSend(runtime)('environments.list', undefined)).toEqual({ ok: true, value: [] });
    expect(sent).toHaveLength(2);
  });

  it('it isn’t repeated a second time', async () => {
    const { runtime, sent } = dying([closed(), undefined]);
    expect(await createSend(runtime)('environments.list', undefined)).toMatchObject({
      ok: false,
      error: { code: 'WORKER_UNREACHABLE' },
    });
    expect(sent).toHaveLength(2);
  });

  it('a change is never repeated, and its outcome is reported as unknown', async () => {
    const { runtime, sent } = dying([closed()]);
    const result = await createSend(runtime)('environments.remove', { id: 'e' });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'WORKER_UNREACHABLE', message: expect.stringContaining('confirm whether the request succeeded') },
    });
    expect(sent).toHaveLength(1);
  });

  it('a runtime that throws synchronously is handled', async () => {
    const runtime = {
      id: 'ours',
      sendMessage: () => {
        throw new Error('no');
      },
    };
    expect(await createSend(runtime)('data.erase', undefined)).toMatchObject({
      ok: false,
      error: { code: 'WORKER_UNREACHABLE' },
    });
  });

  it('a run is never requested twice', async () => {
    for (const name of ['actions.run', 'actions.runWithResult'] as const) {
      const { runtime, sent } = dying([closed()]);
      expect(await createSend(runtime)(name, { environmentId: 'e', appId: 1, actionId: 2, payload: {} })).toMatchObject(
        {
          ok: false,
          error: {
            code: 'WORKER_UNREACHABLE',
            message: expect.stringContaining('confirm whether the request succeeded'),
          },
        },
      );
      expect(sent).toHaveLength(1);
    }
  });

  it('waits no longer than its limit', async () => {
    const runtime = {
      id: 'ours',
      sendMessage: ({ name }: { name: string }) =>
        name === 'worker.ping' ? Promise.resolve({ ok: true, value: null }) : new Promise<never>(() => {}),
    };
    expect(await createSend(runtime, 20, { quiet: 1, sign: 5 })('apps.list', { environmentId: 'e' })).toMatchObject({
      ok: false,
      error: { code: 'WORKER_SLOW', hint: expect.stringContaining('Try again') },
    });
    expect(
      await createSend(runtime, 20, { quiet: 1, sign: 5 })('actions.publish', {
        environmentId: 'e',
        appId: 1,
        actionId: 2,
        publish: true,
      }),
    ).toMatchObject({
      ok: false,
      error: {
        code: 'WORKER_SLOW',
        message: expect.stringContaining('confirm whether the request succeeded'),
        hint: expect.stringMatching(/^Check whether/),
      },
    });
  });
});

describe('when the worker doesn’t respond', () => {
  const silentWorker = { id: 'ours', sendMessage: () => new Promise<never>(() => {}) };

  it('reports it after a few seconds, since a busy worker would respond to a ping', async () => {
    vi.useFakeTimers();
    const read = createSend(silentWorker)('apps.list', { environmentId: 'e' });
    const change = createSend(silentWorker)('environments.remove', { id: 'e' });
    await vi.advanceTimersByTimeAsync(4_900);
    expect(await Promise.race([read, 'nothing'])).toMatchObject({
      ok: false,
      error: { code: 'WORKER_SILENT', hint: expect.stringMatching(/^Reload/) },
    });
    expect(await Promise.race([change, 'nothing'])).toMatchObject({
      ok: false,
      error: {
        code: 'WORKER_SILENT',
        message: expect.stringContaining('confirm whether the request succeeded'),
        hint: expect.stringMatching(/^Check whether/),
      },
    });
    vi.useRealTimers();
  });

  it('waits for a busy one, which it pings once', async () => {
    const sent: string[] = [];
    const busy = {
      id: 'ours',
      sendMessage: async ({ name }: { name: string }) => {
        sent.push(name);
        if (name !== 'worker.ping') await new Promise((done) => setTimeout(done, 60));
        return { ok: true, value: null };
      },
    };
    expect(await createSend(busy, 1_000, { quiet: 5, sign: 20 })('environments.remove', { id: 'e' })).toEqual({
      ok: true,
      value: null,
    });
    expect(sent).toEqual(['environments.remove', 'worker.ping']);
  });

  describe('with a new worker that doesn’t know the message', () => {
    /**
     * The first message gets no response, since its worker stops. A ping starts a new worker, which handles the rest.
     */
    function restarted() {
      const sent: { name: string; id?: string }[] = [];
      let hear: (message: unknown, sender: Sender, respond: (value: unknown) => void) => true;
      listen(
        {
          id: 'ours',
          getURL: (path) => `chrome-extension://ours${path}`,
          onMessage: { addListener: (listener) => (hear = listener) },
        },
        handlers,
      );
      const sendMessage = (message: { name: string; id?: string }): Promise<unknown> => {
        sent.push(message);
        return new Promise(
          (answer) =>
            void (
              sent.length > 1 && hear(message, { id: 'ours', url: 'chrome-extension://ours/options.html' }, answer)
            ),
        );
      };
      return { runtime: { id: 'ours', sendMessage }, sent };
    }

    it('repeats it at once if it changes nothing', async () => {
      const { runtime, sent } = restarted();
      expect(await createSend(runtime, 2_000, { quiet: 5, sign: 1_000 })('vault.state', undefined)).toEqual({
        ok: true,
        value: STATE,
      });
      expect(sent.map(({ name }) => name)).toEqual(['vault.state', 'worker.ping', 'vault.state']);
    });

    it('reports at once that the outcome of a change is unknown', async () => {
      const { runtime, sent } = restarted();
      expect(
        await createSend(runtime, 2_000, { quiet: 5, sign: 1_000 })('environments.remove', { id: 'e' }),
      ).toMatchObject({
        ok: false,
        error: {
          code: 'WORKER_UNREACHABLE',
          message: expect.stringContaining('confirm whether the request succeeded'),
        },
      });
      expect(sent.map(({ name }) => name)).toEqual(['environments.remove', 'worker.ping']);
    });
  });

  it('learns from the worker that it handles a message, until it has responded', async () => {
    const responses: unknown[] = [];
    let hear: (message: unknown, sender: Sender, respond: (value: unknown) => void) => true;
    const work = Promise.withResolvers<null>();
    listen(
      {
        id: 'ours',
        getURL: (path) => `chrome-extension://ours${path}`,
        onMessage: { addListener: (listener) => (hear = listener) },
      },
      { ...handlers, 'environments.remove': () => work.promise.then(() => ({ isHistoryRemoved: true })) },
    );
    const say = (name: string, takes: object, id: string): Promise<unknown> =>
      new Promise(
        (answer) =>
          void hear(
            { to: 'background', name, takes, id },
            { id: 'ours', url: 'chrome-extension://ours/options.html' },
            answer,
          ),
      );
    const removed = say('environments.remove', { id: 'e' }, 'first').then((response) => responses.push(response));
    expect(await say('worker.ping', { id: 'first' }, 'p')).toEqual({ ok: true, value: { isAtWork: true } });
    expect(await say('worker.ping', { id: 'second' }, 'p')).toEqual({ ok: true, value: { isAtWork: false } });
    work.resolve(null);
    await removed;
    expect(await say('worker.ping', { id: 'first' }, 'p')).toEqual({ ok: true, value: { isAtWork: false } });
  });

  describe('after a cancel', () => {
    /** A busy worker, and what its handlers receive. */
    function busy(page = 'options') {
      const signals: (AbortSignal | undefined)[] = [];
      const responses = [Promise.withResolvers<never>(), Promise.withResolvers<never>()];
      let hear: (message: unknown, sender: Sender, respond: (value: unknown) => void) => true;
      const work = (_takes: unknown, signal?: AbortSignal): Promise<never> =>
        responses[signals.push(signal) - 1]!.promise;
      listen(
        {
          id: 'ours',
          getURL: (path) => `chrome-extension://ours${path}`,
          onMessage: { addListener: (listener) => (hear = listener) },
        },
        { ...handlers, 'apps.list': work, 'environments.remove': work, 'debugPage.open': work, 'pages.open': work },
      );
      const sent: string[] = [];
      const runtime = {
        id: 'ours',
        sendMessage: (message: { name: string }) =>
          new Promise(
            (answer) =>
              void (sent.push(message.name),
              hear(message, { id: 'ours', url: `chrome-extension://ours/${page}.html` }, answer)),
          ),
      };
      return { send: createSend(runtime), signals, responses, sent };
    }

    it('rejects at once, and cancels only this message in the worker', async () => {
      const { send, signals, sent } = busy();
      const leaving = new AbortController();
      const [left, other] = [
        send('apps.list', { environmentId: 'e' }, leaving.signal),
        send('apps.list', { environmentId: 'e' }),
      ];
      leaving.abort();
      expect(await left).toEqual({ ok: false, error: { code: 'ABORTED', message: 'The request was canceled.' } });
      expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
      expect(sent).toEqual(['apps.list', 'apps.list', 'worker.cancel']);
      void other;
    });

    it('doesn’t send a message that is already canceled', async () => {
      const { send, sent } = busy();
      expect(await send('apps.list', { environmentId: 'e' }, AbortSignal.abort())).toMatchObject({
        ok: false,
        error: { code: 'ABORTED' },
      });
      expect(sent).toEqual([]);
    });

    it.each([
      ['debugPage.open', { taskId: 1 }],
      ['pages.open', { page: 'live' }],
    ] as const)('cancels even the navigation of a tab: %s', async (name, of) => {
      const { send, signals, sent } = busy('panel');
      const leaving = new AbortController();
      const opened = send(name, { environmentId: 'e', tabId: 1, appId: 1, ...of } as never, leaving.signal);
      await vi.waitFor(() => expect(signals).toHaveLength(1), { timeout: 20_000 });
      leaving.abort();
      expect(await opened).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
      expect({ aborted: signals[0]?.aborted, sent }).toEqual({ aborted: true, sent: [name, 'worker.cancel'] });
    });

    it('waits for the response of a change', async () => {
      const { send, signals, responses, sent } = busy();
      const leaving = new AbortController();
      const removed = send('environments.remove', { id: 'e' }, leaving.signal);
      leaving.abort();
      responses[0]!.resolve(null as never);
      expect(await removed).toEqual({ ok: true, value: null });
      expect({ aborted: signals[0]?.aborted, sent }).toEqual({ aborted: false, sent: ['environments.remove'] });
    });

    it('doesn’t cancel in the worker after its response', async () => {
      const { send, responses, sent } = busy();
      const leaving = new AbortController();
      responses[0]!.resolve([] as never);
      expect(await send('apps.list', { environmentId: 'e' }, leaving.signal)).toEqual({ ok: true, value: [] });
      leaving.abort();
      await new Promise((resolve) => setImmediate(resolve));
      expect(sent).toEqual(['apps.list']);
    });
  });

  it('doesn’t ping a worker that responds soon', async () => {
    const sent: string[] = [];
    const quick = {
      id: 'ours',
      sendMessage: ({ name }: { name: string }) =>
        Promise.resolve(sent.push(name)).then(() => ({ ok: true, value: null })),
    };
    vi.useFakeTimers();
    await createSend(quick)('vault.lock', undefined);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
    expect(sent).toEqual(['vault.lock']);
  });
});

describe('when the extension was updated or reloaded under its page', () => {
  it('reports it at once, and sends nothing', async () => {
    let sent = 0;
    const gone = { id: undefined, sendMessage: () => Promise.resolve(sent++) };
    expect(await createSend(gone)('environments.remove', { id: 'e' })).toMatchObject({
      ok: false,
      error: {
        code: 'EXTENSION_RELOADED',
        message: expect.stringContaining('Nothing was sent'),
        hint: expect.stringMatching(/^Reload this page \(for the panel, close and reopen DevTools/),
      },
    });
    expect(sent).toBe(0);
  });

  it('reports it during a message too, with an unknown outcome, and doesn’t repeat it', async () => {
    const runtime: { id: string | undefined; sent: number; sendMessage(): Promise<never> } = {
      id: 'ours',
      sent: 0,
      sendMessage() {
        runtime.id = undefined;
        runtime.sent++;
        return Promise.reject(new Error('Extension context invalidated.'));
      },
    };
    expect(await createSend(runtime)('environments.remove', { id: 'e' })).toMatchObject({
      ok: false,
      error: { code: 'EXTENSION_RELOADED', message: expect.stringContaining('confirm whether the request succeeded') },
    });
    runtime.id = 'ours';
    expect(await createSend(runtime)('apps.list', { environmentId: 'e' })).toMatchObject({
      ok: false,
      error: { code: 'EXTENSION_RELOADED' },
    });
    expect(runtime.sent).toBe(2);
  });
});

describe('a message that the browser can’t transfer', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  let deep: unknown = 'x';
  for (let level = 0; level < 100_000; level++) deep = [deep];
  it.each([
    ['a cycle', cycle],
    ['100,000 levels', { deep }],
    ['a BigInt', { n: 1n }],
    [
      'a property that throws',
      {
        get p() {
          throw new Error('no');
        },
      },
    ],
    ['8 MB', { text: 'x'.repeat(8_000_000) }],
  ])('is rejected before it is sent: %s', async (_what, payload) => {
    let sent = 0;
    const runtime = { id: 'ours', sendMessage: () => Promise.resolve(sent++) };
    expect(
      await createSend(runtime)('actions.run', { environmentId: 'e', appId: 1, actionId: 2, payload }),
    ).toMatchObject({
      ok: false,
      error: {
        code: 'MESSAGE_UNSENDABLE',
        message: expect.stringMatching(/^Couldn’t send the request: .* Nothing was sent\.$/),
        hint: expect.stringContaining('smaller or simpler'),
      },
    });
    expect(sent).toBe(0);
  });
});
