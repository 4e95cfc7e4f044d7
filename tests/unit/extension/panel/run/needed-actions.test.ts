/** Loads an app’s actions only while a tab is open that shows them. */
import { expect, it, onTestFinished } from 'vitest';
import type { RunInspector } from '../../../../../lib/extension/inspector/run/types.ts';
import type { Send } from '../../../../../lib/extension/messaging/protocol.ts';
import { Panel, type PanelOptions } from '../../../../../lib/extension/panel/shell/panel.ts';
import type { RunStore } from '../../../../../lib/extension/panel/run/history/run-store.ts';
import type { TabId } from '../../../../../lib/extension/panel/shell/tabs.ts';

const APPS = [{ id: 1 }, { id: 2 }];
const ENVIRONMENTS = [{ id: 'e', baseUrl: 'https://e.example.com' }];

async function open(tab: TabId) {
  const asked: number[] = [];
  const answers: Partial<Record<string, (takes: { appId: number }) => unknown>> = {
    'environments.list': () => ({ ok: true, value: ENVIRONMENTS }),
    'apps.list': () => ({ ok: true, value: APPS }),
    'actions.list': ({ appId }) => {
      asked.push(appId);
      return { ok: false, error: { code: 'NOT_FOUND', message: 'The app has no actions here.' } };
    },
  };
  const panel = new Panel({
    send: (async (name: string, takes: { appId: number }) => answers[name]?.(takes)) as unknown as Send,
    inspector: { capabilities: {}, subscribe: () => () => {}, dispose: () => {} } as unknown as RunInspector,
    store: { list: async () => [], payloads: async () => [] } as unknown as RunStore,
    memory: { getItem: (key: string) => (key.endsWith('.tab') ? tab : null), setItem: () => {} },
    tabId: 1,
  } as unknown as PanelOptions);
  onTestFinished(() => panel.dispose());
  await panel.catalog.refresh();
  return { panel, asked, settled: () => new Promise((resolve) => setTimeout(resolve)) };
}

it.each(['run', 'actions'] as const)(
  'tab %s reads the actions of the app that is chosen, once, also when they cannot be read',
  async (tab) => {
    const { panel, asked, settled } = await open(tab);
    panel.catalog.chooseApp(1);
    await settled();
    expect([asked, panel.catalog.actions.value.state, panel.catalog.error.value?.code]).toEqual([
      [1],
      'failed',
      'NOT_FOUND',
    ]);
  },
);

it.each(['apps', 'oauth2'] as const)(
  'tab %s reads none and shows no error of them; they are read when a tab is opened that shows them',
  async (tab) => {
    const { panel, asked, settled } = await open(tab);
    for (const id of [1, 2, 1, 2]) panel.catalog.chooseApp(id);
    await settled();
    expect([asked, panel.catalog.error.value]).toEqual([[], null]);
    panel.tabs.open('actions');
    await settled();
    expect(asked).toEqual([2]);
  },
);
