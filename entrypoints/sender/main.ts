import { serveChange } from '../../lib/extension/background/changes/frame.ts';
import { browser } from '../../lib/extension/messaging/browser.ts';

if (window !== window.top) serveChange((info) => browser.runtime.connect(info));
else {
  const frame = document.createElement('iframe');
  // Gives the frame its own connection pool.
  (frame as HTMLIFrameElement & { credentialless: boolean }).credentialless = true;
  frame.src = location.href;
  document.body.append(frame);
}
