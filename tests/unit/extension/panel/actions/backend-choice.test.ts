/** Tests which way to an app’s actions the panel chooses, and what it remembers while there is none. */
import { expect, it } from 'vitest';
import { isPageOf } from '../../../../../lib/extension/panel/actions/backend/choose.ts';
import { SeenApps } from '../../../../../lib/extension/panel/actions/backend/seen-apps.ts';
import { closing, openPanel } from '../shell/open-panel.ts';
import { openPage } from '../../inspector/support/page.ts';

const ENVIRONMENT = {
  id: 'e',
  name: 'E',
  baseUrl: 'http://localhost',
  preset: 'custom',
  production: false,
  namespace: 'Platform',
  maskedToken: '…',
  endpoints: null as 'all' | 'specified' | null,
} as never as { endpoints: 'all' | 'specified' | null };
const MISSING = { ok: false, error: { code: 'ENDPOINT_MISSING', message: 'The platform has no such endpoint.' } };
const appPage = (appId: number, name: string) => `
  ENV = { appId: ${appId}, taskId: 2, organizationId: 1, mode: 'preview', taskPipeline: [] };
  calls = 0;
  Platform = { App: { Actions: { get: async () => (calls++, [{ id: 2, name: '${name}' }]), Pipeline: { run: async () => 1 } } } };`;

async function open(
  endpoints: 'all' | 'specified' | null,
  page = appPage(1, 'from-page'),
  { url, pageUrls }: { url?: string; pageUrls?: string[] } = {},
) {
  const asked: string[] = [];
  const respond = {
    'environments.list': () => ({ ok: true, value: [{ ...ENVIRONMENT, endpoints, pageUrls }] }),
    'apps.list': {
      ok: true,
      value: [
        { id: 1, name: 'One' },
        { id: 3, name: 'Three' },
      ],
    },
    'actions.list': () => {
      asked.push('actions.list');
      return endpoints === 'all' ? { ok: true, value: [{ id: 9, name: 'from-rest', triggers: [] }] } : MISSING;
    },
  };
  const given = url === undefined ? {} : { page: await openPage({ url, before: page, agent: false }) };
  const { panel, tab } = await openPanel(page, { ...given, respond });
  const names = () => panel.catalog.actions.value.value?.map(({ name }) => name) ?? null;
  return { panel, tab, asked, names, way: () => panel.catalog.backend.value?.way };
}

it('uses the endpoints of a platform that has them, even if a page of the app is open', async () => {
  const { tab, names, way } = await open('all');
  await tab.page.until(() => names() !== null);
  expect(names()).toEqual(['from-rest']);
  expect(way()).toBe('rest');
  expect(tab.page.run('calls')).toBe(0);
});

it.each([
  ['is found to lack the endpoints', null, 1],
  ['is known to lack the endpoints', 'specified', 0],
] as const)('lists actions through the page if the platform %s', async (_what, endpoints, requests) => {
  const { tab, panel, names, way, asked } = await open(endpoints);
  await tab.page.until(() => names() !== null);
  expect(names()).toEqual(['from-page']);
  expect(way()).toBe('page');
  expect(asked).toHaveLength(requests);
  expect(panel.catalog.error.value).toBeNull();
});

const ACTIONS = `calls = 0; Platform = { App: { Actions: {
  get: async () => (calls++, [{ id: 2, name: 'from-page' }]), Pipeline: { run: async () => 1 } } } };`;

it.each([
  ['only a pipeline in its ENV', 'ENV = { taskPipeline: [] };'],
  ['a constant as its ENV', 'const ENV = { taskPipeline: [] };'],
  ['no ENV', ''],
])('lists actions through a debug page that has %s: its URL says which app it belongs to', async (_what, env) => {
  const { tab, panel, names, way } = await open('specified', `${env} ${ACTIONS}`);
  await tab.page.until(() => names() !== null);
  expect(names()).toEqual(['from-page']);
  expect(way()).toBe('page');
  expect(panel.catalog.target.value).toEqual({ environmentId: 'e', appId: 1, taskId: 2 });
  expect(panel.toOpen.value).toBeNull();
});

it('has no way to the actions of another app than the page’s, and says so without an error', async () => {
  const { panel, names, way, tab } = await open('specified', appPage(1, 'from-page'));
  await tab.page.until(() => names() !== null);
  panel.catalog.chooseApp(3);
  expect(way()).toBe('none');
  expect(panel.catalog.backend.value?.missing).toBe('absent');
  await panel.catalog.refreshActions();
  expect(names()).toBeNull();
  expect(panel.catalog.error.value).toBeNull();
});

it('says that a page without App.Actions.get() doesn’t offer the actions', async () => {
  const { panel, tab, way } = await open(
    'specified',
    `ENV = { appId: 1, taskId: 2 }; Platform = { App: { Actions: { Pipeline: { run: async () => 1 } } } };`,
  );
  await tab.page.until(() => panel.catalog.appId.value === 1);
  expect(way()).toBe('none');
  expect(panel.catalog.backend.value?.missing).toBe('no-api');
});

const LIVE = 'https://desk.apps.example/';

it('lists actions through a live page at one of the environment’s page URLs', async () => {
  const { tab, panel, names, way } = await open('specified', appPage(1, 'from-live'), {
    url: LIVE,
    pageUrls: ['https://other.example', 'https://desk.apps.example'],
  });
  await tab.page.until(() => names() !== null);
  expect(names()).toEqual(['from-live']);
  expect(way()).toBe('page');
  expect(panel.catalog.appId.value).toBe(1);
});

it('doesn’t use a page elsewhere until the user adds its site, even if it has an app with this ID', async () => {
  const { tab, panel, names, way } = await open('specified', appPage(1, 'from-elsewhere'), { url: LIVE });
  await tab.page.until(() => panel.catalog.apps.value.value !== null && panel.page.state.value !== null);
  panel.catalog.chooseApp(1);
  expect(way()).toBe('none');
  expect(panel.catalog.backend.value?.missing).toBe('elsewhere');
  expect(tab.page.run('calls')).toBe(0);
  expect(names()).toBeNull();
  const listed = await panel.catalog.backend.value!.list();
  expect(listed).toMatchObject({
    ok: false,
    error: { code: 'APP_PAGE_MISSING', hint: expect.stringContaining('page URLs') },
  });
});

it('keeps the list when the tab leaves the page, and refreshes nothing until a page of the app is open again', async () => {
  const { panel, tab, names, way } = await open('specified');
  await tab.page.until(() => names() !== null);
  const app = tab.page;
  tab.page = await openPage({ url: 'https://elsewhere.example/', agent: false });
  closing.push(
    () => tab.page.close(),
    () => app.close(),
  );
  await tab.page.until(() => way() === 'none');
  expect(names()).toEqual(['from-page']);
  await panel.catalog.refreshActions();
  expect(panel.catalog.actions.value).toMatchObject({ state: 'failed', error: { code: 'APP_PAGE_MISSING' } });
  expect(names()).toEqual(['from-page']);
  tab.page = await openPage({ before: appPage(1, 'again'), agent: false });
  await tab.page.until(() => names()?.[0] === 'again');
  expect(panel.catalog.error.value).toBeNull();
});

it('remembers the last debug page and the actions’ names, so that an action can be opened by name', async () => {
  const { panel, tab, names } = await open('specified');
  await tab.page.until(() => names() !== null);
  await panel.catalog.chooseEnvironment('e');
  panel.page.leave();
  panel.catalog.chooseApp(1);
  expect(names()).toBeNull();
  expect(panel.catalog.choices.value).toEqual([{ id: 2, name: 'from-page' }]);
  expect(panel.catalog.actionsReadAt.value).toBeNull();
  expect(panel.catalog.choicesReadAt.value).toEqual(expect.any(Number));
  expect(panel.catalog.lastDebugPage.value).toEqual({ id: 2, name: 'from-page' });
  panel.catalog.setUrl(' 77 ');
  expect(panel.catalog.target.value).toEqual({ environmentId: 'e', appId: 1, taskId: 77 });
});

it.each([
  ['http://localhost/v1/apps/1/tasks/2/compile?html', 1, true],
  ['http://localhost/v1/apps/1/preview', 1, true],
  ['http://localhost/anything', 1, true],
  ['http://localhost/v1/apps/3/tasks/2/compile?html', 1, false],
  ['http://localhost.evil.example/', 1, false],
  ['https://localhost/', 1, false],
  ['http://localhost/', 2, false],
])('%s with ENV.appId %i is a page of app 1: %s', (url, appId, expected) => {
  const env = { appId, taskId: null, organizationId: null, mode: null };
  expect(isPageOf({ url, env }, ENVIRONMENT as never, 1)).toBe(expected);
});

it.each([
  ['https://desk.apps.example/', true],
  ['https://desk.apps.example/orders?id=1', true],
  ['https://desk.apps.example.evil.example/', false],
  ['https://shared.example/desk/', true],
  ['https://shared.example/deskjet/', false],
  ['http://localhost/anything', true],
])('%s is at one of the page URLs: %s', (url, expected) => {
  const env = { appId: 1, taskId: null, organizationId: null, mode: null };
  const pageUrls = ['https://desk.apps.example', 'https://shared.example/desk'];
  expect(isPageOf({ url, env }, { ...ENVIRONMENT, pageUrls } as never, 1)).toBe(expected);
});

it('remembers a bounded number of apps and actions, forgets those of removed environments, and ignores damaged data', () => {
  const stored = new Map<string, string>();
  const memory = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  const seen = new SeenApps(memory);
  const actions = Array.from({ length: 1_000 }, (_, id) => ({ id, name: `action-${id}`, secret: 'x' }));
  for (let appId = 1; appId <= 30; appId++) seen.noteActions({ environmentId: `e${appId % 2}`, appId }, actions);
  seen.noteDebugPage({ environmentId: 'e0', appId: 30 }, 5);
  const again = new SeenApps(memory);
  expect(again.apps.value).toHaveLength(20);
  expect(again.of({ environmentId: 'e0', appId: 30 })).toMatchObject({ taskId: 5 });
  expect(again.of({ environmentId: 'e0', appId: 30 })?.actions).toHaveLength(300);
  expect(JSON.stringify([...stored])).not.toContain('secret');
  again.keepOnly(['e1']);
  expect(new Set(new SeenApps(memory).apps.value.map(({ environmentId }) => environmentId))).toEqual(new Set(['e1']));
  for (const key of stored.keys()) stored.set(key, '[{"environmentId":7}]');
  expect(new SeenApps(memory).apps.value).toEqual([]);
});
