/** Loads an app’s actions only while a tab is open that shows them. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { actionsStateOf } from '../../../../../lib/extension/panel/actions/actions-state.ts';
import type { RunInspector } from '../../../../../lib/extension/inspector/run/types.ts';
import { fakeSend } from '../../../../support/fake-send.ts';
import { Panel, type PanelOptions } from '../../../../../lib/extension/panel/shell/panel.ts';
import type { RunStore } from '../../../../../lib/extension/panel/run/history/run-store.ts';
import type { TabId } from '../../../../../lib/extension/panel/shell/tabs.ts';

const APPS = [{ id: 1 }, { id: 2 }];
const ENVIRONMENTS = [{ id: 'e', baseUrl: 'https://e.example.com' }];

async function open(tab: TabId, isUp = false) {
  const requested: number[] = [];
  const responses: Partial<Record<string, (takes: { appId: number }) => unknown>> = {
    'environments.list': () => ({ ok: true, value: ENVIRONMENTS }),
    'apps.list': () => ({ ok: true, value: APPS }),
    'actions.list': ({ appId }) => {
      requested.push(appId);
      if (isUp) return { ok: true, value: [{ id: 7, name: 'act', appId, triggers: [], functions: [] }] };
      return { ok: false, error: { code: 'NOT_FOUND', message: 'The app has no actions here.' } };
    },
  };
  const panel = new Panel({
    send: fakeSend((name, takes) => responses[name]?.(takes) ?? { ok: false, error: { code: 'NO', message: 'No.' } }),
    inspector: { capabilities: {}, subscribe: () => () => {}, dispose: () => {} } as unknown as RunInspector,
    store: { list: async () => [], payloads: async () => [] } as unknown as RunStore,
    memory: { getItem: (key: string) => (key.endsWith('.tab') ? tab : null), setItem: () => {} },
    tabId: 1,
  } as unknown as PanelOptions);
  onTestFinished(() => panel.dispose());
  await panel.catalog.refresh();
  return { panel, requested, settled: () => new Promise((resolve) => setTimeout(resolve)) };
}

it.each(['run', 'actions'] as const)(
  'tab %s loads the actions of the chosen app once, even when that fails',
  async (tab) => {
    const { panel, requested, settled } = await open(tab);
    panel.catalog.chooseApp(1);
    await settled();
    expect(requested).toEqual([1]);
    expect(panel.catalog.actions.value.state).toBe('failed');
    expect(panel.catalog.error.value?.code).toBe('NOT_FOUND');
  },
);

it.each(['apps', 'oauth2'] as const)(
  'tab %s loads no actions, until another tab that shows them is opened',
  async (tab) => {
    const { panel, requested, settled } = await open(tab);
    for (const id of [1, 2, 1, 2]) panel.catalog.chooseApp(id);
    await settled();
    expect(requested).toEqual([]);
    expect(panel.catalog.error.value).toBeNull();
    panel.tabs.open('actions');
    await settled();
    expect(requested).toEqual([2]);
  },
);

it('shows the error of a list on the tab where it happened, and not over another one', async () => {
  const { panel, settled } = await open('run');
  panel.catalog.chooseApp(1);
  await settled();
  expect(panel.catalogError.value?.code).toBe('NOT_FOUND');
  panel.tabs.open('oauth2');
  expect(panel.catalogError.value).toBeNull();
  panel.tabs.open('run');
  expect(panel.catalogError.value?.code).toBe('NOT_FOUND');
});

describe('actions that were made elsewhere', () => {
  async function opened(tab: TabId) {
    const all = await open(tab, true);
    const { panel, settled } = all;
    panel.catalog.chooseApp(1);
    if (tab === 'oauth2') await panel.catalog.refreshActions();
    await settled();
    const makeOld = () => void (panel.catalog.actionsReadAt.value! -= 11_000);
    return { ...all, makeOld };
  }

  it.each(['run', 'actions'] as const)(
    'are listed when tab %s gets focus, if the list is older than 10 seconds',
    async (tab) => {
      const { panel, requested, makeOld } = await opened(tab);
      await panel.handleFocus();
      expect(requested).toEqual([1]);
      makeOld();
      await panel.handleFocus();
      expect(requested).toEqual([1, 1]);
    },
  );

  it('aren’t requested when a tab gets focus that doesn’t list them', async () => {
    const { panel, requested, makeOld } = await opened('oauth2');
    makeOld();
    await panel.handleFocus();
    expect(requested).toEqual([1]);
  });

  it('are looked for when a search of the table matches nothing, once per list', async () => {
    const { panel, requested, settled, makeOld } = await opened('actions');
    const state = actionsStateOf(panel);
    expect(state.loadedAt.value).toBe(panel.catalog.actionsReadAt.value);
    state.query.value = 'act';
    makeOld();
    await settled();
    expect(requested).toEqual([1]);
    state.query.value = 'other';
    await settled();
    state.query.value = 'others';
    await settled();
    expect(requested).toEqual([1, 1]);
  });
});
