/** Owns the proof that the worker answers only its own pages, only well-formed messages, and always with a Result. */
import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../lib/contract/index.ts';
import type { Handlers } from '../../../lib/messaging/receive.ts';
import { receive } from '../../../lib/messaging/receive.ts';
import { RULES } from '../../../lib/messaging/rules.ts';

const runtime = { id: 'ours', getURL: (path: string) => `chrome-extension://ours${path}` };
const options = { id: 'ours', url: 'chrome-extension://ours/options.html' };
const panel = { id: 'ours', url: 'chrome-extension://ours/panel.html?theme=dark#run' };
const app = { id: 'ours', url: 'chrome-extension://ours/app.html?environment=e&app=7&version=13' };

function handlers(over: Partial<Handlers> = {}): Handlers {
  const never = () => Promise.reject(new Error('not asked for in this test'));
  return { ...(Object.fromEntries(Object.keys(RULES).map((name) => [name, never])) as unknown as Handlers), 'environments.list': () => Promise.resolve([]), ...over };
}
const message = (name: string, takes?: unknown) => ({ to: 'background', name, takes });
const code = (result: Awaited<ReturnType<typeof receive>>) => (result.ok ? 'ok' : result.error.code);

describe('who may ask', () => {
  it('answers a page of the extension, whatever follows its path', async () => {
    expect(await receive(handlers(), runtime, message('environments.list'), panel)).toEqual({ ok: true, value: [] });
  });

  it.each([
    ['another extension', { id: 'theirs', url: 'chrome-extension://theirs/options.html' }],
    ['a content script, which has our id and the address of its page', { id: 'ours', url: 'https://example.com/options.html' }],
    ['a web page that imitates the path', { id: 'ours', url: 'https://example.com/?chrome-extension://ours/options.html' }],
    ['another page of ours', { id: 'ours', url: 'chrome-extension://ours/devtools.html' }],
    ['a path that only begins like ours', { id: 'ours', url: 'chrome-extension://ours/options.html.evil' }],
    ['a sender without address', { id: 'ours' }],
    ['a sender without anything', {}],
  ])('refuses %s', async (_who, sender) => {
    expect(code(await receive(handlers(), runtime, message('environments.list'), sender))).toBe('SENDER_REFUSED');
  });

  it('refuses a page that may not send this message', async () => {
    const takes = { name: 'x', preset: 'custom', baseUrl: 'https://api.example.com' };
    expect(code(await receive(handlers(), runtime, message('environments.save', takes), panel))).toBe('SENDER_REFUSED');
    expect(code(await receive(handlers(), runtime, message('data.erase'), panel))).toBe('SENDER_REFUSED');
    expect(code(await receive(handlers(), runtime, message('debugPage.open', {}), options))).toBe('SENDER_REFUSED');
  });

  it('lets an app’s own page read and unlock, and change nothing on the platform', async () => {
    expect(code(await receive(handlers(), runtime, message('environments.list'), app))).toBe('ok');
    expect(Object.keys(RULES).filter((name) => (RULES[name as keyof typeof RULES].from as readonly string[]).includes('app')).sort()).toEqual(['apps.list', 'clock.get', 'environments.list', 'publish.list', 'sessions.list', 'vault.active', 'vault.lock', 'vault.state', 'vault.unlock']);
    expect(code(await receive(handlers(), runtime, message('publish.settle', { id: 'x' }), app))).toBe('SENDER_REFUSED');
  });
});

describe('what is understood', () => {
  it.each([
    ['no object', 'environments.list'], ['null', null], ['undefined', undefined], ['an unknown name', message('vault.token', { id: 'x' })],
    ['a name of Object.prototype', message('constructor')], ['a message to somebody else', { to: 'page', name: 'environments.list' }],
  ])('refuses %s', async (_what, value) => {
    expect(code(await receive(handlers(), runtime, value, options))).toBe('MESSAGE_UNKNOWN');
  });

  it('refuses a message that is too large before reading it', async () => {
    expect(code(await receive(handlers(), runtime, message('environments.list', 'x'.repeat(20_000)), options))).toBe('MESSAGE_TOO_LARGE');
  });

  it.each<[string, () => unknown]>([
    ['contains itself', () => { const ring: Record<string, unknown> = {}; ring.ring = ring; return ring; }],
    ['has what JSON has no word for', () => ({ id: 12n })],
    ['cannot be read', () => ({ get id() { throw new Error('no'); } })],
  ])('refuses a message that %s', async (_what, takes) => {
    expect(code(await receive(handlers(), runtime, message('environments.remove', takes()), options))).toBe('MESSAGE_INVALID');
  });

  it('takes an action of up to a megabyte, keys such as __proto__ as they are, and says how much is too much', async () => {
    const seen: unknown[] = [];
    const create = handlers({ 'actions.create': (takes) => { seen.push(takes); return Promise.reject(new CodedError({ code: 'STOP', message: 'enough' })); } });
    const action = (length: number) => JSON.parse(`{"functions":[{"settings":{"__proto__":{"text":"${'x'.repeat(length)}"}}}],"name":"a"}`) as unknown;
    const takes = (length: number) => ({ environmentId: 'e', appId: 1, action: action(length) });
    expect(code(await receive(create, runtime, message('actions.create', takes(900_000)), panel))).toBe('STOP');
    expect(JSON.stringify(seen[0])).toBe(JSON.stringify(takes(900_000)));
    expect(await receive(create, runtime, message('actions.create', takes(10_000_000)), panel)).toMatchObject({ ok: false, error: { code: 'MESSAGE_TOO_LARGE', message: expect.stringContaining('1,048,576'), next: 'Send less.' } });
    expect(seen).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['actions.create', { appId: 1, action: { name: 'a b' } }], ['actions.update', { appId: 1, actionId: 2, change: { revision: 'x' } }], ['actions.remove', { appId: 1, actionId: -2 }],
    ['actions.publish', { appId: 1, actionId: 2, publish: 'yes' }], ['actions.run', { appId: 1, actionId: 2, payload: [] }], ['actions.runWithResult', { appId: 1, actionId: 2.5, payload: {} }],
    ['sessions.list', { appId: 1, limit: 0, offset: 0 }], ['sessions.list', { appId: 1, limit: 5, offset: -1 }], ['sessions.list', { appId: 1 }],
    ['logs.list', { appId: 1, query: { where: { other: 1 } } }], ['logs.create', { appId: 1, log: { type: 'two words' } }],
  ])('refuses %s %j', async (name, takes) => {
    expect(code(await receive(handlers(), runtime, message(name, { environmentId: 'e', ...takes }), panel))).toBe('MESSAGE_INVALID');
    expect(code(await receive(handlers(), runtime, message(name, { environmentId: 'e', ...takes }), options))).toBe('SENDER_REFUSED');
  });

  it('refuses values of another form and says where', async () => {
    const result = await receive(handlers(), runtime, message('actions.list', { environmentId: 'e', appId: '7' }), panel);
    expect(result).toMatchObject({ ok: false, error: { code: 'MESSAGE_INVALID', details: [{ path: '/appId' }] } });
    expect(code(await receive(handlers(), runtime, message('apps.list', { environmentId: 'e', baseUrl: 'https://evil.example' }), panel))).toBe('MESSAGE_INVALID');
  });

  it('says what is wrong with a draft that is to be tested', async () => {
    const draft = { name: 'EU', preset: 'eu', baseUrl: 'ftp://example.com' };
    expect(await receive(handlers(), runtime, message('environments.test', { draft }), options)).toMatchObject({
      ok: false, error: { code: 'MESSAGE_INVALID', message: expect.stringContaining('Use https'), details: [{ path: '/draft/baseUrl' }] },
    });
  });

  it('hands over what was parsed, with its defaults', async () => {
    const seen: unknown[] = [];
    const save = (takes: unknown) => {
      seen.push(takes);
      return Promise.reject(new CodedError({ code: 'STOP', message: 'enough' }));
    };
    const takes = { name: ' EU ', preset: 'eu', baseUrl: 'https://api.example.com/', token: ' abc ' };
    expect(code(await receive(handlers({ 'environments.save': save }), runtime, message('environments.save', takes), options))).toBe('STOP');
    expect(seen).toEqual([{ name: 'EU', preset: 'eu', baseUrl: 'https://api.example.com', token: 'abc', namespace: 'Platform', production: false }]);
  });
});

describe('what comes back', () => {
  it('keeps the code, the sentence and the next step of a failure', async () => {
    const error = { code: 'TOKEN_REFUSED', message: 'No.', next: 'Enter another.', status: 401 };
    const failing = handlers({ 'apps.list': () => Promise.reject(new CodedError(error)) });
    expect(await receive(failing, runtime, message('apps.list', { environmentId: 'e' }), panel)).toEqual({ ok: false, error });
  });

  it('answers even when a handler throws what is no Error', async () => {
    const failing = handlers({ 'environments.list': () => { throw 'oops'; } });
    expect(await receive(failing, runtime, message('environments.list'), options)).toEqual({ ok: false, error: { code: 'UNEXPECTED', message: 'oops' } });
  });

  it('answers even when what a handler throws has no text form', async () => {
    const failing = handlers({ 'environments.list': () => Promise.reject(Object.create(null)) });
    expect(await receive(failing, runtime, message('environments.list'), options)).toEqual({ ok: false, error: { code: 'UNEXPECTED', message: 'Something failed without saying why.' } });
  });
});
