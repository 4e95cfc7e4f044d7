/** Loads an app’s actions only while a tab is open that shows them. */
import { expect, it, onTestFinished } from 'vitest';
import type { RunInspector } from '../../../../../lib/extension/inspector/run/types.ts';
import { fakeSend } from '../../../../support/fake-send.ts';
import { Panel, type PanelOptions } from '../../../../../lib/extension/panel/shell/panel.ts';
import type { RunStore } from '../../../../../lib/extension/panel/run/history/run-store.ts';
import type { TabId } from '../../../../../lib/extension/panel/shell/tabs.ts';

const APPS = [{ id: 1 }, { id: 2 }];
const ENVIRONMENTS = [{ id: 'e', baseUrl: 'https://e.example.com' }];

async function open(tab: TabId) {
  const requested: number[] = [];
  const responses: Partial<Record<string, (takes: { appId: number }) => unknown>> = {
    'environments.list': () => ({ ok: true, value: ENVIRONMENTS }),
    'apps.list': () => ({ ok: true, value: APPS }),
    'actions.list': ({ appId }) => {
      requested.push(appId);
      return { ok: false, error: { code: 'NOT_FOUND', message: 'The app has no actions here.' } };
    },
  };
  const panel = new Panel({
    send: fakeSend((name, takes) => responses[name]?.(takes)),
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
