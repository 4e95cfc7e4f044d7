/** Owns the wiring of the DevTools panel: what the browser offers, given to the panel's state. */
import { signal } from '@preact/signals';
import { type ComponentType, render } from 'preact';
import '../../assets/tokens.css';
import { PanelView } from '../../components/panel/shell/panel.tsx';
import { createEvaluate, createInspector, createOpenResource } from '../../lib/extension/inspector/index.ts';
import { createLazyLock } from '../../lib/extension/messaging/lazy-lock.ts';
import { createSend } from '../../lib/extension/messaging/send.ts';
import { createPanel, createRunStore } from '../../lib/extension/panel/shell/index.ts';
import { loadBrowser } from '../../lib/extension/panel/shell/browser.ts';
import { copyText, saveFile } from '../../lib/extension/panel/shell/hand-over.ts';

const browser = await loadBrowser();
const { inspectedWindow, network, panels } = browser.devtools;

const script = (name: string) => async () => (await fetch(browser.runtime.getURL(name))).text();
const tab = {
  evaluate: createEvaluate(inspectedWindow),
  reload: (options: { injectedScript?: string }) => void inspectedWindow.reload(options),
  onNavigated(listener: () => void) {
    network.onNavigated.addListener(listener);
    return () => network.onNavigated.removeListener(listener);
  },
};

const ask = createSend(browser.runtime);
const openOptions = (): void => void browser.runtime.openOptionsPage();
const unlock = signal<ComponentType | null>(null);
const send = createLazyLock(ask, window, async () => {
  const [{ createLock }, { Unlock }] = await Promise.all([
    import('../../lib/extension/messaging/lock.ts'),
    import('../../components/ui/unlock.tsx'),
  ]);
  const lock = createLock(ask);
  lock.follow(window);
  unlock.value = () => <Unlock lock={lock} onForgotten={openOptions} />;
  return lock;
});
const panel = createPanel({
  send,
  // The polyfill's types leave out what Firefox lacks.
  inspector: createInspector({
    ...tab,
    agentSource: script('page-agent.js'),
    openResource: createOpenResource(panels as Parameters<typeof createOpenResource>[0]),
  }),
  logins: { ...tab, agentSource: script('oauth2-agent.js') },
  store: createRunStore(),
  tabId: inspectedWindow.tabId,
  memory: localStorage,
  openOptions,
  copyText,
  saveFile,
});

const setTheme = (name: string): void => {
  document.documentElement.dataset['theme'] = name === 'dark' ? 'dark' : 'light';
};
setTheme(panels.themeName);
panels.onThemeChanged?.addListener(setTheme);

const root = document.getElementById('panel');
if (root) render(<PanelView panel={panel} unlock={unlock} />, root);
void panel.start();
// Environments may have been added on the options page meanwhile.
window.addEventListener('focus', () => void panel.catalog.refresh());
window.addEventListener('pagehide', () => panel.dispose());
