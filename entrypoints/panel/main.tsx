/** Starts the DevTools panel: connects its state to the browser's APIs. */
import { render } from 'preact';
import '../../assets/tokens.css';
import { PanelView } from '../../components/panel/shell/panel.tsx';
import { createInspectors, type LoadScript } from '../../lib/extension/inspector/index.ts';
import { browser } from '../../lib/extension/messaging/browser.ts';
import { connectSurface } from '../../lib/extension/messaging/connect.ts';
import { openOptionsPage } from '../../lib/extension/messaging/options-page.ts';
import { createRunStore } from '../../lib/extension/panel/run/history/run-database.ts';
import { copyText } from '../../lib/shared/copy-text.ts';
import { Panel } from '../../lib/extension/panel/shell/panel.ts';
import { erasePrivateData } from '../../lib/extension/storage/index.ts';
import { saveFile } from '../../lib/shared/save-file.ts';

const { inspectedWindow, panels } = browser.devtools;
const loadScript: LoadScript = async (name) => (await fetch(browser.runtime.getURL(name))).text();
const { shared, changes, lock } = connectSurface(browser);
const panel = new Panel({
  send: lock.send,
  ...createInspectors(browser.devtools, loadScript),
  store: createRunStore(),
  tabId: inspectedWindow.tabId,
  memory: localStorage,
  openOptions: (form) => void openOptionsPage(browser.runtime, shared, form),
  copyText,
  saveFile,
});
const eraseOwn = (): Promise<void> =>
  erasePrivateData(browser.extension.inIncognitoContext, localStorage).then(() => location.reload());
const setTheme = (name: string): void =>
  void (document.documentElement.dataset['theme'] = name === 'dark' ? 'dark' : 'light');
setTheme(panels.themeName);
panels.onThemeChanged?.addListener(setTheme);
render(<PanelView panel={panel} lock={lock} />, document.getElementById('panel')!);
lock.watch(window);
void panel.start();
window.addEventListener('focus', () => void panel.handleFocus());
changes.subscribe((what) => (what === 'everything' ? void eraseOwn() : panel.handleStored(what)));
window.addEventListener('pagehide', () => panel.dispose());
