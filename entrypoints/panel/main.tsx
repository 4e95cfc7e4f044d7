/** Owns the wiring of the DevTools panel: what the browser offers, given to the panel's state. */
import { render } from 'preact';
import '../../assets/tokens.css';
import { PanelView } from '../../components/panel/panel.tsx';
import { createEvaluate, createInspector, createOpenResource } from '../../lib/inspector/index.ts';
import { createSend } from '../../lib/messaging/send.ts';
import { createPanel, createRunStore } from '../../lib/panel/index.ts';
import { loadBrowser } from './browser.ts';
import { copyText, saveFile } from './hand-over.ts';

const browser = await loadBrowser();
const { inspectedWindow, network, panels } = browser.devtools;

const panel = createPanel({
  send: createSend(browser.runtime),
  inspector: createInspector({
    evaluate: createEvaluate(inspectedWindow),
    agentSource: async () => (await fetch(browser.runtime.getURL('page-agent.js'))).text(),
    // The polyfill's types leave out what Firefox lacks.
    openResource: createOpenResource(panels as Parameters<typeof createOpenResource>[0]),
    reload: (options) => void inspectedWindow.reload(options),
    onNavigated(listener) {
      network.onNavigated.addListener(listener);
      return () => network.onNavigated.removeListener(listener);
    },
  }),
  store: createRunStore(),
  tabId: inspectedWindow.tabId,
  memory: localStorage,
  openOptions: () => void browser.runtime.openOptionsPage(),
  copyText,
  saveFile,
});

const setTheme = (name: string): void => {
  document.documentElement.dataset['theme'] = name === 'dark' ? 'dark' : 'light';
};
setTheme(panels.themeName);
panels.onThemeChanged?.addListener(setTheme);

const root = document.getElementById('panel');
if (root) render(<PanelView panel={panel} />, root);
void panel.start();
// Environments may have been added on the options page meanwhile.
window.addEventListener('focus', () => void panel.catalog.refresh());
window.addEventListener('pagehide', () => panel.dispose());
