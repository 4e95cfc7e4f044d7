/**
 * One request of the REST client: what is sent, time limits, and retries. `fetch` is faked where a server can’t
 * observe or cause the case.
 */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ErrorValue } from '../../../lib/platform-api/index.ts';
import { CodedError } from '../../../lib/platform-api/index.ts';
import { pause } from '../../../lib/rest/exchange.ts';
import type { ChangeChannel } from '../../../lib/rest/index.ts';
import { listApps, moveClock, publishRelease, readClock, runWithResult } from '../../../lib/rest/index.ts';

const connection = { baseUrl: 'https://api.example.com', token: 'secret-token-1234567890' };
const failure = (work: Promise<unknown>): Promise<ErrorValue> =>
  work.then(
    () => Promise.reject(new Error('The operation didn’t fail.')),
    (error: unknown) => (error instanceof CodedError ? error.value : Promise.reject(error as Error)),
  );

interface RecordedRequest {
  at: number;
  method: string;
  url: string;
  init: RequestInit & { headers: Record<string, string> };
}
let requests: RecordedRequest[];

/** The browser’s `fetch`: each request takes `milliseconds`, and the nth gets the nth response, later ones the last. */
function respondingWith(responses: (() => Response)[], milliseconds = 0): void {
  vi.stubGlobal('fetch', async (url: string, init: RecordedRequest['init']) => {
    const nth = requests.push({
      at: Date.now() - startedAt,
      method: init.method ?? '',
      url: url.slice(connection.baseUrl.length),
      init,
    });
    if (milliseconds) await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return (responses[nth - 1] ?? responses.at(-1))?.();
  });
}
const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(value), { status, headers });
const busy = (retryAfter?: string) => json({}, 503, retryAfter === undefined ? {} : { 'retry-after': retryAfter });

let startedAt: number;
beforeEach(() => {
  vi.useFakeTimers();
  startedAt = Date.now();
  requests = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a request', () => {
  it('has the token only in its header, and no cookies, referrer, cached response, or followed redirect', async () => {
    respondingWith([json({ apps: [] })]);
    await Promise.all([listApps(connection), vi.advanceTimersByTimeAsync(0)]);
    expect(requests).toEqual([
      {
        at: 0,
        method: 'GET',
        url: '/v1/apps',
        init: {
          method: 'GET',
          signal: expect.any(AbortSignal),
          headers: { Accept: 'application/json', 'Auth-token': connection.token },
          body: null,
          redirect: 'manual',
          credentials: 'omit',
          cache: 'no-store',
          referrerPolicy: 'no-referrer',
        },
      },
    ]);
  });

  it('has a JSON body when it sends data, and accepts JSON', async () => {
    respondingWith([json({ app: { id: 7, version: 1, updatedAt: 'a' } })]);
    await Promise.all([
      publishRelease(connection, { appId: 7, release: { type: 'silent', changelog: 'x' } }),
      vi.advanceTimersByTimeAsync(0),
    ]);
    expect(requests[0]?.init.headers).toEqual({
      Accept: 'application/json',
      'Auth-token': connection.token,
      'Content-Type': 'application/json',
      'Idempotency-Key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('has 20 seconds, or 28 for long operations: a browser stops a worker whose request takes more than 30', async () => {
    const limit = vi.spyOn(AbortSignal, 'timeout');
    respondingWith([json({ now: 'a', virtual: true, queued: 0 })]);
    const works = [
      () => readClock(connection),
      () => moveClock(connection, { to: 'a' }),
      () => runWithResult(connection, { appId: 1, actionId: 2, payload: {} }),
      () => moveClock(connection, { to: 'a' }, { timeoutMs: 9 }),
    ];
    for (const work of works) await Promise.all([work().catch(() => {}), vi.advanceTimersByTimeAsync(0)]);
    expect(limit.mock.calls).toEqual([[20_000], [28_000], [28_000], [9]]);
  });
});

describe('a redirect', () => {
  it.each([[300], [302], [308], [399]])('with %i isn’t followed', async (status) => {
    respondingWith([() => new Response(null, { status })]);
    expect((await Promise.all([failure(listApps(connection)), vi.advanceTimersByTimeAsync(0)]))[0]).toMatchObject({
      code: 'ANSWER_REDIRECTED',
      status,
      message: expect.stringContaining('api.example.com'),
    });
  });

  it.each([[301], [302], [303], [307], [308], [0]])(
    'with %i in response to a change leaves its outcome unknown, and isn’t followed',
    async (status) => {
      // Browsers don’t reveal the status.
      respondingWith([() => (status === 0 ? Response.error() : new Response(null, { status }))]);
      const publishing = failure(publishRelease(connection, { appId: 7, release: { type: 'silent', changelog: 'x' } }));
      expect((await Promise.all([publishing, vi.advanceTimersByTimeAsync(0)]))[0]).toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        message: expect.stringMatching(/^Couldn’t confirm whether the update was published: .* redirected the request/),
      });
      expect(requests).toHaveLength(1);
    },
  );
});

describe('a change that waits for earlier ones', () => {
  const queued = (): { changes: ChangeChannel; start(): void } => {
    const { promise, resolve } = Promise.withResolvers<void>();
    return {
      start: resolve,
      changes: {
        async run(work, signal) {
          await Promise.race([
            promise,
            new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('Aborted.')))),
          ]);
          return work(fetch);
        },
      },
    };
  };

  it('has its whole time once it’s sent, however long it waited', async () => {
    const { changes, start } = queued();
    respondingWith([json({ now: '2026-11-02T08:00:00Z', virtual: true, queued: 0 })], 19_000);
    const moving = moveClock({ ...connection, changes }, { to: 'a' }, { timeoutMs: 20_000 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toEqual([]);
    start();
    await Promise.all([expect(moving).resolves.toMatchObject({ queued: 0 }), vi.advanceTimersByTimeAsync(19_000)]);
  });

  it('is never sent when it’s canceled first, and its outcome is known', async () => {
    const { changes, start } = queued();
    respondingWith([json({ now: 'a', virtual: true, queued: 0 })]);
    const controller = new AbortController();
    const moving = failure(moveClock({ ...connection, changes }, { to: 'a' }, { signal: controller.signal }));
    controller.abort();
    expect(await moving).toMatchObject({ code: 'ABORTED' });
    start();
    expect(requests).toEqual([]);
  });

  it('that can’t be sent says that nothing was sent', async () => {
    const changes = { run: () => Promise.reject(new Error('No page.')) };
    expect(await failure(moveClock({ ...connection, changes }, { to: 'a' }))).toMatchObject({
      code: 'CHANGE_NOT_SENT',
      message: 'Couldn’t send the change: No page. Nothing was sent.',
    });
  });
});

describe('a response that requests a delay', () => {
  const times = async (responses: (() => Response)[]): Promise<number[]> => {
    respondingWith(responses);
    await Promise.all([listApps(connection).catch(() => {}), vi.advanceTimersByTimeAsync(15_000)]);
    return requests.map(({ at }) => at);
  };

  it('without a time is retried after 0.3 seconds, then after twice as long', async () => {
    expect(await times([busy()])).toEqual([0, 300, 900]);
  });

  it('is retried after the requested time, up to 5 seconds', async () => {
    expect(await times([busy('5'), json({ apps: [] })])).toEqual([0, 5000]);
  });

  it('isn’t retried when the requested time is longer', async () => {
    expect(await times([busy('6')])).toEqual([0]);
  });

  it.each([
    ['HTTP', (date: Date) => date.toUTCString()],
    ['ISO 8601', (date: Date) => date.toISOString().replace('Z', '+00:00')],
  ])('may have a date as %s writes it', async (_name, write) => {
    vi.setSystemTime(1_800_000_000_000);
    startedAt = Date.now();
    expect(await times([busy(write(new Date(startedAt + 2000))), json({ apps: [] })])).toEqual([0, 2000]);
  });

  it('may have a date by the platform’s own clock', async () => {
    vi.setSystemTime(1_800_000_000_000);
    startedAt = Date.now();
    const date = new Date(startedAt - 3_600_000).toUTCString();
    const headers = { date, 'retry-after': new Date(startedAt - 3_598_000).toUTCString() };
    expect(await times([json({}, 503, headers), json({ apps: [] })])).toEqual([0, 2000]);
  });

  it.each([
    ['2 (rate limited)', 2000],
    ['2 seconds', 2000],
    ['2s', 2000],
    ['1.5', 1500],
    ['2, 2', 2000],
  ])('with the time “%s” is retried after %d milliseconds', async (time, milliseconds) => {
    expect(await times([busy(time), json({ apps: [] })])).toEqual([0, milliseconds]);
  });

  it.each(['60 (rate limited)', '60, 60', '9'.repeat(30)])('isn’t retried for the time “%s”', async (time) => {
    expect(await times([busy(time)])).toEqual([0]);
  });

  it.each([
    '0',
    '-5',
    '2 minutes',
    '2, 60',
    'a little',
    'in 2027',
    'after 2027',
    'try again in 40',
    '1',
    '',
    new Date(0).toUTCString(),
    '1999-01-01T00:00:00Z',
  ])('is never retried at once, whatever it requests: “%s”', async (time) => {
    const [, second, third] = await times([busy(time)]);
    expect(second).toBeGreaterThanOrEqual(300);
    expect(third! - second!).toBeGreaterThanOrEqual(600);
  });

  it('requests at most a day', async () => {
    respondingWith([busy('1000000000')]);
    expect(await failure(listApps(connection))).toMatchObject({ retryAfter: 86_400 });
  });

  it('is no longer retried after a cancel, which leaves no timer or listener behind', async () => {
    const abort = new AbortController();
    respondingWith([busy('4')]);
    const [error] = await Promise.all([
      failure(listApps(connection, { signal: abort.signal })),
      vi.advanceTimersByTimeAsync(100).then(() => abort.abort()),
    ]);
    expect(error).toMatchObject({ code: 'ABORTED' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a pause', () => {
  it('resolves after its time, and removes its listener', async () => {
    const { signal } = new AbortController();
    let done = false;
    void pause(50, signal).then(() => (done = true));
    await vi.advanceTimersByTimeAsync(49);
    expect(done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toBe(true);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects immediately with the reason of an aborted signal', async () => {
    const reason = new Error('enough');
    await expect(pause(50, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('a login that a proxy asks for isn’t taken for a refused token', async () => {
  respondingWith([
    () => new Response('<h1>401</h1>', { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }),
  ]);
  const [error] = await Promise.all([failure(listApps(connection)), vi.advanceTimersByTimeAsync(0)]);
  expect(error.code).toBe('LOGIN_REQUIRED');
});

describe('a token in a response', () => {
  it('is redacted wherever it occurs, even as JSON escapes it', async () => {
    const token = 'to"ken-12';
    respondingWith([
      json({ error: `E ${token}`, message: `No ${token}, ${token}`, details: [{ path: token, message: token }] }, 401),
    ]);
    const [error] = await Promise.all([failure(listApps({ ...connection, token })), vi.advanceTimersByTimeAsync(0)]);
    expect(error).toMatchObject({
      said: { code: 'E ••••', message: 'No ••••, ••••' },
      details: [{ path: '••••', message: '••••' }],
    });
  });

  it('isn’t redacted when it has fewer than eight characters, which could be part of other text', async () => {
    for (const [token, shown] of [
      ['platform', '••••'],
      ['plat-77', 'plat-77'],
    ] as const) {
      respondingWith([json({ error: 'E', message: `No ${token}.` }, 401)]);
      const [error] = await Promise.all([failure(listApps({ ...connection, token })), vi.advanceTimersByTimeAsync(0)]);
      expect(error.said?.message).toBe(`No ${shown}.`);
    }
  });
});

describe('waiting for a run', () => {
  const run = () => runWithResult(connection, { appId: 1, actionId: 2, payload: {} });
  const notYet = json({ runId: 'r/1' }, 202);

  it('polls at most once per second, and resolves as soon as the run has ended', async () => {
    respondingWith([notYet, notYet, notYet, json({ result: 7 })], 400);
    let ended = 0;
    const [result] = await Promise.all([
      run().finally(() => (ended = Date.now() - startedAt)),
      vi.advanceTimersByTimeAsync(10_000),
    ]);
    expect(result).toBe(7);
    expect(requests.map(({ at, method, url }) => [at, method, url])).toEqual([
      [0, 'POST', '/v1/apps/1/actions/2/run-with-result?by=id'],
      [400, 'GET', '/v1/apps/1/runs/r%2F1'],
      [1400, 'GET', '/v1/apps/1/runs/r%2F1'],
      [2400, 'GET', '/v1/apps/1/runs/r%2F1'],
    ]);
    expect(ended).toBe(2800);
    expect(requests[1]?.init.headers).toMatchObject({ Accept: 'application/json', Prefer: 'respond-async, wait=20' });
  });

  it('stops waiting after 170 seconds and reports that the run may still be running', async () => {
    respondingWith([notYet], 20_000);
    const [error] = await Promise.all([failure(run()), vi.advanceTimersByTimeAsync(220_000)]);
    expect(error).toEqual({
      code: 'OUTCOME_UNKNOWN',
      message: 'The run r/1 didn’t end within 170 seconds.',
      hint: expect.stringContaining('The run may still be running.'),
    });
    expect(requests).toHaveLength(10);
  });

  it('resolves to null for a run without a result', async () => {
    respondingWith([json({})]);
    expect((await Promise.all([run(), vi.advanceTimersByTimeAsync(0)]))[0]).toBeNull();
  });

  it.each([
    ['no id', {}],
    ['an empty id', { runId: '' }],
    ['an id without end', { runId: 'x'.repeat(101) }],
  ])('rejects an interim response with %s', async (_what, body) => {
    respondingWith([json(body, 202)]);
    expect((await Promise.all([failure(run()), vi.advanceTimersByTimeAsync(0)]))[0]).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      message: expect.stringContaining('The response isn’t a valid queued run: /runId is invalid'),
    });
  });
});
