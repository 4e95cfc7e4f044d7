/** Owns the wiring of the popup. */
import { render } from 'preact';
import '../../assets/tokens.css';
import { PopupView } from '../../components/popup/popup.tsx';
import type { LockState } from '../../lib/extension/messaging/model/lock.ts';
import { attend } from '../../lib/extension/messaging/attend.ts';
import type { Send } from '../../lib/extension/messaging/protocol.ts';
import { createSend, type SendRuntime } from '../../lib/extension/messaging/send.ts';
import { createKept } from '../../lib/extension/popup/kept.ts';
import { createPopup } from '../../lib/extension/popup/popup.ts';

interface Api {
  runtime: SendRuntime & { openOptionsPage(): Promise<void> };
  permissions: Record<
    'contains' | 'request' | 'remove',
    (which: { permissions: ['notifications'] }) => Promise<boolean>
  >;
}
// Promises under either name; the polyfill would be a third of this page.
const { browser, chrome } = globalThis as { browser?: Api; chrome?: Api };
const { runtime, permissions } = (browser ?? chrome)!;
// A browser that refuses even to ask has not allowed it.
const notices = (how: keyof Api['permissions']): Promise<boolean> =>
  permissions[how]({ permissions: ['notifications'] }).catch(() => false);

const ask = createSend(runtime);
const send: Send = async (name, takes, signal) => {
  const answer = await ask(name, takes, signal);
  // A page of its own asks for the passphrase and comes back; what is written here is kept. Not when it was just left with “Not now”.
  if (!answer.ok && answer.error.code === 'VAULT_LOCKED' && !location.search) location.replace('unlock.html');
  return answer;
};
const popup = createPopup({
  send,
  kept: createKept(localStorage),
  now: () => Date.now(),
  later(work, milliseconds) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  notices: { isAllowed: () => notices('contains'), allow: () => notices('request'), giveUp: () => notices('remove') },
});
const setOnline = (): void => {
  popup.online.value = navigator.onLine;
};
setOnline();
window.addEventListener('online', setOnline);
window.addEventListener('offline', setOnline);

const root = document.getElementById('popup');
if (root)
  render(
    <PopupView popup={popup} openOptions={() => void runtime.openOptionsPage().then(() => window.close())} />,
    root,
  );
// What is asked for from here on may ask for the passphrase anew.
void popup.open().then(() => history.replaceState(null, '', location.pathname));
let lock: LockState | null = null;
void send('vault.state', undefined).then((answer) => (lock = answer.ok ? answer.value.lock : null));
attend({ send, state: () => lock }, window);
