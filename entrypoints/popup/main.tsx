/** Owns the wiring of the popup. */
import { render } from 'preact';
import '../../assets/tokens.css';
import { PopupView } from '../../components/popup/popup.tsx';
import { createSend, type SendRuntime } from '../../lib/messaging/send.ts';
import { createKept } from '../../lib/popup/kept.ts';
import { createPopup } from '../../lib/popup/popup.ts';

interface Api {
  runtime: SendRuntime & { openOptionsPage(): Promise<void> };
  permissions: Record<'contains' | 'request' | 'remove', (which: { permissions: ['notifications'] }) => Promise<boolean>>;
}
// Promises under either name; the polyfill would be a third of this page.
const { browser, chrome } = globalThis as { browser?: Api; chrome?: Api };
const { runtime, permissions } = (browser ?? chrome)!;
// A browser that refuses even to ask has not allowed it.
const ask = (how: keyof Api['permissions']): Promise<boolean> => permissions[how]({ permissions: ['notifications'] }).catch(() => false);

const popup = createPopup({
  send: createSend(runtime),
  kept: createKept(localStorage),
  now: () => Date.now(),
  later(work, milliseconds) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  notices: { isAllowed: () => ask('contains'), allow: () => ask('request'), giveUp: () => ask('remove') },
});
const setOnline = (): void => {
  popup.online.value = navigator.onLine;
};
setOnline();
window.addEventListener('online', setOnline);
window.addEventListener('offline', setOnline);

const root = document.getElementById('popup');
if (root) render(<PopupView popup={popup} openOptions={() => void runtime.openOptionsPage().then(() => window.close())} />, root);
void popup.open();
