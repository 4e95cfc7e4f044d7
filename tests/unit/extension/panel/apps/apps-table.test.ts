// @vitest-environment happy-dom
/** Tests the table of apps: search, sorting, columns, and selection. */
import { signal } from '@preact/signals';
import { beforeEach, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { App } from '../../../../../lib/platform-api/app.ts';
import type { Result } from '../../../../../lib/platform-api/errors.ts';
import {
  APP_COLUMNS,
  appRows,
  appText,
  recallColumns,
  rememberColumns,
} from '../../../../../lib/extension/panel/apps/app-rows.ts';
import { appsStateOf } from '../../../../../lib/extension/panel/apps/apps-state.ts';
import { createHostPage } from '../../../../../lib/extension/panel/apps/host-page.ts';
import type { AppColumn } from '../../../../../lib/extension/panel/apps/types.ts';
import { Catalog } from '../../../../../lib/extension/panel/shell/catalog.ts';
import type { Panel } from '../../../../../lib/extension/panel/shell/panel.ts';
import { PanelRegistry } from '../../../../../lib/extension/panel/shell/registry.ts';
import { LONG, MARKUP, RTL, hostileApps } from '../../../../support/data/hostile-apps.ts';
import { overRest } from '../../../../support/fake-send.ts';
import { createFakePlatform, refused, settled, use } from './support/fake-platform.ts';
import { cpuTime } from '../../../../support/cpu-time.ts';

const parse = (apps: unknown[]): App[] => v.parse(v.array(App), apps);
const app = (id: number, over: Record<string, unknown> = {}) => ({
  id,
  name: `App ${id}`,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  organizationId: 3,
  ...over,
});
const ids = (apps: readonly App[]) => apps.map(({ id }) => id);

describe('the rows of the table of apps', () => {
  const apps = parse([
    app(2, {
      name: 'beta',
      version: 3,
      updatedAt: '2026-03-01T00:00:00+02:00',
      appUser: { appRoleId: 9, appId: 2, userId: 77 },
      productionAppId: 30,
    }),
    app(1, {
      name: 'Alpha',
      version: 12,
      updatedAt: '2026-02-28T23:00:00Z',
      slug: 'first-one',
      settings: { colour: 'Teal' },
    }),
    app(30, {
      name: 'alpha 2',
      updatedAt: 'yesterday',
      releases: [{ notes: 'x' }],
      deletedAt: '2026-05-01T00:00:00Z',
      icon: 'https://cdn.example.com/z.png',
    }),
  ]);
  const rows = (query: string, by: AppColumn = 'id', descending = false) =>
    ids(appRows(apps, query, { by, descending }));

  it('match by any field when every word matches', () => {
    expect([
      rows('ALPHA'),
      rows('30'),
      rows('teal'),
      rows('first-one alpha'),
      rows('user 77'),
      rows('first-one beta'),
      rows(' '),
    ]).toEqual([[1, 30], [2, 30], [1], [1], [2], [], [1, 2, 30]]);
  });

  it.each<[AppColumn, number[], number[]]>([
    ['name', [1, 30, 2], [2, 30, 1]],
    ['id', [1, 2, 30], [30, 2, 1]],
    ['version', [2, 1, 30], [1, 2, 30]],
    ['updatedAt', [2, 1, 30], [1, 2, 30]],
    ['createdAt', [2, 1, 30], [2, 1, 30]],
    ['deletedAt', [30, 2, 1], [30, 2, 1]],
    ['productionAppId', [2, 1, 30], [2, 1, 30]],
    ['appUser', [2, 1, 30], [2, 1, 30]],
    ['slug', [1, 2, 30], [1, 2, 30]],
    ['settings', [1, 2, 30], [1, 2, 30]],
    ['releases', [30, 2, 1], [30, 2, 1]],
    ['dependencies', [2, 1, 30], [2, 1, 30]],
    ['icon', [30, 2, 1], [30, 2, 1]],
    ['organizationId', [2, 1, 30], [2, 1, 30]],
    ['startingPageId', [2, 1, 30], [2, 1, 30]],
  ])('are sorted by %s, with missing values last and ties in the platform’s order', (column, up, down) => {
    expect([rows('', column), rows('', column, true)]).toEqual([up, down]);
  });

  it('have a column for each field of the specification', () => {
    const fields = Object.keys(parse([app(1)])[0]!);
    expect(new Set<string>(APP_COLUMNS.map(({ id }) => id))).toEqual(new Set(fields));
  });

  it('show hostile values as text, and nothing for missing ones', () => {
    const hostile = parse(hostileApps());
    for (const one of hostile) for (const { id } of APP_COLUMNS) expect(typeof appText(one, id)).toBe('string');
    const named = (name: string) => hostile.find((one) => one.name === name);
    expect(APP_COLUMNS.map(({ id }) => appText(named('Nulls')!, id)).filter((text) => text !== '')).toEqual([
      'Nulls',
      '2026-01-01T00:00:00.000Z',
      expect.stringMatching(/^9\d+$/),
      '2026-01-01T00:00:00.000Z',
      expect.any(String),
    ]);
    expect([MARKUP, RTL, LONG].map((name) => appText(named(name)!, 'name'))).toEqual([MARKUP, RTL, LONG]);
    for (const { id } of APP_COLUMNS)
      for (const descending of [false, true])
        expect(appRows(hostile, '', { by: id, descending })).toHaveLength(hostile.length);
    expect(appRows(hostile, 'javascript:', { by: 'name', descending: false }).length).toBeGreaterThan(0);
  });

  it('of 10,000 apps are searched and sorted without delay', () => {
    const [one] = parse([app(1)]);
    const many = Array.from({ length: 10_000 }, (_, n): App => ({
      ...one!,
      id: n,
      name: `App ${(n * 7919) % 10_000}`,
      version: n % 40,
    }));
    const took = cpuTime(() => {
      expect(appRows(many, 'app 99', { by: 'name', descending: true })).toHaveLength(555);
      appRows(many, '', { by: 'updatedAt', descending: false });
    });
    expect(took).toBeLessThan(500);
  });
});

describe('the columns of the table of apps', () => {
  const memory = (saved: string | null) => ({ getItem: () => saved, setItem: () => {} });

  it('are those selected last, in table order, always with the name', () => {
    const saved = new Map<string, string>();
    const remembering = {
      getItem: (key: string) => saved.get(key) ?? null,
      setItem: (key: string, value: string) => void saved.set(key, value),
    };
    expect(rememberColumns(remembering, ['slug', 'id'])).toEqual(['name', 'id', 'slug']);
    expect(recallColumns(remembering)).toEqual(['name', 'id', 'slug']);
  });

  it.each([null, 'nonsense', '7', '{"a":1}'])('are the default ones when %j is stored', (saved) => {
    expect(recallColumns(memory(saved))).toEqual(['name', 'version', 'updatedAt', 'productionAppId', 'appUser', 'id']);
  });

  it('ignore unknown ones, and work in a browser that stores nothing', () => {
    expect(recallColumns(memory('["gone", 5, "slug"]'))).toEqual(['name', 'slug']);
    const refusing = {
      getItem: () => {
        throw new Error('no');
      },
      setItem: () => {
        throw new Error('no');
      },
    };
    expect(recallColumns(refusing).length).toBe(6);
    expect(rememberColumns(refusing, ['icon'])).toEqual(['name', 'icon']);
  });
});

describe('the Apps tab', () => {
  let listed: Result<unknown>;
  beforeEach(() => {
    listed = {
      ok: true,
      value: parse([app(1, { version: 12 }), app(2, { name: 'zeta' }), app(3, { deletedAt: '2026-05-01T00:00:00Z' })]),
    };
  });
  const environment = (id: string) => ({
    id,
    name: id,
    preset: 'custom',
    baseUrl: `https://${id}.example.com`,
    namespace: 'Platform',
    production: false,
    maskedToken: '',
  });

  async function open(responses: Parameters<typeof createFakePlatform>[0] = {}) {
    const platform = createFakePlatform({
      ...responses,
      'environments.list': () => ({ ok: true, value: [environment('e'), environment('f')] }),
      'apps.list': () => listed,
      'actions.list': () => ({ ok: true, value: [] }),
      'publish.list': () => ({ ok: true, value: [] }),
    });
    const memory = { getItem: () => null, setItem: () => {} };
    const catalog = new Catalog({ send: platform.send, backendOf: overRest(platform.send), tabId: 1, memory });
    const panel = {
      catalog,
      services: { send: platform.send, memory, saveFile: () => {} },
      registry: new PanelRegistry(),
      publishes: signal(0),
    } as unknown as Panel;
    const state = appsStateOf(panel);
    await catalog.refresh();
    return { platform, catalog, state, panel, dispose: () => panel.registry.dispose() };
  }

  it('has one state per panel, with separate deleted apps', async () => {
    const { state, panel } = await open();
    expect(appsStateOf(panel)).toBe(state);
    expect(ids(state.rows.value)).toEqual([1, 2]);
    expect(ids(state.deleted.value)).toEqual([3]);
    expect(state.isOnline.value).toBe(true);
    expect(typeof state.loadedAt.value).toBe('number');
    state.query.value = 'app';
    expect([ids(state.rows.value), ids(state.deleted.value)]).toEqual([[1], [3]]);
    state.query.value = '';
    state.sortBy('name');
    expect(ids(state.rows.value)).toEqual([2, 1]);
    expect(state.sort.value).toEqual({ by: 'name', descending: true });
  });

  it('looks for an app that was made elsewhere when a search matches nothing', async () => {
    const { state, catalog } = await open();
    const old = (catalog.appsReadAt.value! -= 3_000);
    state.query.value = 'app 1';
    await settled();
    expect(catalog.appsReadAt.value).toBe(old);
    state.query.value = 'made elsewhere';
    await settled();
    expect(catalog.appsReadAt.value).toBeGreaterThan(old);
  });

  it('shares the selected app with the toolbar', async () => {
    const { state, catalog } = await open();
    expect(state.selected.value).toBe(null);
    expect(state.page.value).toBe(null);
    state.open(2);
    expect(catalog.appId.value).toBe(2);
    expect(state.view.value).toBe('page');
    expect(state.selectedId.value).toBe(2);
    expect(state.page.value?.of).toEqual({ environmentId: 'e', appId: 2 });
    catalog.chooseApp(1);
    expect(state.selected.value?.id).toBe(1);
    expect(state.page.value?.of.appId).toBe(1);
    expect(state.page.value?.app.value?.version).toBe(12);
    await catalog.chooseEnvironment('f');
    expect(state.selected.value).toBe(null);
    expect(state.page.value).toBe(null);
    expect(state.view.value).toBe('table');
    state.select(2);
    expect(state.page.value?.of.appId).toBe(2);
    expect(state.view.value).toBe('table');
  });

  it('uses the time of a virtual clock', async () => {
    const week = 7 * 86_400_000;
    const { state, catalog } = await open({
      'clock.get': ({ environmentId }: { environmentId: string }) =>
        environmentId === 'e'
          ? { ok: true, value: { virtual: true, now: new Date(Date.now() + week).toISOString() } }
          : refused({}),
    });
    await settled();
    expect(Math.abs(state.clockOffset.value - week)).toBeLessThan(20_000);
    await catalog.chooseEnvironment('f');
    await settled();
    expect(state.clockOffset.value).toBe(0);
  });

  it('doesn’t load the actions of selected apps', async () => {
    const { state, platform, dispose } = await open();
    for (const id of [1, 2, 1, 2]) state.select(id);
    await settled();
    expect(platform.sent.some(([name]) => name === 'actions.list')).toBe(false);
    dispose();
  });

  it('loads nothing when the same app is selected again', async () => {
    const { state, platform } = await open();
    state.select(2);
    await settled();
    const { page } = state;
    const before = [page.value, platform.sent.length];
    state.open(2);
    await settled();
    expect([page.value, platform.sent.length]).toEqual(before);
  });

  it('refreshes the list, and keeps the selection and the previous list on failure', async () => {
    const { state, catalog } = await open();
    state.select(2);
    await settled();
    const page = state.page.value;
    listed = { ok: true, value: parse([app(2, { version: 9 }), app(4)]) };
    await state.refresh();
    expect(ids(state.rows.value)).toEqual([2, 4]);
    expect(state.selected.value?.version).toBe(9);
    expect(state.page.value?.app.value?.version).toBe(9);
    expect(state.page.value).toBe(page);
    listed = refused({ code: 'PLATFORM_UNREACHABLE' });
    await state.refresh();
    expect(ids(state.rows.value)).toEqual([2, 4]);
    expect(catalog.apps.value.error?.code).toBe('PLATFORM_UNREACHABLE');
  });

  it('refreshes the list and the app’s releases after a publish in the popup', async () => {
    const { state, platform, panel } = await open();
    state.open(2);
    await state.page.value?.refresh();
    const sent = (name: string) => platform.sent.filter(([one]) => one === name).length;
    const before = { apps: sent('apps.list'), releases: sent('publish.list') };
    panel.publishes.value++;
    await settled();
    expect({ apps: sent('apps.list'), releases: sent('publish.list') }).toEqual({
      apps: before.apps + 1,
      releases: before.releases + 1,
    });
  });

  it('disposes of an app’s page when another app is selected, or the panel is disposed', async () => {
    const { state, dispose, platform } = await open();
    platform.sessions = Array.from({ length: 20_000 }, (_, n) => use(n));
    state.select(1);
    platform.onPiece = (nth) => {
      if (nth === 2) state.select(2);
      if (nth === 4) dispose();
    };
    const [first] = [state.page.value!];
    await first.sessions.refresh();
    expect(first.sessions.state.value).toBe('cancelled');
    expect(platform.pieces().length).toBe(2);
    const second = state.page.value!;
    await second.sessions.refresh();
    expect(second.sessions.state.value).toBe('cancelled');
    expect(platform.pieces().length).toBe(4);
  });
});

it('reports visibility and network of the host page, and runs or cancels delayed tasks', async () => {
  let visibility = 'visible';
  let isOnline = true;
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility });
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline });
  const host = createHostPage();
  expect(host.isVisible.value).toBe(true);
  expect(host.isOnline.value).toBe(true);
  visibility = 'hidden';
  document.dispatchEvent(new Event('visibilitychange'));
  isOnline = false;
  window.dispatchEvent(new Event('offline'));
  expect(host.isVisible.value).toBe(false);
  expect(host.isOnline.value).toBe(false);
  isOnline = true;
  window.dispatchEvent(new Event('online'));
  expect(host.isOnline.value).toBe(true);
  const done: string[] = [];
  host.later(() => done.push('called off'), 0)();
  await new Promise<void>((resolve) => host.later(() => resolve(void done.push('done')), 1));
  expect(done).toEqual(['done']);
  Reflect.deleteProperty(document, 'visibilityState');
  Reflect.deleteProperty(navigator, 'onLine');
});
