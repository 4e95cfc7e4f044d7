/** Tests that token and agent are added to one navigation only, and that rule and script are always removed. */
import { describe, expect, it, vi } from 'vitest';
import type { DeclarativeNetRequest } from 'webextension-polyfill';
import {
  EarlyAgents,
  type PageScripts,
  pagePattern,
} from '../../../../../lib/extension/background/pages/early-agent.ts';
import type { Tabs } from '../../../../../lib/extension/background/pages/tab-load.ts';
import { PlatformPages } from '../../../../../lib/extension/background/pages/platform-page.ts';
import { createTokenRules, tokenRule } from '../../../../../lib/extension/background/pages/session-rule.ts';
import { CodedError } from '../../../../../lib/platform-api/index.ts';

const connection = { baseUrl: 'https://api.example.com', token: 'secret' };
const pageOf = (taskId: number) => ({ tabId: 5, path: `/v1/apps/1/tasks/${taskId}/compile?html`, title: 'debug page' });
const page = pageOf(2);
const URL_OF_PAGE = 'https://api.example.com/v1/apps/1/tasks/2/compile?html';
const target = { tabId: 5, url: URL_OF_PAGE, exact: true };
const fine = () => Promise.resolve();
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof CodedError ? error.code : error),
  );

/** A browser's session rules, registered scripts, and tabs in memory. */
function browser(left: DeclarativeNetRequest.Rule[] = []) {
  const registered = new Map<string, unknown>();
  const scripts: PageScripts = {
    registerContentScripts: (added) => {
      for (const script of added) {
        if (registered.has(script.id)) throw new Error(`Duplicate script ID '${script.id}'`);
        registered.set(script.id, script);
      }
      return Promise.resolve();
    },
    unregisterContentScripts: (filter) => {
      for (const id of filter?.ids ?? registered.keys()) registered.delete(id);
      return Promise.resolve();
    },
  };
  const rules = new Map(left.map((rule) => [rule.id, rule]));
  const updated = new Set<Parameters<Tabs['onUpdated']['addListener']>[0]>();
  const removed = new Set<(tabId: number) => void>();
  const gone: string[] = [];
  const state: { tab: { status: string; url: string }; onUpdate: (url: string) => void } = {
    tab: { status: 'complete', url: 'about:blank' },
    onUpdate: () => {},
  };
  const tell = (status: string, url: string, tabId = page.tabId, change: { url?: string } = {}) => {
    if (tabId === page.tabId) state.tab = { status, url };
    for (const listener of updated) listener(tabId, { status, ...change }, { status, url });
  };
  const fake = {
    rules,
    scripts,
    registered,
    gone,
    state,
    tell,
    listeners: () => updated.size + removed.size,
    close: () => removed.forEach((listener) => listener(page.tabId)),
    api: {
      getSessionRules: () => Promise.resolve([...rules.values()]),
      updateSessionRules: ({
        addRules = [],
        removeRuleIds = [],
      }: {
        addRules?: DeclarativeNetRequest.Rule[];
        removeRuleIds?: number[];
      }) => {
        removeRuleIds.forEach((id) => rules.delete(id));
        addRules.forEach((rule) => {
          if (rules.has(rule.id)) throw new Error(`Rule with id ${rule.id} does not have a unique ID.`);
          rules.set(rule.id, rule);
        });
        return Promise.resolve();
      },
    },
    tabs: {
      update: (tabId: number, { url }: { url: string }) => {
        gone.push(`${tabId} ${url}`);
        state.onUpdate(url);
        return Promise.resolve();
      },
      get: () => Promise.resolve(state.tab),
      onUpdated: {
        addListener: (listener: never) => updated.add(listener),
        removeListener: (listener: never) => updated.delete(listener),
      },
      onRemoved: {
        addListener: (listener: never) => removed.add(listener),
        removeListener: (listener: never) => removed.delete(listener),
      },
    } as unknown as Tabs,
  };
  return {
    ...fake,
    parts: { tabs: fake.tabs, rules: createTokenRules(fake.api), agents: new EarlyAgents(scripts) },
  };
}
const loads = (fake: ReturnType<typeof browser>) => (url: string) => {
  fake.tell('loading', url);
  fake.tell('complete', url);
};

describe('the header rule', () => {
  it('applies to one tab, one exact URL, the main frame, and GET', () => {
    expect(tokenRule(7, target, 'secret')).toMatchObject({
      id: 7,
      condition: {
        tabIds: [5],
        urlFilter: `|${URL_OF_PAGE}|`,
        isUrlFilterCaseSensitive: true,
        requestDomains: ['api.example.com'],
        resourceTypes: ['main_frame'],
        requestMethods: ['get'],
      },
      action: { type: 'modifyHeaders', requestHeaders: [{ header: 'Auth-token', operation: 'set', value: 'secret' }] },
    });
  });
});

describe('opening a page of the platform', () => {
  it('leaves a page that never unloads by way of about:blank', async () => {
    const fake = browser();
    fake.state.onUpdate = loads(fake);
    expect(
      await new PlatformPages(fake.parts, fine, 'loading').open(connection, {
        ...page,
        leaveFirst: true,
      }),
    ).toBe(URL_OF_PAGE);
    expect(fake.gone).toEqual(['5 about:blank', `5 ${URL_OF_PAGE}`]);
    expect([fake.rules.size, fake.listeners()]).toEqual([0, 0]);
  });

  it('reports a tab that was closed meanwhile', async () => {
    const fake = browser();
    fake.state.onUpdate = () => fake.close();
    expect(
      await code(
        new PlatformPages(fake.parts, fine, 'loading').open(connection, {
          ...page,
          leaveFirst: true,
        }),
      ),
    ).toBe('TAB_GONE');
    expect(fake.listeners()).toBe(0);
  });

  it('keeps the rule only while the page loads', async () => {
    const fake = browser();
    const during: number[] = [];
    fake.state.onUpdate = (url) => {
      during.push(fake.rules.size);
      loads(fake)(url);
    };
    expect(await new PlatformPages(fake.parts, fine, 'loading').open(connection, page)).toBe(URL_OF_PAGE);
    expect(during).toEqual([1]);
    expect(fake.gone).toEqual([`5 ${URL_OF_PAGE}`]);
    expect([fake.rules.size, fake.listeners()]).toEqual([0, 0]);
  });

  it.each(['loading', 'url'] as const)(
    'removes the rule once the response has started (%s), even if the page never ends loading',
    async (commits) => {
      const fake = browser();
      const leaving = new AbortController();
      const started = Promise.withResolvers<void>();
      fake.state.onUpdate = (url) => {
        // Firefox also reports the navigation’s start, when the request isn’t sent yet. The tab can show the same URL.
        if (commits === 'url') fake.tell('loading', url, page.tabId, {});
        expect(fake.rules.size).toBe(1);
        fake.tell('loading', url, page.tabId, commits === 'url' ? { url } : {});
        started.resolve();
      };
      const pages = new PlatformPages(fake.parts, fine, commits);
      const opened = code(pages.open(connection, page, leaving.signal));
      await started.promise;
      expect(fake.rules.size).toBe(0);
      leaving.abort();
      await opened;
    },
  );

  it('doesn’t navigate the tab when the platform refuses', async () => {
    const fake = browser();
    const refuse = () => Promise.reject(new CodedError({ code: 'NOT_FOUND', message: 'No.' }));
    expect(await code(new PlatformPages(fake.parts, refuse, 'loading').open(connection, page))).toBe('NOT_FOUND');
    expect({ gone: fake.gone, ruleCount: fake.rules.size }).toEqual({ gone: [], ruleCount: 0 });
  });

  it('ignores another tab, and the end of an earlier load', async () => {
    const fake = browser();
    fake.state.onUpdate = (url) => {
      fake.tell('complete', url, 6);
      fake.tell('complete', 'https://before.example');
      fake.tell('loading', url);
      fake.tell('complete', url);
    };
    expect(await code(new PlatformPages(fake.parts, fine, 'loading').open(connection, page))).toBe('ok');
  });

  it.each<[string, string, (fake: ReturnType<typeof browser>) => void]>([
    ['TAB_GONE', 'the tab is closed', (fake) => fake.close()],
    ['PAGE_ELSEWHERE', 'the platform sends the tab on', (fake) => loads(fake)('https://login.example')],
    ['PAGE_SLOW', 'the page never ends loading', (fake) => fake.tell('loading', URL_OF_PAGE)],
  ])('rejects with %s when %s, and removes the rule', async (expected, _what, happen) => {
    const fake = browser();
    fake.state.onUpdate = () => happen(fake);
    expect(await code(new PlatformPages(fake.parts, fine, 'loading', { load: 30 }).open(connection, page))).toBe(
      expected,
    );
    expect([fake.rules.size, fake.listeners()]).toEqual([0, 0]);
  });

  it.each<[string, string, Partial<Tabs>]>([
    ['TAB_GONE', 'there is no such tab', { get: () => Promise.reject(new Error('No tab with id: 5.')) }],
    ['TAB_REFUSED', 'the browser refuses', {}],
  ])('rejects with %s when %s', async (expected, _what, over) => {
    const fake = browser();
    const failing = { ...fake.tabs, update: () => Promise.reject(new Error('Navigation rejected.')), ...over };
    expect(
      await code(new PlatformPages({ ...fake.parts, tabs: failing }, fine, 'loading').open(connection, page)),
    ).toBe(expected);
    expect(fake.rules.size).toBe(0);
  });

  it('waits for a navigation that is in progress', async () => {
    const fake = browser();
    const pending = () => {
      queueMicrotask(() => fake.tell('complete', URL_OF_PAGE));
      return Promise.resolve({ status: 'loading', url: 'about:blank', pendingUrl: URL_OF_PAGE });
    };
    const failing = { ...fake.tabs, update: () => Promise.reject(new Error('Navigation rejected.')), get: pending };
    expect(
      await code(new PlatformPages({ ...fake.parts, tabs: failing }, fine, 'loading').open(connection, page)),
    ).toBe('ok');
  });

  it('is open although it shortens its URL while it loads', async () => {
    const fake = browser();
    fake.state.onUpdate = (url) => {
      fake.tell('loading', url);
      fake.tell('loading', 'https://api.example.com/debug#2');
      fake.tell('complete', 'https://api.example.com/debug#2');
    };
    expect(await code(new PlatformPages(fake.parts, fine, 'loading').open(connection, page))).toBe('ok');
  });

  it('has the payload in the URL that the tab requests, and its rule matches any', async () => {
    const fake = browser();
    const filters: unknown[] = [];
    fake.state.onUpdate = (url) => {
      filters.push(...[...fake.rules.values()].map(({ condition }) => condition.urlFilter));
      loads(fake)(url);
    };
    const pages = new PlatformPages(fake.parts, fine, 'loading');
    await pages.open(connection, { ...page, payload: '{"a":"b c"}' });
    expect(fake.gone).toEqual([`5 ${URL_OF_PAGE}&payload=%7B%22a%22%3A%22b%20c%22%7D`]);
    expect(filters).toEqual([`|${URL_OF_PAGE}`]);
  });

  const redirected = () => Promise.reject(new CodedError({ code: 'ANSWER_REDIRECTED', message: 'No.' }));

  it('may be redirected within its origin, with the token below the base URL only', async () => {
    const fake = browser();
    const below = { ...connection, baseUrl: 'https://api.example.com/api' };
    const filters: unknown[] = [];
    fake.state.onUpdate = () => {
      filters.push(...[...fake.rules.values()].map(({ condition }) => condition.urlFilter));
      // An earlier page of the same origin.
      fake.tell('complete', 'https://api.example.com/api/v1/apps/1/tasks/9/compile?html');
      loads(fake)('https://api.example.com/api/debug/2');
    };
    expect(await code(new PlatformPages(fake.parts, redirected, 'loading').open(below, page))).toBe('ok');
    expect(filters).toEqual(['|https://api.example.com/api/']);
  });

  it('may not be redirected to another origin', async () => {
    const fake = browser();
    fake.state.onUpdate = () => loads(fake)('https://login.example/');
    const opened = new PlatformPages(fake.parts, redirected, 'loading').open(connection, page);
    await expect(opened).rejects.toMatchObject({
      code: 'PAGE_ELSEWHERE',
      value: { hint: expect.stringContaining('The token was sent only to api.example.com.') },
    });
  });

  it('redirected to another origin loses the token before that page can send the tab on', async () => {
    const fake = browser();
    // The extension has no access to the other site.
    const hidden = undefined as unknown as string;
    fake.state.tab.url = hidden;
    fake.state.onUpdate = () => void setTimeout(() => fake.tell('loading', hidden));
    const opened = new PlatformPages(fake.parts, redirected, 'loading').open(connection, page);
    expect(await code(opened)).toBe('PAGE_ELSEWHERE');
    expect(fake.rules.size).toBe(0);
  });

  it('that takes long, and is redirected to a site without access, isn’t said to have stayed', async () => {
    const fake = browser();
    const hidden = undefined as unknown as string;
    fake.state.tab.url = hidden;
    fake.state.onUpdate = () => void setTimeout(() => loads(fake)(hidden));
    expect(await code(new PlatformPages(fake.parts, fine, 'loading').open(connection, page))).toBe('PAGE_ELSEWHERE');
  });

  it.each([
    ['Chromium, which reports nothing', 'loading'],
    ['Firefox, which reports the end of the load', 'url'],
  ] as const)(
    'is told from a tab that stays on its page, because the platform sent nothing: %s',
    async (_name, commits) => {
      const fake = browser();
      const tabs: Tabs = {
        ...fake.tabs,
        update: () => {
          if (commits === 'loading')
            return Promise.resolve({ status: 'loading', url: 'about:blank', pendingUrl: URL_OF_PAGE });
          fake.tell('loading', 'about:blank');
          fake.tell('complete', 'about:blank');
          return Promise.resolve();
        },
      };
      const pages = new PlatformPages({ ...fake.parts, tabs }, fine, commits, { look: 1 });
      expect(await code(pages.open(connection, page))).toBe('TAB_STAYED');
      expect([fake.rules.size, fake.listeners()]).toEqual([0, 0]);
    },
  );

  it('is requested by the tab only, if it takes the platform long, and from then on at once', async () => {
    const fake = browser();
    fake.state.onUpdate = loads(fake);
    let checks = 0;
    const never = (_connection: unknown, _page: unknown, { signal }: { signal?: AbortSignal | undefined }) => {
      checks++;
      return new Promise<void>((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new CodedError({ code: 'ABORTED', message: 'Canceled.' }))),
      );
    };
    const pages = new PlatformPages(fake.parts, never, 'loading', { check: 1 });
    expect(await code(pages.open(connection, page))).toBe('ok');
    expect(await code(pages.open(connection, page))).toBe('ok');
    expect([checks, fake.gone.length]).toEqual([1, 2]);
  });

  it('is replaced by a later request, even while the platform is being asked for the first one', async () => {
    const fake = browser();
    fake.state.onUpdate = loads(fake);
    const check = (
      _connection: unknown,
      { path }: { path: string },
      { signal }: { signal?: AbortSignal | undefined },
    ) =>
      path === pageOf(3).path
        ? Promise.resolve()
        : new Promise<void>((_resolve, reject) =>
            signal?.addEventListener('abort', () => reject(new Error('aborted'))),
          );
    const pages = new PlatformPages(fake.parts, check, 'loading');
    const first = code(pages.open(connection, page));
    expect(await code(pages.open(connection, pageOf(3)))).toBe('ok');
    expect(await first).toBe('PAGE_SUPERSEDED');
    expect(fake.gone).toEqual(['5 https://api.example.com/v1/apps/1/tasks/3/compile?html']);
    expect(fake.rules.size).toBe(0);
  });

  it('stays on the current page and leaves no rule after the caller cancels', async () => {
    const fake = browser();
    const leaving = new AbortController();
    const check = (_connection: unknown, _page: unknown, { signal }: { signal?: AbortSignal | undefined }) =>
      new Promise<void>((_resolve, reject) =>
        signal?.addEventListener('abort', () =>
          reject(new CodedError({ code: 'ABORTED', message: 'The request was canceled.' })),
        ),
      );
    const opened = code(new PlatformPages(fake.parts, check, 'loading').open(connection, page, leaving.signal));
    leaving.abort();
    expect([await opened, fake.gone, fake.rules.size, fake.listeners()]).toEqual(['ABORTED', [], 0, 0]);
  });

  it('removes the rule at once when the caller cancels during the load', async () => {
    const fake = browser();
    const leaving = new AbortController();
    fake.state.onUpdate = (url) => {
      fake.tell('loading', url);
      leaving.abort();
    };
    await code(new PlatformPages(fake.parts, fine, 'loading').open(connection, page, leaving.signal));
    expect([fake.rules.size, fake.listeners()]).toEqual([0, 0]);
  });
});

describe('allowing the panel to reload the page', () => {
  it('resolves when the rule is set, and removes it after the load, whose query may contain a payload', async () => {
    const fake = browser();
    const pages = new PlatformPages(fake.parts, fine, 'loading');
    expect(await pages.allowReload(connection, page)).toBe(URL_OF_PAGE);
    expect([...fake.rules.values()]).toMatchObject([{ condition: { tabIds: [5], urlFilter: `|${URL_OF_PAGE}` } }]);
    expect(fake.gone).toEqual([]);
    loads(fake)(`${URL_OF_PAGE}&payload=%7B%7D`);
    await vi.waitFor(() => expect([fake.rules.size, fake.listeners()]).toEqual([0, 0]), { timeout: 20_000 });
  });

  it('removes the rule when nothing is loaded', async () => {
    const fake = browser();
    await new PlatformPages(fake.parts, fine, 'loading', { load: 10 }).allowReload(connection, page);
    await vi.waitFor(() => expect(fake.rules.size).toBe(0), { timeout: 20_000 });
  });
});

describe('a worker that was killed while its rule was set', () => {
  it('has its rule removed at the next start, and no other rules', async () => {
    const fake = browser([tokenRule(41_000, target, 'secret'), { id: 3, condition: {}, action: { type: 'block' } }]);
    await createTokenRules(fake.api).start();
    expect([...fake.rules.keys()]).toEqual([3]);
  });

  it('has its rule removed later when the browser can’t list rules at first', async () => {
    const fake = browser([tokenRule(41_000, target, 'secret')]);
    let requestCount = 0;
    const rules = createTokenRules({
      ...fake.api,
      getSessionRules: () => (requestCount++ === 0 ? Promise.reject(new Error('not now')) : fake.api.getSessionRules()),
    });
    await expect(rules.start()).rejects.toThrow('not now');
    await rules.start();
    expect(fake.rules.size).toBe(0);
  });

  it('doesn’t block the ID of its rule', async () => {
    const fake = browser([tokenRule(41_000, target, 'old')]);
    fake.state.onUpdate = loads(fake);
    expect(await code(new PlatformPages(fake.parts, fine, 'loading').open(connection, page))).toBe('ok');
    expect(fake.rules.size).toBe(0);
  });
});

describe('the agent that starts with the page', () => {
  const marked = { ...page, namespace: 'Acme' };
  const MARKER = { header: 'Server-Timing', operation: 'append', value: 'platform-devtools;desc="Acme"' };

  it('is registered before the tab navigates, for this page’s main frame, and removed when the page has loaded', async () => {
    const fake = browser();
    const during: unknown[] = [];
    fake.state.onUpdate = (url) => {
      during.push(...fake.registered.values());
      loads(fake)(url);
    };
    await new PlatformPages(fake.parts, fine, 'loading').open(connection, marked);
    expect(during).toEqual([
      {
        id: 'early-agent-0',
        js: ['early-agent.js'],
        matches: ['https://api.example.com/v1/apps/1/tasks/2/compile?html*'],
        runAt: 'document_start',
        world: 'MAIN',
        allFrames: false,
        persistAcrossSessions: false,
      },
    ]);
    expect(fake.registered.size).toBe(0);
  });

  it('is marked with the namespace in that tab’s response only', async () => {
    const fake = browser();
    const during: DeclarativeNetRequest.Rule[] = [];
    fake.state.onUpdate = (url) => {
      during.push(...fake.rules.values());
      loads(fake)(url);
    };
    await new PlatformPages(fake.parts, fine, 'loading').open(connection, marked);
    expect(during).toMatchObject([{ condition: { tabIds: [5] }, action: { responseHeaders: [MARKER] } }]);
  });

  it.each<[string, (fake: ReturnType<typeof browser>) => void]>([
    ['the tab is closed', (fake) => fake.close()],
    ['the page never ends loading', (fake) => fake.tell('loading', URL_OF_PAGE)],
    ['the platform sends the tab on', (fake) => loads(fake)('https://login.example')],
  ])('is removed when %s', async (_what, happen) => {
    const fake = browser();
    fake.state.onUpdate = () => happen(fake);
    await code(new PlatformPages(fake.parts, fine, 'loading', { load: 30 }).open(connection, marked));
    expect(fake.registered.size).toBe(0);
  });

  it('doesn’t keep the page from opening when the browser refuses the script', async () => {
    const fake = browser();
    fake.state.onUpdate = loads(fake);
    const refusing = {
      registerContentScripts: () => Promise.reject(new Error('No.')),
      unregisterContentScripts: () => Promise.reject(new Error('No.')),
    };
    const parts = { ...fake.parts, agents: new EarlyAgents(refusing) };
    expect(await new PlatformPages(parts, fine, 'loading').open(connection, marked)).toBe(URL_OF_PAGE);
  });

  it('that a killed worker left is removed at the next start', async () => {
    const fake = browser();
    await fake.scripts.registerContentScripts([{ id: 'early-agent-0' } as never]);
    await new EarlyAgents(fake.scripts).start();
    expect(fake.registered.size).toBe(0);
  });

  it('is registered for any port, because Firefox’s match patterns have none', () => {
    expect(pagePattern('http://127.0.0.1:4400/base/v1/apps/1/tasks/2/compile?html')).toBe(
      'http://127.0.0.1/base/v1/apps/1/tasks/2/compile?html*',
    );
  });
});
