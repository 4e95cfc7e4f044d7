/**
 * Tests the table of messages: who may send each, which fields it accepts, and which are sent again when the worker
 * stops.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CodedError } from '../../../../lib/platform-api/index.ts';
import type { MessageName, Surface } from '../../../../lib/extension/messaging/protocol.ts';
import type { Handlers } from '../../../../lib/extension/messaging/receive.ts';
import { receive } from '../../../../lib/extension/messaging/receive.ts';
import { RULES } from '../../../../lib/extension/messaging/rules.ts';
import { createSend } from '../../../../lib/extension/messaging/send.ts';

interface Promised {
  from: readonly Surface[];
  takes?: Record<string, unknown>;
  /** Fields that may be left out. */
  may?: Record<string, unknown>;
  /** Sent again when the worker stops: it changes nothing, or is idempotent. */
  again?: true;
  /** Largest message, in characters; 16,384 by default. */
  most?: number;
}

const SURFACES = ['options', 'panel', 'popup', 'app'] as const;
const everywhere = ['options', 'panel', 'popup', 'app'] as const;
const environmentId = 'e';
const ofApp = { environmentId, appId: 1 };
const ofAction = { ...ofApp, actionId: 0 };
const debugPage = { environmentId, tabId: 3, appId: 1, taskId: 2 };
const page = { ...ofApp, tabId: 3, page: 'live' };
const passphrase = 'four words are better';
const mocks = [{ target: { package: 'com.example.function.one' }, outcome: { value: [null] } }];
const MB = 1024 * 1024;
const firingV3 = { active: false, triggers: [{ trigger: 'manual' }], frequency: null, timezone: null };
const draftV3 = { name: 'v3', code: '', description: null, environment: 'server', dependencies: [] };

const PROMISED: Record<MessageName, Promised> = {
  'environments.list': { from: everywhere, again: true },
  'environments.save': {
    from: ['options'],
    takes: { name: 'EU', preset: 'eu', baseUrl: 'https://api.example.com' },
    may: { id: 'e', token: 'abcdefgh', namespace: 'Platform', production: true },
  },
  'environments.remove': { from: ['options'], takes: { id: 'e' } },
  'localPlatform.find': { from: ['options'], again: true, takes: { port: 4400 } },
  'access.release': { from: ['options'], takes: { baseUrl: 'https://api.example.com' } },
  'environments.test': { from: ['options'], takes: { id: 'e' }, again: true },
  'apps.list': { from: everywhere, takes: { environmentId }, again: true },
  'sessions.list': { from: ['panel', 'app'], takes: { ...ofApp, limit: 1, offset: 0 }, again: true },
  'functions.list': { from: ['panel'], takes: { environmentId }, again: true },
  'dataSources.list': { from: ['panel'], takes: ofApp, again: true },
  'actions.list': { from: ['panel'], takes: ofApp, may: { limit: 10, offset: 20 }, again: true },
  'actions.create': { from: ['panel'], takes: { ...ofApp, action: { name: 'weekly' } }, most: MB },
  'actions.update': { from: ['panel'], takes: { ...ofAction, change: { active: false } }, most: MB },
  'actions.remove': { from: ['panel'], takes: ofAction },
  'actions.publish': { from: ['panel'], takes: { ...ofAction, publish: true }, may: { revision: 4 } },
  'actions.revisions': { from: ['panel'], takes: ofAction, again: true },
  'actions.revision': { from: ['panel'], takes: { ...ofAction, revision: 3 }, again: true },
  'actions.restore': { from: ['panel'], takes: { ...ofAction, revision: 3 }, may: { expected: 4 } },
  'actions.run': { from: ['panel'], takes: { ...ofAction, payload: {} }, may: { mocks, record: true }, most: MB },
  'actions.runWithResult': {
    from: ['panel'],
    takes: { ...ofAction, payload: {} },
    may: { mocks, record: true },
    most: MB,
  },
  'actionsV3.list': { from: ['panel'], takes: { ...ofApp, limit: 1, offset: 0 }, again: true },
  'actionsV3.get': { from: ['panel'], takes: ofAction, again: true },
  'actionsV3.create': { from: ['panel'], takes: { ...ofApp, action: { ...firingV3, ...draftV3 } }, most: MB },
  'actionsV3.update': { from: ['panel'], takes: { ...ofAction, change: firingV3 }, may: { revision: 4 }, most: MB },
  'actionsV3.publish': { from: ['panel'], takes: ofAction, may: { revision: 4 } },
  'actionsV3.unpublish': { from: ['panel'], takes: ofAction },
  'actionsV3.remove': { from: ['panel'], takes: ofAction },
  'actionsV3.run': { from: ['panel'], takes: { ...ofAction, payload: {} }, most: MB },
  'logs.list': { from: ['panel'], takes: { ...ofApp, query: {} }, again: true },
  'logs.recording': { from: ['panel'], takes: { ...ofApp, logId: 9 }, again: true },
  'logs.create': { from: ['panel'], takes: { ...ofApp, log: { type: 'a.b' } }, most: MB },
  'secrets.mask': { from: ['panel'], takes: { texts: ['a'] }, again: true, most: 4 * MB },
  'clock.get': { from: ['panel', 'app'], takes: { environmentId }, again: true },
  'clock.move': { from: ['panel'], takes: { environmentId, to: '2026-11-01T00:00:00.000Z' } },
  'debugPage.open': { from: ['panel'], takes: debugPage, may: { leaveFirst: true } },
  'debugPage.allowReload': { from: ['panel'], takes: debugPage },
  'pages.open': { from: ['panel'], takes: page, may: { screen: 5 } },
  'pages.allowReload': { from: ['panel'], takes: page, may: { screen: 5 } },
  'publish.preview': { from: ['popup', 'panel'], takes: ofApp, again: true },
  'publish.start': {
    from: ['popup'],
    takes: {
      ...ofApp,
      id: 'p',
      appName: 'Field',
      release: { type: 'silent', changelog: 'x' },
      expected: { version: 1, updatedAt: 'a' },
    },
    again: true,
    most: MB,
  },
  'publish.list': { from: ['popup', 'panel', 'app'], again: true },
  'publish.settle': { from: ['popup', 'panel'], takes: { id: 'p' }, again: true },
  'publish.cancel': { from: ['popup'], takes: { id: 'p' }, again: true },
  'publish.discard': { from: ['popup', 'panel'], takes: { id: 'p' }, again: true },
  'publish.seen': { from: ['popup'], takes: { ids: ['p'] }, again: true },
  'environments.export': { from: ['options'], takes: {}, may: { passphrase }, again: true },
  'environments.readFile': { from: ['options'], takes: { text: '{}' }, again: true, most: 2.5 * MB },
  'environments.import': { from: ['options'], takes: { text: '{}' }, may: { passphrase: 'x' }, most: 2.5 * MB },
  'guard.list': { from: ['panel'], again: true },
  'guard.unlock': { from: ['panel'], takes: { environmentId } },
  'guard.lock': { from: ['panel'], takes: { environmentId }, again: true },
  'vault.state': { from: SURFACES, again: true },
  'vault.unlock': { from: SURFACES, takes: { passphrase: 'x' } },
  'vault.lock': { from: everywhere, again: true },
  'vault.active': { from: SURFACES, again: true },
  'vault.protect': { from: ['options'], takes: { passphrase, idleMinutes: 15 } },
  'vault.changePassphrase': { from: ['options'], takes: { current: 'x', passphrase } },
  'vault.setIdle': { from: ['options'], takes: { idleMinutes: 15 }, again: true },
  'vault.unprotect': { from: ['options'], takes: { passphrase: 'x' } },
  'vault.reset': { from: ['options'], again: true },
  'worker.ping': { from: SURFACES, takes: { id: 'm' }, again: true },
  'worker.cancel': { from: everywhere, takes: { id: 'm' }, again: true },
  'messages.refused': { from: ['options'], again: true },
  'data.erase': { from: ['options'] },
};
const NAMES = Object.keys(PROMISED) as MessageName[];

const runtime = { id: 'ours', getURL: (path: string) => `chrome-extension://ours${path}` };
const senderOf = (surface: Surface) => ({ id: 'ours', url: `chrome-extension://ours/${surface}.html` });
const DONE = 'DONE';
const done = () => Promise.reject(new CodedError({ code: DONE, message: 'The handler was asked.' }));
const handlers = Object.fromEntries(NAMES.map((name) => [name, done])) as unknown as Handlers;

async function codeOf(name: string, takes: unknown, surface: Surface): Promise<string> {
  const result = await receive(handlers, runtime, { to: 'background', name, takes }, senderOf(surface));
  return result.ok ? 'ok' : result.error.code;
}

it('every message is in this table', () => {
  expect(NAMES.toSorted()).toEqual(Object.keys(RULES).toSorted());
});

describe.each(NAMES)('%s', (name) => {
  const { from, takes, may = {}, most = 16_384 } = PROMISED[name];
  const sender = from[0] as Surface;

  it('is accepted from the pages that need it, and from no others', async () => {
    for (const surface of SURFACES)
      expect({ surface, code: await codeOf(name, takes, surface) }).toEqual({
        surface,
        code: from.includes(surface) ? DONE : 'SENDER_REFUSED',
      });
  });

  it('accepts its optional fields, and nothing else', async () => {
    for (const [field, value] of Object.entries(may))
      expect({ field, code: await codeOf(name, { ...takes, [field]: value }, sender) }).toEqual({
        field,
        code: DONE,
      });
    const isOpen = name === 'environments.save';
    expect(await codeOf(name, { ...takes, baseURL: 'https://evil.example' }, sender)).toBe(
      isOpen ? DONE : 'MESSAGE_INVALID',
    );
  });

  it('is rejected when a field is missing or has another type', async () => {
    for (const field of Object.keys(takes ?? {})) {
      const { [field]: _left, ...rest } = takes ?? {};
      expect({ field, code: await codeOf(name, rest, sender) }).toEqual({ field, code: 'MESSAGE_INVALID' });
    }
    for (const field of Object.keys({ ...takes, ...may }))
      expect({ field, code: await codeOf(name, { ...takes, ...may, [field]: -0.5 }, sender) }).toEqual({
        field,
        code: 'MESSAGE_INVALID',
      });
    for (const other of [null, 'text', 7, takes ? undefined : {}])
      expect({ other, code: await codeOf(name, other, sender) }).toEqual({ other, code: 'MESSAGE_INVALID' });
  });

  it('is rejected when it is larger than its limit', async () => {
    const size = JSON.stringify({ to: 'background', name, takes: '' }).length;
    expect(await codeOf(name, 'x'.repeat(most - size), sender)).toBe('MESSAGE_INVALID');
    expect(await codeOf(name, 'x'.repeat(most - size + 1), sender)).toBe('MESSAGE_TOO_LARGE');
  });

  it('is sent again after the worker stopped only if it changes nothing', async () => {
    const sent: string[] = [];
    const dying = {
      id: 'ours',
      sendMessage: (message: { name: string }) => (
        sent.push(message.name),
        Promise.reject(new Error('The message port closed before a response was received.'))
      ),
    };
    const response = await createSend(dying)(name, takes as never);
    expect(response).toMatchObject({ ok: false, error: { code: 'WORKER_UNREACHABLE' } });
    expect(sent).toHaveLength(PROMISED[name].again ? 2 : 1);
  });
});

describe('limits of values', () => {
  it.each<[MessageName, object]>([
    ['environments.remove', { id: '' }],
    ['environments.remove', { id: 'x'.repeat(101) }],
    ['apps.list', { environmentId: '' }],
    ['publish.settle', { id: '' }],
    ['publish.settle', { id: 'x'.repeat(101) }],
    ['publish.seen', { ids: Array.from({ length: 201 }, () => 'p') }],
    ['publish.seen', { ids: [''] }],
    ['dataSources.list', { environmentId, appId: 2 ** 53 }],
    ['dataSources.list', { environmentId, appId: NaN }],
    ['clock.move', { environmentId, to: 'tomorrow' }],
    ['pages.open', { ...page, page: 'about:blank' }],
    ['environments.export', { passphrase: 'too short' }],
    ['vault.protect', { passphrase: 'too short', idleMinutes: 15 }],
    ['vault.setIdle', { idleMinutes: 0 }],
    ['vault.setIdle', { idleMinutes: 1441 }],
    ['vault.unlock', { passphrase: '' }],
    ['environments.test', { id: 'e', draft: { name: 'EU', preset: 'eu', baseUrl: 'https://api.example.com' } }],
    ['actions.run', { ...ofAction, payload: [] }],
    ['actionsV3.run', { ...ofAction, payload: [] }],
    ['actionsV3.create', { ...ofApp, action: { ...firingV3, ...draftV3, active: true } }],
    ['actionsV3.create', { ...ofApp, action: { ...firingV3, ...draftV3, pageId: 5 } }],
    ['actionsV3.update', { ...ofAction, change: { ...firingV3, code: 'x' } }],
  ])('%s rejects %j', async (name, takes) => {
    expect(await codeOf(name, takes, PROMISED[name].from[0] as Surface)).toBe('MESSAGE_INVALID');
  });

  it('environments.test accepts a draft instead of a stored environment', async () => {
    expect(
      await codeOf(
        'environments.test',
        { draft: { name: 'EU', preset: 'eu', baseUrl: 'https://api.example.com' } },
        'options',
      ),
    ).toBe(DONE);
  });

  it('a payload that isn’t an object is described in one sentence', async () => {
    const result = await receive(
      handlers,
      runtime,
      { to: 'background', name: 'actions.run', takes: { ...ofAction, payload: 'x' } },
      senderOf('panel'),
    );
    expect(result).toMatchObject({
      ok: false,
      error: { message: 'payload must be an object.', details: [{ path: '/payload' }] },
    });
  });
});

describe('a valid response', () => {
  it.each([[undefined], [null], [7], ['ok'], [{}], [{ ok: 'yes' }], [{ value: 1 }]])(
    'isn’t %j, as from a browser without a receiver',
    async (value) => {
      expect(
        await createSend({ id: 'ours', sendMessage: () => Promise.resolve(value) })('data.erase', undefined),
      ).toMatchObject({ ok: false, error: { code: 'WORKER_UNREACHABLE' } });
    },
  );
  it.each([[{ ok: true, value: null }], [{ ok: false, error: { code: 'X', message: 'No.' } }]])(
    'is %j',
    async (value) => {
      expect(await createSend({ id: 'ours', sendMessage: () => Promise.resolve(value) })('data.erase', undefined)).toBe(
        value,
      );
    },
  );
});

describe('the time limit for a message', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it.each<[MessageName, number]>([
    ['apps.list', 60],
    ['actions.run', 180],
    ['actions.runWithResult', 340],
  ])('%s is %i seconds when the worker is alive', async (name, seconds) => {
    const busy = {
      id: 'ours',
      sendMessage: (message: { name: string }) =>
        message.name === 'worker.ping'
          ? Promise.resolve({ ok: true, value: { isAtWork: true } })
          : new Promise<never>(() => {}),
    };
    // No other test’s leftovers have timers of these lengths.
    const waitLimits = { quiet: 1_001, sign: 3_501 };
    // Not spies: those are restored once more when the file ends, and would bring the fake timers back.
    const set = vi.fn(setTimeout);
    const clear = vi.fn(clearTimeout);
    vi.stubGlobal('setTimeout', set);
    vi.stubGlobal('clearTimeout', clear);
    let response: unknown;
    void createSend(
      busy,
      undefined,
      waitLimits,
    )(name, PROMISED[name].takes as never).then((result) => (response = result));
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(response).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(response).toMatchObject({
      error: { code: 'WORKER_SLOW', message: expect.stringContaining(`${seconds} seconds`) },
    });
    const lengths = [seconds * 1000, waitLimits.quiet, waitLimits.sign];
    const own = set.mock.results.filter((_, index) => lengths.includes(set.mock.calls[index]?.[1] ?? 0));
    expect(own).toHaveLength(3);
    const cleared = clear.mock.calls.map(([timer]) => timer);
    for (const { value } of own) expect(cleared).toContain(value);
  });
});
