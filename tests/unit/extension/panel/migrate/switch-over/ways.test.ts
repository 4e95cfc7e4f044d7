/** Tests the ways of a switch-over to V3 actions: what they send, once, and how they understand responses. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Draft, V3State } from '../../../../../../lib/migrate/switch-over/index.ts';
import type { ApiCall } from '../../../../../../lib/extension/inspector/api/page-api.ts';
import type { Send } from '../../../../../../lib/extension/messaging/protocol.ts';
import { journalStore } from '../../../../../../lib/extension/panel/migrate/switch-over/journal-store.ts';
import { LogsWay } from '../../../../../../lib/extension/panel/migrate/switch-over/ways/logs.ts';
import { targetOf } from '../../../../../../lib/extension/panel/migrate/switch-over/ways/outcome.ts';
import { V3Page } from '../../../../../../lib/extension/panel/migrate/switch-over/ways/v3-page.ts';
import { V3Rest } from '../../../../../../lib/extension/panel/migrate/switch-over/ways/v3-rest.ts';
import type { ErrorValue, Result } from '../../../../../../lib/platform-api/errors.ts';
import type { LogList, LogRecord } from '../../../../../../lib/platform-api/log.ts';
import { throughPage } from '../../actions/support/fake-app.ts';

const OF = { environmentId: 'e', appId: 3 };
const DRAFT: Draft = {
  name: 'job-v3',
  code: 'async function execute(context) {}',
  description: null,
  environment: 'server',
  triggers: [{ trigger: 'manual' }],
  frequency: null,
  timezone: null,
  dependencies: [],
};
const ACTION = { ...DRAFT, id: 9, appId: 3, active: false, actionVersion: 'v3', revision: 4 };
const SEEN: V3State = { ...DRAFT, id: 9, active: false, live: null, revision: 4 };
const codeOf = async (result: Promise<Result<unknown>>): Promise<string> => {
  const settled = await result;
  return settled.ok ? 'ok' : settled.error.code;
};

const failing = (error: Partial<ErrorValue> & { code: string }): Result<never> => ({
  ok: false,
  error: { message: 'No.', ...error },
});

describe('over the endpoints', () => {
  function rest(respond: (name: string) => Result<unknown>) {
    const sent: [string, unknown][] = [];
    const send = (async (name: string, takes: unknown) => (sent.push([name, takes]), respond(name))) as Send;
    return { sent, way: new V3Rest(send, OF) };
  }

  it('a draft is created inactive', async () => {
    const { sent, way } = rest(() => ({ ok: true, value: ACTION }));
    expect(await way.create(DRAFT)).toMatchObject({ ok: true, value: { id: 9, live: null } });
    expect(sent).toEqual([['actionsV3.create', { ...OF, action: { ...DRAFT, active: false } }]]);
  });

  it('publishing names the revision that was seen', async () => {
    const { sent, way } = rest(() => ({ ok: true, value: ACTION }));
    await way.publish(SEEN);
    expect(sent).toEqual([['actionsV3.publish', { ...OF, actionId: 9, revision: 4 }]]);
  });

  it('what is live is read again after a change, because a late request could have changed it', async () => {
    const { sent, way } = rest((name) =>
      name === 'actionsV3.get'
        ? { ok: true, value: { action: ACTION, live: { ...ACTION, active: true } } }
        : { ok: true, value: ACTION },
    );
    expect(await way.update(SEEN, SEEN)).toMatchObject({ ok: true, value: { live: { active: true } } });
    expect(sent.map(([name]) => name)).toEqual(['actionsV3.update', 'actionsV3.get']);
  });

  it.each(['WORKER_UNREACHABLE', 'WORKER_SLOW', 'WORKER_SILENT', 'EXTENSION_RELOADED', 'OUTCOME_UNKNOWN'])(
    'a change that ends with %s has an unknown outcome, and isn’t sent again',
    async (code) => {
      const { sent, way } = rest(() => failing({ code }));
      expect(await codeOf(way.publish(SEEN))).toBe('OUTCOME_UNKNOWN');
      expect(sent).toHaveLength(1);
    },
  );

  it('a refusal stays what it is', async () => {
    expect(await codeOf(rest(() => failing({ code: 'CONFLICT', status: 409 })).way.publish(SEEN))).toBe('CONFLICT');
  });

  it.each([
    failing({ code: 'ENDPOINT_MISSING' }),
    failing({ code: 'NOT_FOUND', status: 404, said: { code: 'NOT_FOUND', message: 'No such URL.' } }),
  ])('a platform without V3 says what to do', async (response) => {
    expect(await codeOf(rest(() => response).way.findByName('job-v3'))).toBe('V3_MISSING');
  });

  it('a name is found on a later page', async () => {
    const { sent, way } = rest((name) => {
      if (name === 'actionsV3.get') return { ok: true, value: { action: ACTION, live: null } };
      const isLast = sent.length === 2;
      return {
        ok: true,
        value: { actions: [isLast ? ACTION : { ...ACTION, name: 'x' }], pagination: { hasMore: true } },
      };
    });
    expect(await way.findByName('job-v3')).toMatchObject({ ok: true, value: { id: 9 } });
    expect(sent).toHaveLength(3);
  });
});

describe('over the page', () => {
  function page(respond: (call: ApiCall) => Result<unknown>) {
    const calls: ApiCall[] = [];
    const call = async (_target: unknown, each: ApiCall) => (calls.push(each), respond(each));
    const target = { documentId: 'd', appId: 3, namespace: 'Acme' };
    return { calls, way: new V3Page({ call } as never, () => ({ ok: true, value: target })) };
  }

  it('calls its own App.V3.Actions, and treats absent fields as V3 does', async () => {
    const { calls, way } = page(() => ({ ok: true, value: { id: 9, name: 'job-v3' } }));
    expect(await way.create(DRAFT)).toEqual({
      ok: true,
      value: {
        id: 9,
        name: 'job-v3',
        code: '',
        active: false,
        triggers: [],
        frequency: null,
        timezone: null,
        live: undefined,
        revision: undefined,
      },
    });
    expect(calls.map(({ path, args }) => [path, args])).toEqual([
      ['App.V3.Actions.create', [{ ...DRAFT, active: false }]],
    ]);
  });

  it('without V3 says what to do, and names the page’s own namespace', async () => {
    const read = await page(() => failing({ code: 'API_MISSING' })).way.findByName('job-v3');
    expect(read).toMatchObject({
      ok: false,
      error: { code: 'V3_MISSING', message: expect.stringContaining('Acme.App.V3.Actions'), hint: expect.any(String) },
    });
  });

  it('a rejection without a status can follow a change that was made', async () => {
    const refused = page(() => failing({ code: 'PAGE_CALL_FAILED', status: 409 }));
    expect(await codeOf(refused.way.unpublish(SEEN))).toBe('PAGE_CALL_FAILED');
  });

  it('a response that can’t be read leaves a change unknown', async () => {
    expect(await codeOf(page(() => ({ ok: true, value: 'fine' })).way.publish(SEEN))).toBe('OUTCOME_UNKNOWN');
    expect(await codeOf(page(() => ({ ok: true, value: 'fine' })).way.findByName('x'))).toBe('PAGE_ANSWER_UNREADABLE');
  });

  it('an action that’s gone is null', async () => {
    const gone = failing({ code: 'PAGE_CALL_FAILED', status: 404, said: { code: 'ACTION_NOT_FOUND', message: '' } });
    expect(await page(() => gone).way.read(9)).toEqual({ ok: true, value: null });
  });
});

describe('the document in the tab', () => {
  const env = (mode: string) => ({ appId: 3, taskId: null, organizationId: null, mode });
  const page = { documentId: 'd', url: 'http://localhost/' };

  it('is called if it has master copies, which a live page doesn’t', async () => {
    const of = (page: Parameters<typeof targetOf>[0]) => codeOf(Promise.resolve(targetOf(page, 3, 'Platform')));
    expect(await of({ ...page, env: env('preview') })).toBe('ok');
    expect(await of({ ...page, env: env('live') })).toBe('V3_LIVE_PAGE');
    expect(await of(null)).toBe('PAGE_LEFT');
  });

  it('is the only one: without it, nothing is called', async () => {
    const way = new V3Page({ call: () => expect.unreachable() } as never, () => targetOf(null, 3, 'Platform'));
    expect(await codeOf(way.publish(SEEN))).toBe('PAGE_LEFT');
  });
});

describe('through the agent in the page', () => {
  async function inPage(members: string): Promise<{ way: V3Page; calls: () => unknown }> {
    const { page, api, target } = await throughPage(
      `calls = []; ENV = { appId: 1 };
       class Action { constructor(more) { Object.assign(this, more); } get code() { return 'the code'; } }
       Platform = { App: { ${members} } };`,
    );
    onTestFinished(() => page.close());
    const calls = async () => JSON.parse(await (page.evaluate('JSON.stringify(calls)') as Promise<string>)) as unknown;
    return { way: new V3Page(api, () => ({ ok: true, value: target })), calls };
  }

  it('each operation calls its function once, with its arguments', async () => {
    const { way, calls } = await inPage(`V3: { Actions: {
      create: async (...args) => (calls.push(['create', ...args]), new Action({ id: 9, name: 'job-v3' })),
      update: async (...args) => (calls.push(['update', ...args]), new Action({ id: 9, name: 'job-v3', active: true })),
      publish: async (...args) => (calls.push(['publish', ...args]), { action: new Action({ id: 9, name: 'job-v3' }) }),
      unpublish: async (...args) => (calls.push(['unpublish', ...args]), { itself: globalThis }),
      remove: async (...args) => void calls.push(['remove', ...args]),
      run: async (...args) => void calls.push(['run', ...args]),
    } }`);
    const firing = { active: true, triggers: [], frequency: null, timezone: null };
    // The code is inherited. What `unpublish` resolves with isn’t data, and doesn’t matter.
    expect(await way.create(DRAFT)).toMatchObject({ ok: true, value: { id: 9, code: 'the code' } });
    expect(await way.update(SEEN, firing)).toMatchObject({ ok: true, value: { active: true } });
    expect(await way.publish(SEEN)).toMatchObject({ ok: true, value: { code: 'the code', live: undefined } });
    expect(await way.unpublish(SEEN)).toEqual({ ok: true, value: null });
    expect(await way.run(9, { a: 1 })).toEqual({ ok: true, value: null });
    expect(await way.remove(SEEN)).toEqual({ ok: true, value: null });
    expect(await calls()).toEqual([
      ['create', { ...DRAFT, active: false }],
      ['update', 9, firing],
      ['publish', 9],
      ['unpublish', 9],
      ['run', 9, { a: 1 }],
      ['remove', 9],
    ]);
  });

  it('a page with V2 only offers no V3', async () => {
    const { way } = await inPage('Actions: { get: async () => [] }');
    expect(await codeOf(way.findByName('job-v3'))).toBe('V3_MISSING');
    expect(await codeOf(way.create(DRAFT))).toBe('V3_MISSING');
  });

  it('a refusal of the page says that nothing was changed, and a lost connection that it isn’t known', async () => {
    const { way } = await inPage(`V3: { Actions: {
      publish: async () => { throw Object.assign(new Error('No.'), { code: 'APP_NOT_PUBLISHED', status: 409 }); },
      unpublish: async () => { throw new Error('Failed to fetch'); },
    } }`);
    expect(await way.publish(SEEN)).toMatchObject({ error: { said: { code: 'APP_NOT_PUBLISHED' }, status: 409 } });
    expect(await codeOf(way.unpublish(SEEN))).toBe('OUTCOME_UNKNOWN');
  });
});

describe('the log', () => {
  const record = (id: number): LogRecord => ({ id, type: 'x', data: {}, createdAt: '', appId: 3 }) as never;
  const way = (logs: (query: { before?: number | null }) => LogList) =>
    new LogsWay({
      backend: () => ({ way: 'rest', logs: async (query) => ({ ok: true, value: logs(query) }) }),
      filters: [{ type: 'x' }],
      now: async () => ({ ok: true, value: 0 }),
      logsV3: async () => ({ ok: true, value: { count: 0, logs: [] } }),
    });

  it('is read up to the start of the gap, page by page', async () => {
    const read = await way(({ before }) => ({
      count: 9,
      logs: before ? [record(3), record(2)] : [record(5), record(4)],
    })).matching({ type: 'x' }, 2);
    expect(read).toMatchObject({ ok: true, value: [{ id: 5 }, { id: 4 }, { id: 3 }] });
  });

  it('that the page doesn’t return as a whole is an error, so that nothing counts as handled', async () => {
    const read = way(({ before }) => ({ count: 9, logs: before ? [] : [record(5)] })).matching({ type: 'x' }, 2);
    expect(await codeOf(read)).toBe('LOG_INCOMPLETE');
  });

  it.each([
    ['isn’t checked if a record since the start of the gap couldn’t be read', 4, 'LOG_INCOMPLETE'],
    ['isn’t checked if it isn’t known when a record is from that couldn’t be read', null, 'LOG_INCOMPLETE'],
    ['is checked if only an older record couldn’t be read', 2, ''],
  ])('%s', async (_, id, code) => {
    const unreadable = [{ id, item: 'item 2', why: 'createdAt: must be text' }];
    const read = way(() => ({ count: 3, logs: [record(5), record(3)], unreadable })).matching({ type: 'x' }, 2);
    expect(code === '' ? (await read).ok : await codeOf(read)).toBe(code || true);
  });
});

describe('the stored journal', () => {
  it('that’s damaged isn’t taken for none', async () => {
    const store = (text: string | undefined) =>
      journalStore({ debugging: async () => text, putDebugging: async () => {} }, 's').read();
    expect(await store(undefined)).toBeNull();
    expect(await store('null')).toBeNull();
    await expect(store('{"version":1}')).rejects.toThrow('damaged');
    await expect(store('{')).rejects.toThrow('damaged');
  });
});
