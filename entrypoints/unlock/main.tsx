/** Owns the wiring of the page that asks for the passphrase in the popup's place. */
import { render } from 'preact';
import '../../assets/tokens.css';
import { UnlockPage } from '../../components/popup/unlock-page.tsx';
import { browser } from '../../lib/extension/messaging/browser.ts';
import { createLock } from '../../lib/extension/messaging/lock.ts';
import { createSend } from '../../lib/extension/messaging/send.ts';

const lock = createLock(createSend(browser.runtime));

const root = document.getElementById('unlock');
if (root)
  render(
    <UnlockPage
      lock={lock}
      goBack={(where) => location.replace(where)}
      openOptions={() => void browser.runtime.openOptionsPage().then(() => window.close())}
    />,
    root,
  );
lock.follow(window);
