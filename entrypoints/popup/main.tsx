/** Starts the popup: connects it to the browser’s APIs. */
import { render } from 'preact';
import '../../assets/tokens.css';
import { PopupView } from '../../components/popup/popup.tsx';
import { readAppLink } from '../../lib/extension/messaging/model/app-link.ts';
import { browser } from '../../lib/extension/messaging/browser.ts';
import { connectSurface } from '../../lib/extension/messaging/connect.ts';
import { openOptionsPage, type OptionsForm } from '../../lib/extension/messaging/options-page.ts';
import { Popup } from '../../lib/extension/popup/popup.ts';
import { SavedState } from '../../lib/extension/popup/saved-state.ts';

const { runtime, permissions, storage } = browser;
const { shared, changes, lock } = connectSurface(browser);
// A browser that doesn’t support this optional permission rejects the call.
const ask = (name: 'contains' | 'request' | 'remove') => () =>
  permissions[name]({ permissions: ['notifications'] }).catch(() => false);
const notifications = { contains: ask('contains'), request: ask('request'), remove: ask('remove') };
const saved = await SavedState.load(storage.local, localStorage);
const popup = new Popup({ send: lock.send, saved, notifications, link: readAppLink(location.search) });

lock.subscribe(() => {
  if (lock.state()?.kind === 'unlocked') popup.handleUnlock();
});
const updateOnline = (): void => void (popup.isOnline.value = navigator.onLine);
updateOnline();
window.addEventListener('online', updateOnline);
window.addEventListener('offline', updateOnline);

const openOptions = (form?: OptionsForm): void =>
  void openOptionsPage(runtime, shared, form).then(() => window.close());
const root = document.getElementById('popup');
if (root) render(<PopupView popup={popup} lock={lock} openOptions={openOptions} />, root);
void popup.open();
changes.subscribe((what) => (what === 'everything' ? location.reload() : void popup.handleStored(what)));
lock.watch(window);
