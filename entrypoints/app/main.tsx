/** Owns the wiring of an app's page in a browser tab, which a link in the popup or a notification leads to. */
import { render } from 'preact';
import '../../assets/tokens.css';
import '../../components/panel/panel.css';
import { LoneAppView } from '../../components/app/lone-app-view.tsx';
import { appLink, readAppLink } from '../../lib/contract/app-link.ts';
import { originPattern } from '../../lib/contract/environment.ts';
import { browser } from '../../lib/messaging/browser.ts';
import { createLock } from '../../lib/messaging/lock.ts';
import { createSend } from '../../lib/messaging/send.ts';
import { createLoneApp } from '../../lib/panel/apps/lone-app.ts';
import { createPageWorld } from '../../lib/panel/apps/page-world.ts';
import { copyText, saveFile } from '../panel/hand-over.ts';

const { permissions, runtime } = browser;
const lock = createLock(createSend(runtime));
const link = readAppLink(location.search);
const lone = link && createLoneApp({
  send: lock.send,
  link,
  // A browser that refuses even to ask has not allowed it.
  requestAccess: (baseUrl) => permissions.request({ origins: [originPattern(baseUrl)] }).catch(() => false),
  saveFile,
  world: createPageWorld(),
});

const root = document.getElementById('app');
const openApp = (appId: number): void => void (link && location.assign(`/${appLink({ ...link, appId, version: null })}`));
if (root) render(<LoneAppView lone={lone} lock={lock} copyText={copyText} openOptions={() => void runtime.openOptionsPage()} onOpenApp={openApp} />, root);
void lone?.read();
lock.follow(window);
