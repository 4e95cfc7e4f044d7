/** Chooses and opens debug pages, with an in-memory background worker. */
import { describe, expect, it } from 'vitest';
import type { PageState } from '../../../../../lib/extension/inspector/contract.ts';
import type { Environment } from '../../../../../lib/extension/messaging/model/environment.ts';
import type { Result } from '../../../../../lib/platform-api/errors.ts';
import { fakeSend, overRest } from '../../../../support/fake-send.ts';
import type { MessageName } from '../../../../../lib/extension/messaging/protocol.ts';
import { Catalog } from '../../../../../lib/extension/panel/shell/catalog.ts';

const environment = (id: string, baseUrl: string): Environment => ({
  id,
  name: id,
  preset: 'custom',
  baseUrl,
  namespace: 'Platform',
  production: false,
  maskedToken: '••••3f9a',
  endpoints: null,
});
const EU = environment('eu', 'https://eu.example.com/api');
const US = environment('us', 'https://us.example.com');

function world(
  responses: Partial<Record<MessageName, (takes: never) => Result<unknown> | Promise<Result<unknown>>>> = {},
  memory = new Map<string, string>(),
  given: (signal: AbortSignal) => void = () => {},
) {
  const sent: [string, unknown][] = [];
  const all: typeof responses = {
    'environments.list': () => ({ ok: true, value: [EU, US] }),
    'apps.list': ({ environmentId }: { environmentId: string }) => ({
      ok: true,
      value: [{ id: environmentId === 'eu' ? 1 : 2, name: environmentId }],
    }),
    'actions.list': ({ appId }: { appId: number }) => ({
      ok: true,
      value: [{ id: 10 + appId, name: 'act', appId, triggers: [] }],
    }),
    'debugPage.open': () => ({ ok: true, value: { url: '', tokenInLog: false } }),
    'debugPage.allowReload': () => ({ ok: true, value: { url: '' } }),
    'pages.open': () => ({ ok: true, value: { url: '', tokenInLog: false } }),
    'pages.allowReload': () => ({ ok: true, value: { url: '' } }),
    ...responses,
  };
  const send = fakeSend((name, takes, signal) => {
    sent.push([name, takes]);
    if (!signal) return all[name]?.(takes);
    given(signal);
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => abort());
    if (signal.aborted) abort();
    return Promise.race([
      all[name]?.(takes),
      aborted.then(() => ({ ok: false, error: { code: 'ABORTED', message: 'The request was canceled.' } })),
    ]);
  });
  const catalog = new Catalog({
    send,
    backendOf: overRest(send),
    tabId: 7,
    memory: { getItem: (key) => memory.get(key) ?? null, setItem: (key, value) => void memory.set(key, value) },
  });
  return { catalog, sent, memory };
}

describe('the catalog', () => {
  it('starts with the first environment, or the one chosen last time', async () => {
    const { catalog, memory } = world();
    await catalog.refresh();
    expect(catalog.environment.value).toBe(EU);
    await catalog.chooseEnvironment('us');
    const again = world({}, memory);
    await again.catalog.refresh();
    expect(again.catalog.environment.value).toBe(US);
  });

  it('says once per environment that the tab’s network log has its token, and not for one-time tokens', async () => {
    const logged = { ok: true as const, value: { url: '', tokenInLog: true } };
    const memory = new Map<string, string>();
    const open = async (response: Result<unknown>) => {
      const { catalog } = world({ 'debugPage.open': () => response }, memory);
      await catalog.refresh();
      catalog.chooseApp(1);
      await catalog.refreshActions();
      catalog.chooseAction(11);
      await catalog.open();
      return catalog;
    };
    expect((await open({ ok: true, value: { url: '', tokenInLog: false } })).saysTokenInLog.value).toBe(false);
    const catalog = await open(logged);
    expect(catalog.saysTokenInLog.value).toBe(true);
    catalog.dismissTokenInLog();
    expect(catalog.saysTokenInLog.value).toBe(false);
    expect((await open(logged)).saysTokenInLog.value).toBe(false);
  });

  it('of an app is dropped when the environment’s base URL changes', async () => {
    let listed = [EU, US];
    const { catalog, sent } = world({ 'environments.list': () => ({ ok: true, value: listed }) });
    await catalog.refresh();
    catalog.chooseApp(1);
    await catalog.refresh();
    expect(catalog.appId.value).toBe(1);
    listed = [{ ...EU, baseUrl: 'https://other.example.com' }, US];
    await catalog.refresh();
    expect(catalog.appId.value).toBeNull();
    expect(sent.filter(([name]) => name === 'apps.list').length).toBe(2);
  });

  it('keeps the error and the choice while it tries again, because a click on a button of the error focuses the window first', async () => {
    const broken: Result<unknown> = { ok: false, error: { code: 'ANSWER_HTML', message: 'HTML' } };
    let response: Promise<Result<unknown>> | Result<unknown> = broken;
    const { catalog } = world({ 'apps.list': () => response });
    await catalog.refresh();
    catalog.setUrl('11');
    expect(catalog.error.value?.code).toBe('ANSWER_HTML');
    const late = Promise.withResolvers<Result<unknown>>();
    response = late.promise;
    const again = catalog.refresh();
    await expect.poll(() => catalog.apps.value.state).toBe('loading');
    expect(catalog.error.value?.code).toBe('ANSWER_HTML');
    late.resolve({ ok: true, value: [{ id: 1, name: 'eu' }] });
    await again;
    expect(catalog.error.value).toBeNull();
    expect(catalog.url.value).toBe('11');
    expect(catalog.apps.value.state).toBe('ready');
  });

  it('says what is missing until Open is enabled', async () => {
    const { catalog } = world();
    expect(catalog.cannotOpen.value).toMatch(/environment/);
    await catalog.refresh();
    expect(catalog.cannotOpen.value).toMatch(/app/);
    catalog.chooseApp(1);
    expect(catalog.cannotOpen.value).toMatch(/action/);
    catalog.chooseAction(11);
    expect(catalog.cannotOpen.value).toBeNull();
  });

  it('keeps the newest list when an older response arrives late', async () => {
    const late = Promise.withResolvers<Result<unknown>>();
    const { catalog } = world({
      'apps.list': ({ environmentId }: { environmentId: string }) =>
        environmentId === 'eu' ? late.promise : { ok: true, value: [{ id: 2, name: 'us' }] },
    });
    const first = catalog.refresh();
    await new Promise((resolve) => setTimeout(resolve));
    await catalog.chooseEnvironment('us');
    late.resolve({ ok: true, value: [{ id: 1, name: 'eu' }] });
    await first;
    expect(catalog.apps.value.value?.map((app) => app.id)).toEqual([2]);
  });

  it('shows the worker’s error with its code, and loads again on request', async () => {
    let down = true;
    const { catalog } = world({
      'apps.list': () =>
        down
          ? { ok: false, error: { code: 'HOST_PERMISSION_MISSING', message: 'No access.' } }
          : { ok: true, value: [] },
    });
    await catalog.refresh();
    expect(catalog.error.value?.code).toBe('HOST_PERMISSION_MISSING');
    down = false;
    await catalog.refresh();
    expect(catalog.error.value).toBeNull();
    expect(catalog.apps.value.state).toBe('ready');
  });
});

describe('a list that can be stale', () => {
  async function listed() {
    const opened = world();
    const { catalog, sent } = opened;
    await catalog.refresh();
    catalog.chooseApp(1);
    await catalog.refreshActions();
    const count = (name: string) => sent.filter(([one]) => one === name).length;
    return { ...opened, count };
  }
  const old = { ifOlderThan: 2_000 };

  it('is loaded again only if it’s older than asked for, and says when it was loaded', async () => {
    const { catalog, count } = await listed();
    await Promise.all([catalog.refreshActions(old), catalog.refreshApps(old)]);
    expect([count('actions.list'), count('apps.list')]).toEqual([1, 1]);
    catalog.actionsReadAt.value! -= 3_000;
    catalog.appsReadAt.value! -= 3_000;
    const before = Date.now();
    await Promise.all([catalog.refreshActions(old), catalog.refreshActions(old), catalog.refreshApps(old)]);
    expect([count('actions.list'), count('apps.list')]).toEqual([2, 2]);
    expect(catalog.actionsReadAt.value).toBeGreaterThanOrEqual(before);
    expect(catalog.choicesReadAt.value).toBe(catalog.actionsReadAt.value);
  });

  it('is loaded again once the clock was set back, because its age is unknown', async () => {
    const { catalog, count } = await listed();
    catalog.actionsReadAt.value! += 3_600_000;
    catalog.appsReadAt.value! += 3_600_000;
    await Promise.all([catalog.refreshActions(old), catalog.refreshApps(old)]);
    expect([count('actions.list'), count('apps.list')]).toEqual([2, 2]);
  });

  it('of another app or environment has no age until it’s loaded', async () => {
    const { catalog } = await listed();
    catalog.chooseApp(5);
    expect(catalog.actionsReadAt.value).toBeNull();
    const changed = catalog.chooseEnvironment('us');
    expect(catalog.appsReadAt.value).toBeNull();
    await changed;
  });

  it('keeps its age if it can’t be loaded again', async () => {
    let response: Result<unknown> = { ok: true, value: [{ id: 11 }] };
    const { catalog } = world({ 'actions.list': () => response });
    await catalog.refresh();
    catalog.chooseApp(1);
    await catalog.refreshActions();
    const at = (catalog.actionsReadAt.value! -= 3_000);
    response = { ok: false, error: { code: 'PLATFORM_UNREACHABLE', message: 'No connection.' } };
    await catalog.refreshActions();
    expect(catalog.actionsReadAt.value).toBe(at);
  });
});

describe('actions that can’t be refreshed', () => {
  const down = { ok: false, error: { code: 'PLATFORM_UNREACHABLE', message: 'No connection.' } } as const;

  it('stay after a failed refresh, and the error disappears after the next successful one', async () => {
    let isDown = false;
    const { catalog } = world({ 'actions.list': () => (isDown ? down : { ok: true, value: [{ id: 11 }] }) });
    await catalog.refresh();
    catalog.chooseApp(1);
    await catalog.refreshActions();
    isDown = true;
    await catalog.refreshActions();
    expect(catalog.actions.value.state).toBe('failed');
    expect(catalog.actions.value.value?.length).toBe(1);
    expect(catalog.error.value?.code).toBe('PLATFORM_UNREACHABLE');
    isDown = false;
    await catalog.refresh();
    expect(catalog.actions.value.state).toBe('ready');
    expect(catalog.appId.value).toBe(1);
    expect(catalog.error.value).toBeNull();
  });

  it('of another app aren’t shown instead', async () => {
    let isDown = false;
    const { catalog } = world({ 'actions.list': () => (isDown ? down : { ok: true, value: [{ id: 11 }] }) });
    await catalog.refresh();
    catalog.chooseApp(1);
    await catalog.refreshActions();
    isDown = true;
    catalog.chooseApp(2);
    await catalog.refreshActions();
    expect(catalog.actions.value.state).toBe('failed');
    expect(catalog.actions.value.value).toBeNull();
  });

  it('don’t dismiss an unrelated error', async () => {
    const { catalog } = world({ 'debugPage.open': () => down });
    await catalog.refresh();
    catalog.chooseApp(1);
    catalog.chooseAction(11);
    await catalog.open();
    await catalog.refreshActions();
    expect(catalog.error.value?.code).toBe('PLATFORM_UNREACHABLE');
  });
});

describe('Open', () => {
  it('opens the chosen action in the inspected tab', async () => {
    const { catalog, sent } = world();
    await catalog.refresh();
    catalog.chooseApp(1);
    catalog.chooseAction(11);
    expect(await catalog.open()).toBe(true);
    expect(sent.at(-1)).toEqual(['debugPage.open', { environmentId: 'eu', tabId: 7, appId: 1, taskId: 11 }]);
  });

  it('opens a pasted URL in the environment with its origin, and shows the choice', async () => {
    const { catalog, sent } = world();
    await catalog.refresh();
    catalog.setUrl(' https://us.example.com/v1/apps/2/tasks/12/compile ');
    expect(await catalog.open()).toBe(true);
    expect(sent.find(([name]) => name === 'debugPage.open')?.[1]).toEqual({
      environmentId: 'us',
      tabId: 7,
      appId: 2,
      taskId: 12,
    });
    expect(catalog.environment.value?.id).toBe('us');
    expect(catalog.appId.value).toBe(2);
    expect(catalog.actionId.value).toBe(12);
    expect(catalog.url.value).toBe('');
  });

  it.each([
    ['https://other.example.com/v1/apps/1/tasks/1/compile?html', 'URL_OTHER_HOST'],
    ['https://eu.example.com/api/v1/apps/1', 'URL_NOT_COMPILE'],
    ['nonsense', 'URL_INVALID'],
  ])('rejects %s with %s, and sends nothing', async (url, code) => {
    const { catalog, sent } = world();
    await catalog.refresh();
    catalog.setUrl(url);
    expect(await catalog.open()).toBe(false);
    expect(catalog.error.value?.code).toBe(code);
    expect(sent.some(([name]) => name === 'debugPage.open')).toBe(false);
  });

  it('stays usable after an error', async () => {
    const { catalog } = world({
      'debugPage.open': () => ({ ok: false, error: { code: 'UNAUTHORIZED', message: 'No.', status: 401 } }),
    });
    await catalog.refresh();
    catalog.setUrl('https://eu.example.com/api/v1/apps/1/tasks/1/compile');
    expect(await catalog.open()).toBe(false);
    expect(catalog.error.value?.status).toBe(401);
    expect(catalog.cannotOpen.value).toBeNull();
  });
});

/** The state of a page, as far as the choice follows it. */
const pageAt = (url: string, env: PageState['env'] = null, documentId = url) => ({ documentId, url, env });

describe('a debug page that is open already', () => {
  const US_PAGE = 'https://us.example.com/v1/apps/2/tasks/12/compile?html';

  it('is shown as the choice, unless something was chosen', async () => {
    const { catalog } = world();
    await catalog.refresh();
    await catalog.follow(pageAt(US_PAGE));
    expect(catalog.environment.value?.id).toBe('us');
    expect(catalog.appId.value).toBe(2);
    expect(catalog.actionId.value).toBe(12);
    await catalog.follow(pageAt('https://eu.example.com/api/v1/apps/1/tasks/11/compile?html'));
    expect(catalog.appId.value).toBe(2);
  });

  it('leaves another environment that the user then chooses, until the tab has another document', async () => {
    const { catalog } = world();
    await catalog.refresh();
    await catalog.follow(pageAt(US_PAGE, null, 'first'));
    await catalog.chooseEnvironment('eu');
    await catalog.follow(pageAt(US_PAGE, null, 'first'));
    expect([catalog.environment.value?.id, catalog.appId.value]).toEqual(['eu', null]);
    await catalog.follow(pageAt(US_PAGE, null, 'second'));
    expect([catalog.environment.value?.id, catalog.appId.value]).toEqual(['us', 2]);
  });

  it('leaves an environment that was chosen before the page was known, until the tab has another document', async () => {
    const { catalog } = world();
    await catalog.refresh();
    await catalog.chooseEnvironment('eu');
    await catalog.follow(pageAt(US_PAGE, null, 'first'));
    expect([catalog.environment.value?.id, catalog.appId.value]).toEqual(['eu', null]);
    await catalog.follow(pageAt(US_PAGE, null, 'second'));
    expect([catalog.environment.value?.id, catalog.appId.value]).toEqual(['us', 2]);
  });

  it('leaves a URL that the user is about to open', async () => {
    const { catalog } = world();
    await catalog.refresh();
    catalog.setUrl('https://eu.example.com/api/v1/apps/1/tasks/11/compile?html');
    await catalog.follow(pageAt(US_PAGE));
    expect(catalog.url.value).toBe('https://eu.example.com/api/v1/apps/1/tasks/11/compile?html');
    expect([catalog.environment.value?.id, catalog.appId.value]).toEqual(['eu', null]);
  });
});

describe('a debug page whose action was chosen before it opened', () => {
  it('leaves another environment that the user then chooses', async () => {
    const { catalog } = world();
    await catalog.refresh();
    const page = pageAt('https://us.example.com/v1/apps/2/tasks/12/compile?html');
    await catalog.chooseEnvironment('us');
    catalog.chooseApp(2);
    catalog.chooseAction(12);
    await catalog.follow(page);
    await catalog.chooseEnvironment('eu');
    await catalog.follow(page);
    expect([catalog.environment.value?.id, catalog.appId.value]).toEqual(['eu', null]);
  });
});

describe('a page at a URL of unknown form that is open already', () => {
  const env = { appId: 2, taskId: 12, organizationId: null, mode: null };

  it('is shown as the choice of its ENV, if its URL starts with the base URL of an environment', async () => {
    const { catalog } = world();
    await catalog.refresh();
    await catalog.follow(pageAt('https://us.example.com/somewhere', env));
    expect([catalog.environment.value?.id, catalog.appId.value, catalog.actionId.value]).toEqual(['us', 2, 12]);
  });

  it('chooses nothing if it belongs to no environment, or names no app', async () => {
    const { catalog } = world();
    await catalog.refresh();
    await catalog.follow(pageAt('https://us.example.com.evil.example/somewhere', env));
    await catalog.follow(pageAt('https://us.example.com/somewhere', { ...env, appId: null }));
    expect(catalog.appId.value).toBeNull();
  });
});

describe('a pasted URL of an app’s page', () => {
  it('opens in the environment with its origin, and its app is chosen', async () => {
    const { catalog, sent } = world();
    await catalog.refresh();
    catalog.setUrl('https://us.example.com/v1/apps/2/preview?page=2003');
    expect(await catalog.open()).toBe(true);
    expect(sent).toContainEqual([
      'pages.open',
      { environmentId: 'us', tabId: 7, appId: 2, page: 'preview', screen: 2003 },
    ]);
    expect(catalog.environment.value?.id).toBe('us');
    expect(catalog.appId.value).toBe(2);
    expect(catalog.actionId.value).toBeNull();
    expect(catalog.url.value).toBe('');
    expect(catalog.error.value).toBeNull();
  });

  it('that the platform rejects stays in the URL field, with the error', async () => {
    const error = { code: 'CONFLICT', message: 'The app has no live version yet; publish it first.' };
    const { catalog } = world({
      'pages.open': () => ({ ok: false, error }),
      'pages.allowReload': () => ({ ok: false, error }),
    });
    await catalog.refresh();
    catalog.setUrl('https://eu.example.com/api/v1/apps/1/live');
    expect(await catalog.open()).toEqual(false);
    expect(catalog.error.value).toEqual(error);
    expect(catalog.url.value).toBe('https://eu.example.com/api/v1/apps/1/live');
    expect(catalog.opening.value).toEqual(false);
    catalog.dismiss();
    expect(await catalog.allowReload('https://eu.example.com/api/v1/apps/1/live')).toEqual(false);
    expect(catalog.error.value).toEqual(error);
  });
});

describe('opening a page', () => {
  it('can be canceled without an error, and opened again', async () => {
    const signals: AbortSignal[] = [];
    const { catalog } = world(
      { 'debugPage.open': () => new Promise(() => {}) },
      new Map(),
      (signal) => void signals.push(signal),
    );
    await catalog.refresh();
    catalog.chooseApp(1);
    catalog.chooseAction(11);
    const opened = catalog.open();
    expect(catalog.opening.value).toEqual(true);
    expect(catalog.cannotOpen.value).toBe('Wait for the page to open');
    catalog.cancelOpening();
    expect(await opened).toEqual(false);
    expect(catalog.opening.value).toEqual(false);
    expect(catalog.error.value).toBeNull();
    expect(catalog.cannotOpen.value).toBeNull();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('a reload', () => {
  it('of an environment’s debug page is allowed first. Other pages need no permission', async () => {
    // Also before the environments were read.
    const { catalog, sent } = world();
    expect(await catalog.allowReload('https://us.example.com/v1/apps/2/tasks/12/compile?html&payload=%7B%7D')).toBe(
      true,
    );
    expect(sent.at(-1)).toEqual(['debugPage.allowReload', { environmentId: 'us', tabId: 7, appId: 2, taskId: 12 }]);
    expect(await catalog.allowReload('https://eu.example.com/api/v1/apps/1/live')).toBe(true);
    expect(sent.at(-1)).toEqual(['pages.allowReload', { environmentId: 'eu', tabId: 7, appId: 1, page: 'live' }]);
    const before = sent.length;
    expect(await catalog.allowReload('https://elsewhere.example/')).toBe(true);
    expect(sent).toHaveLength(before);
  });
});
