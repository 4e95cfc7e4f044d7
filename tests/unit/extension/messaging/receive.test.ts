/** Tests that the worker responds only to its own pages, only to valid messages, and always with a Result. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../../lib/platform-api/index.ts';
import { measure } from '../../../../lib/extension/messaging/measure.ts';
import type { Handlers } from '../../../../lib/extension/messaging/receive.ts';
import { receive } from '../../../../lib/extension/messaging/receive.ts';
import { createSend } from '../../../../lib/extension/messaging/send.ts';
import { createRefusals } from '../../../../lib/extension/messaging/refusals.ts';
import { RULES } from '../../../../lib/extension/messaging/rules.ts';
import { unreadableOf, withUnreadable } from '../../../../lib/platform-api/lists/unreadable.ts';
import { fakeHandlers } from '../../../support/fake-handlers.ts';

const runtime = { id: 'ours', getURL: (path: string) => `chrome-extension://ours${path}` };
const options = { id: 'ours', url: 'chrome-extension://ours/options.html' };
const panel = { id: 'ours', url: 'chrome-extension://ours/panel.html?theme=dark#run' };
const app = { id: 'ours', url: 'chrome-extension://ours/app.html?environment=e&app=7&version=13' };

const handlers = (defined: Partial<Handlers> = {}): Handlers =>
  fakeHandlers({ 'environments.list': () => Promise.resolve([]), ...defined });
function cyclic(): unknown {
  const list: unknown[] = [];
  list.push({ list });
  return list;
}
const message = (name: string, takes?: unknown) => ({ to: 'background', name, takes });
const code = (result: Awaited<ReturnType<typeof receive>>) => (result.ok ? 'ok' : result.error.code);

describe('the sender of a message', () => {
  it('is accepted when it is a page of the extension, with any query or fragment', async () => {
    expect(await receive(handlers(), runtime, message('environments.list'), panel)).toEqual({ ok: true, value: [] });
    expect(
      await receive(handlers(), runtime, message('environments.list'), { ...panel, origin: 'chrome-extension://ours' }),
    ).toEqual({ ok: true, value: [] });
  });

  it.each([
    ['another extension', { id: 'theirs', url: 'chrome-extension://theirs/options.html' }],
    [
      'a content script, which has our id and the address of its page',
      { id: 'ours', url: 'https://example.com/options.html' },
    ],
    [
      'a web page that imitates the path',
      { id: 'ours', url: 'https://example.com/?chrome-extension://ours/options.html' },
    ],
    ['another page of the extension', { id: 'ours', url: 'chrome-extension://ours/devtools.html' }],
    ['a path that only starts like the extension’s', { id: 'ours', url: 'chrome-extension://ours/options.html.evil' }],
    [
      'a sandboxed document, which has no origin of its own',
      { id: 'ours', url: 'chrome-extension://ours/options.html', origin: 'null' },
    ],
    [
      'a document of another origin than its address',
      { id: 'ours', url: 'chrome-extension://ours/options.html', origin: 'https://example.com' },
    ],
    ['a sender without a URL', { id: 'ours' }],
    ['an empty sender', {}],
  ])('is rejected when it is %s', async (_who, sender) => {
    expect(code(await receive(handlers(), runtime, message('environments.list'), sender))).toBe('SENDER_REFUSED');
  });

  it('is rejected when it is a page that may not send this message', async () => {
    const takes = { name: 'x', preset: 'custom', baseUrl: 'https://api.example.com' };
    expect(code(await receive(handlers(), runtime, message('environments.save', takes), panel))).toBe('SENDER_REFUSED');
    expect(code(await receive(handlers(), runtime, message('data.erase'), panel))).toBe('SENDER_REFUSED');
    expect(code(await receive(handlers(), runtime, message('debugPage.open', {}), options))).toBe('SENDER_REFUSED');
  });

  it('may read and unlock from an app’s own page, but change nothing on the platform', async () => {
    expect(code(await receive(handlers(), runtime, message('environments.list'), app))).toBe('ok');
    expect(
      Object.keys(RULES)
        .filter((name) => (RULES[name as keyof typeof RULES].from as readonly string[]).includes('app'))
        .sort(),
    ).toEqual([
      'apps.list',
      'clock.get',
      'environments.list',
      'publish.list',
      'sessions.list',
      'vault.active',
      'vault.lock',
      'vault.state',
      'vault.unlock',
      'worker.cancel',
      'worker.ping',
    ]);
    expect(code(await receive(handlers(), runtime, message('publish.settle', { id: 'x' }), app))).toBe(
      'SENDER_REFUSED',
    );
  });
});

describe('the content of a message', () => {
  it.each([
    ['not an object', 'environments.list'],
    ['null', null],
    ['undefined', undefined],
    ['an unknown name', message('vault.token', { id: 'x' })],
    ['a name of Object.prototype', message('constructor')],
    ['a message to another recipient', { to: 'page', name: 'environments.list' }],
  ])('is rejected when it is %s', async (_what, value) => {
    expect(code(await receive(handlers(), runtime, value, options))).toBe('MESSAGE_UNKNOWN');
  });

  it('is rejected before it is read when it is too large', async () => {
    expect(code(await receive(handlers(), runtime, message('environments.list', 'x'.repeat(20_000)), options))).toBe(
      'MESSAGE_TOO_LARGE',
    );
  });

  it('may be an action of up to a megabyte with keys such as __proto__, and its limit is named otherwise', async () => {
    const seen: unknown[] = [];
    const create = handlers({
      'actions.create': (takes) => {
        seen.push(takes);
        return Promise.reject(new CodedError({ code: 'STOP', message: 'enough' }));
      },
    });
    const action = (length: number) =>
      JSON.parse(`{"functions":[{"settings":{"__proto__":{"text":"${'x'.repeat(length)}"}}}],"name":"a"}`) as unknown;
    const takes = (length: number) => ({ environmentId: 'e', appId: 1, action: action(length) });
    expect(code(await receive(create, runtime, message('actions.create', takes(900_000)), panel))).toBe('STOP');
    expect(JSON.stringify(seen[0])).toBe(JSON.stringify(takes(900_000)));
    expect(await receive(create, runtime, message('actions.create', takes(10_000_000)), panel)).toMatchObject({
      ok: false,
      error: {
        code: 'MESSAGE_TOO_LARGE',
        message: expect.stringContaining('1,048,576'),
        hint: 'Try again with less data.',
      },
    });
    expect(seen).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['actions.create', { appId: 1, action: { name: 'a b' } }],
    ['actions.update', { appId: 1, actionId: 2, change: { revision: 'x' } }],
    ['actions.remove', { appId: 1, actionId: -2 }],
    ['actions.publish', { appId: 1, actionId: 2, publish: 'yes' }],
    ['actions.run', { appId: 1, actionId: 2, payload: [] }],
    ['actions.runWithResult', { appId: 1, actionId: 2.5, payload: {} }],
    ['actions.run', { appId: 1, actionId: 2, payload: {}, mocks: [{ target: { step: 1 } }] }],
    ['logs.recording', { appId: 1, logId: 'x' }],
    ['sessions.list', { appId: 1, limit: 0, offset: 0 }],
    ['sessions.list', { appId: 1, limit: 5, offset: -1 }],
    ['sessions.list', { appId: 1 }],
    ['logs.list', { appId: 1, query: { where: { other: 1 } } }],
    ['logs.create', { appId: 1, log: { type: 'two words' } }],
  ])('is rejected in %s for %j', async (name, takes) => {
    expect(code(await receive(handlers(), runtime, message(name, { environmentId: 'e', ...takes }), panel))).toBe(
      'MESSAGE_INVALID',
    );
    expect(code(await receive(handlers(), runtime, message(name, { environmentId: 'e', ...takes }), options))).toBe(
      'SENDER_REFUSED',
    );
  });

  let deep: unknown = 'x';
  for (let level = 0; level < 100_000; level++) deep = [deep];
  it.each([
    ['cyclic', cyclic(), 'MESSAGE_TOO_DEEP'],
    ['100,000 levels', deep, 'MESSAGE_TOO_DEEP'],
    ['a BigInt', { n: 1n }, 'MESSAGE_NOT_DATA'],
    ['a function', { f: () => 1 }, 'MESSAGE_NOT_DATA'],
    ['a symbol', Symbol('s'), 'MESSAGE_NOT_DATA'],
    ['a Map', new Map([[1, 2]]), 'MESSAGE_NOT_DATA'],
    ['bytes', new Uint8Array(8), 'MESSAGE_NOT_DATA'],
    ['a date', new Date(0), 'MESSAGE_NOT_DATA'],
    [
      'a property that throws',
      {
        get p() {
          throw new Error('no');
        },
      },
      'MESSAGE_NOT_DATA',
    ],
    ['a revoked proxy', revoked(), 'MESSAGE_NOT_DATA'],
    ['an array of a billion holes', Object.assign([], { length: 1e9 }), 'MESSAGE_TOO_LARGE'],
    [
      'the same list in a list in a list, 2^40 in all',
      Array.from({ length: 40 }).reduce<unknown>((inner) => [inner, inner], 'x'),
      'MESSAGE_TOO_LARGE',
    ],
  ])('is rejected quickly when structured cloning allows it and JSON doesn’t: %s', async (_what, takes, refusal) => {
    const before = process.cpuUsage();
    expect(code(await receive(handlers(), runtime, message('environments.remove', takes), options))).toBe(refusal);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(200);
  });

  it('is rejected when its parts throw', async () => {
    expect(
      code(
        await receive(
          handlers(),
          runtime,
          {
            to: 'background',
            get name() {
              throw new Error('no');
            },
          },
          options,
        ),
      ),
    ).toBe('MESSAGE_UNKNOWN');
  });

  it('is measured as JSON would be', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(measure(value, 1e6)).toBe(JSON.stringify(value).length);
      }),
    );
    expect(measure('x'.repeat(20), 10)).toBe(11);
  });

  it('is rejected with the position of an invalid value', async () => {
    const result = await receive(
      handlers(),
      runtime,
      message('actions.list', { environmentId: 'e', appId: '7' }),
      panel,
    );
    expect(result).toMatchObject({ ok: false, error: { code: 'MESSAGE_INVALID', details: [{ path: '/appId' }] } });
    expect(
      code(
        await receive(
          handlers(),
          runtime,
          message('apps.list', { environmentId: 'e', baseUrl: 'https://evil.example' }),
          panel,
        ),
      ),
    ).toBe('MESSAGE_INVALID');
  });

  it('is rejected with the problem of a draft that is to be tested', async () => {
    const draft = { name: 'EU', preset: 'eu', baseUrl: 'ftp://example.com' };
    expect(await receive(handlers(), runtime, message('environments.test', { draft }), options)).toMatchObject({
      ok: false,
      error: {
        code: 'MESSAGE_INVALID',
        message: expect.stringContaining('Use https'),
        details: [{ path: '/draft/baseUrl' }],
      },
    });
  });

  it('is passed on as parsed, with its defaults', async () => {
    const seen: unknown[] = [];
    const save = (takes: unknown) => {
      seen.push(takes);
      return Promise.reject(new CodedError({ code: 'STOP', message: 'enough' }));
    };
    const takes = { name: ' EU ', preset: 'eu', baseUrl: 'https://api.example.com/', token: ' abc ' };
    expect(
      code(
        await receive(handlers({ 'environments.save': save }), runtime, message('environments.save', takes), options),
      ),
    ).toBe('STOP');
    expect(seen).toEqual([
      {
        name: 'EU',
        preset: 'eu',
        baseUrl: 'https://api.example.com',
        token: 'abc',
        namespace: 'Platform',
        production: false,
      },
    ]);
  });
});

describe('the response to a message', () => {
  it('has what couldn’t be read of a list beside it, also after it was sent', async () => {
    const unreadable = [{ id: 2, item: 'ID 2', why: 'timezone: no' }];
    const listing = handlers({
      'apps.list': () => Promise.resolve(withUnreadable([{ id: 1 }] as never[], unreadable)),
    });
    const answer = await receive(listing, runtime, message('apps.list', { environmentId: 'e' }), panel);
    expect(answer).toEqual({ ok: true, value: [{ id: 1 }], unreadable });
    const transferred = JSON.parse(JSON.stringify(answer)) as object;
    const send = createSend({ id: 'x', sendMessage: () => Promise.resolve(transferred) });
    const received = await send('apps.list', { environmentId: 'e' });
    expect(received.ok && unreadableOf(received.value)).toEqual(unreadable);
  });

  it('preserves the code, message, and hint of a failure', async () => {
    const error = { code: 'TOKEN_REFUSED', message: 'No.', hint: 'Enter another.', status: 401 };
    const failing = handlers({ 'apps.list': () => Promise.reject(new CodedError(error)) });
    expect(await receive(failing, runtime, message('apps.list', { environmentId: 'e' }), panel)).toEqual({
      ok: false,
      error,
    });
  });

  it('is sent even when a handler throws something other than an Error', async () => {
    const failing = handlers({
      'environments.list': () => {
        throw 'oops';
      },
    });
    expect(await receive(failing, runtime, message('environments.list'), options)).toEqual({
      ok: false,
      error: { code: 'UNEXPECTED', message: 'oops' },
    });
  });

  it.each([
    ['has no text form', Object.create(null) as unknown],
    ['can’t be inspected', revoked()],
  ])('is sent even when what a handler throws %s', async (_what, thrown) => {
    const failing = handlers({ 'environments.list': () => Promise.reject(thrown) });
    expect(await receive(failing, runtime, message('environments.list'), options)).toEqual({
      ok: false,
      error: { code: 'UNEXPECTED', message: 'Something failed without an error message.' },
    });
  });

  it.each<[string, unknown, string]>([
    ['larger than a message can be', 'x'.repeat(61 * 1024 * 1024), 'ANSWER_TOO_LARGE'],
    ['cyclic', cyclic(), 'ANSWER_TOO_DEEP'],
    ['not data', [1n], 'ANSWER_NOT_DATA'],
  ])('has its own code when it is %s, and says that a change was made', async (_what, value, refusal) => {
    const large = handlers({ 'actions.runWithResult': () => Promise.resolve({ result: value, milliseconds: 1 }) });
    expect(
      await receive(
        large,
        runtime,
        message('actions.runWithResult', { environmentId: 'e', appId: 1, actionId: 2, payload: {} }),
        panel,
      ),
    ).toMatchObject({
      ok: false,
      error: {
        code: refusal,
        message: expect.stringMatching(/^The request was carried out\. The response /),
        hint: 'Check the current state before you try again.',
      },
    });
    const many = handlers({ 'environments.list': () => Promise.resolve(value as never) });
    expect(await receive(many, runtime, message('environments.list'), options)).toMatchObject({
      ok: false,
      error: { code: refusal, message: expect.stringMatching(/^The response /), hint: 'Try again with less data.' },
    });
  });
});

describe('the count of rejected messages', () => {
  const session = () => {
    const saved: Record<string, unknown> = {};
    return {
      saved,
      get: (key: string) => Promise.resolve({ [key]: saved[key] }),
      set: (items: object) => Promise.resolve(void Object.assign(saved, structuredClone(items))),
    };
  };

  it('increases for each code and reason, with the time of the last one and none of its content', async () => {
    let time = 1_000;
    const refusals = createRefusals(session(), () => time++);
    const ask = (value: unknown, sender: object) => receive(handlers(), runtime, value, sender, refusals.count);
    await ask(message('environments.list'), options);
    await ask(message('environments.list', 'token-abcdef'), {
      id: 'theirs',
      url: 'chrome-extension://theirs/token-abcdef.html',
    });
    for (const name of ['token-abcdef', 'constructor']) await ask(message(name), options);
    await ask(message('data.erase'), panel);
    await ask(message('environments.remove', { id: 5, token: 'token-abcdef' }), options);
    await ask(message('environments.remove', 'token-abcdef'.repeat(9_000)), options);
    const reported = await refusals.read();
    expect(reported).toEqual({
      since: 1_000,
      refusals: [
        {
          code: 'MESSAGE_TOO_LARGE',
          reason: 'environments.remove is limited to 16,384 characters. This one has more.',
          count: 1,
          last: 1_006,
        },
        { code: 'MESSAGE_INVALID', reason: 'environments.remove has an invalid format.', count: 1, last: 1_005 },
        { code: 'SENDER_REFUSED', reason: 'The panel page may not send data.erase.', count: 1, last: 1_004 },
        {
          code: 'MESSAGE_UNKNOWN',
          reason: 'The background worker doesn’t recognize this message.',
          count: 2,
          last: 1_003,
        },
        {
          code: 'SENDER_REFUSED',
          reason: 'Only the extension’s own pages may send messages.',
          count: 1,
          last: 1_001,
        },
      ],
    });
    expect(JSON.stringify(reported)).not.toContain('abcdef');
  });

  it('continues the counts of an earlier worker', async () => {
    const area = session();
    const first = createRefusals(area, () => 1);
    first.count('MESSAGE_UNKNOWN', 'unknown');
    await first.read();
    await Promise.resolve();
    const second = createRefusals(area, () => 5);
    second.count('MESSAGE_UNKNOWN', 'unknown');
    expect(await second.read()).toEqual({
      since: 1,
      refusals: [{ code: 'MESSAGE_UNKNOWN', reason: 'unknown', count: 2, last: 5 }],
    });
  });

  it.each([
    ['nothing can be stored', undefined],
    [
      'what is stored is damaged',
      {
        get: () => Promise.resolve({ 'messages.refused': { since: 'x' } }),
        set: () => Promise.reject(new Error('no')),
      },
    ],
    ['reading fails', { get: () => Promise.reject(new Error('no')), set: () => Promise.reject(new Error('no')) }],
  ])('starts with the worker when %s', async (_what, area) => {
    const refusals = createRefusals(area, () => 3);
    refusals.count('MESSAGE_UNKNOWN', 'unknown');
    expect(await refusals.read()).toEqual({
      since: 3,
      refusals: [{ code: 'MESSAGE_UNKNOWN', reason: 'unknown', count: 1, last: 3 }],
    });
  });

  it('is written less often than messages arrive during a flood', async () => {
    let writes = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const refusals = createRefusals(
      { get: () => promise.then(() => ({})), set: () => Promise.resolve(void writes++) },
      () => 1,
    );
    for (let n = 0; n < 10_000; n++) refusals.count('MESSAGE_UNKNOWN', 'unknown');
    resolve();
    expect((await refusals.read()).refusals[0]?.count).toBe(10_000);
    expect(writes).toBe(1);
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}
