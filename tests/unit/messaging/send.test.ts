/** Owns the proof that a message always comes back as a Result, over the browser's own runtime and without a worker. */
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { Handlers, Sender } from '../../../lib/messaging/receive.ts';
import type { ListenRuntime } from '../../../lib/messaging/listen.ts';
import { listen } from '../../../lib/messaging/listen.ts';
import { RULES } from '../../../lib/messaging/rules.ts';
import { createSend } from '../../../lib/messaging/send.ts';

const never = () => Promise.reject(new Error('not asked for in this test'));
const handlers: Handlers = {
  ...(Object.fromEntries(Object.keys(RULES).map((name) => [name, never])) as unknown as Handlers),
  'environments.list': () => Promise.resolve([]),
  'vault.state': () => Promise.resolve({ aside: 2, lock: { kind: 'open' } }),
};

beforeEach(() => fakeBrowser.reset());

describe('over the runtime of a browser', () => {
  const from = (sender: Sender): ListenRuntime => ({
    id: fakeBrowser.runtime.id,
    getURL: (path) => `chrome-extension://test${path}`,
    onMessage: {
      addListener: (listener) => fakeBrowser.runtime.onMessage.addListener((message: unknown, _sender: unknown, answer: (value: unknown) => void) => listener(message, sender, answer)),
    },
  });
  const send = createSend(fakeBrowser.runtime as unknown as Parameters<typeof createSend>[0]);

  it('brings the answer back', async () => {
    listen(from({ id: fakeBrowser.runtime.id, url: 'chrome-extension://test/options.html' }), handlers);
    expect(await send('vault.state', undefined)).toEqual({ ok: true, value: { aside: 2, lock: { kind: 'open' } } });
  });

  it('brings a refusal back', async () => {
    listen(from({ id: 'somebody-else', url: 'chrome-extension://test/options.html' }), handlers);
    expect(await send('vault.state', undefined)).toMatchObject({ ok: false, error: { code: 'SENDER_REFUSED' } });
  });

  it('says so when there is no worker', async () => {
    expect(await send('environments.list', undefined)).toMatchObject({ ok: false, error: { code: 'WORKER_UNREACHABLE', next: expect.stringContaining('Reload') } });
  });
});

describe('when the worker stops under a message', () => {
  function dying(answers: unknown[]) {
    const sent: string[] = [];
    const runtime = {
      sendMessage: (message: { name: string }) => {
        sent.push(message.name);
        const answer = answers.shift();
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    };
    return { runtime, sent };
  }
  const closed = () => new Error('The message port closed before a response was received.');

  it('asks once more when the message changes nothing', async () => {
    const { runtime, sent } = dying([closed(), { ok: true, value: [] }]);
    expect(await createSend(runtime)('environments.list', undefined)).toEqual({ ok: true, value: [] });
    expect(sent).toHaveLength(2);
  });

  it('asks no third time', async () => {
    const { runtime, sent } = dying([closed(), undefined]);
    expect(await createSend(runtime)('environments.list', undefined)).toMatchObject({ ok: false, error: { code: 'WORKER_UNREACHABLE' } });
    expect(sent).toHaveLength(2);
  });

  it('never repeats a change, and says that its outcome is not known', async () => {
    const { runtime, sent } = dying([closed()]);
    const result = await createSend(runtime)('environments.remove', { id: 'e' });
    expect(result).toMatchObject({ ok: false, error: { code: 'WORKER_UNREACHABLE', message: expect.stringContaining('not known') } });
    expect(sent).toHaveLength(1);
  });

  it('copes with a runtime that throws at once, as after an update of the extension', async () => {
    const runtime = { sendMessage: () => { throw new Error('Extension context invalidated.'); } };
    expect(await createSend(runtime)('data.erase', undefined)).toMatchObject({ ok: false, error: { code: 'WORKER_UNREACHABLE' } });
  });

  it('never asks for a run twice', async () => {
    for (const name of ['actions.run', 'actions.runWithResult'] as const) {
      const { runtime, sent } = dying([closed()]);
      expect(await createSend(runtime)(name, { environmentId: 'e', appId: 1, actionId: 2, payload: {} })).toMatchObject({ ok: false, error: { code: 'WORKER_UNREACHABLE', message: expect.stringContaining('not known') } });
      expect(sent).toHaveLength(1);
    }
  });

  it('waits no longer than its limit', async () => {
    const runtime = { sendMessage: () => new Promise<never>(() => {}) };
    expect(await createSend(runtime, 20)('apps.list', { environmentId: 'e' })).toMatchObject({ ok: false, error: { code: 'WORKER_SLOW', next: expect.stringContaining('Try again') } });
    expect(await createSend(runtime, 20)('actions.publish', { environmentId: 'e', appId: 1, actionId: 2, publish: true })).toMatchObject({ ok: false, error: { code: 'WORKER_SLOW', message: expect.stringContaining('not known whether this was done'), next: expect.stringMatching(/^Look whether/) } });
  });
});
