/** Owns the wiring of an app's page in a browser tab, which a link in the popup or a notification leads to. */
import { render } from 'preact';
import '../../assets/tokens.css';
import '../../components/panel/shell/panel.css';
import { StandaloneAppView } from '../../components/panel/apps/standalone-app-view.tsx';
import { appLink, readAppLink } from '../../lib/extension/messaging/model/app-link.ts';
import { originPattern } from '../../lib/extension/messaging/model/environment.ts';
import { browser } from '../../lib/extension/messaging/browser.ts';
import { Lock } from '../../lib/extension/messaging/lock.ts';
import { createSend } from '../../lib/extension/messaging/send.ts';
import { createStandaloneApp } from '../../lib/extension/panel/apps/standalone-app.ts';
import { createHostPage } from '../../lib/extension/panel/apps/host-page.ts';
import { copyText } from '../../lib/extension/panel/shell/copy-text.ts';
import { saveFile } from '../../lib/shared/save-file.ts';

const { permissions, runtime } = browser;
const lock = new Lock(createSend(runtime));
const link = readAppLink(location.search);
const lone =
  link &&
  createStandaloneApp({
    send: lock.send,
    link,
    // A browser that refuses even to ask has not allowed it.
    requestAccess: (baseUrl) => permissions.request({ origins: [originPattern(baseUrl)] }).catch(() => false),
    saveFile,
    world: createHostPage(),
  });

const root = document.getElementById('app');
const openApp = (appId: number): void =>
  void (link && location.assign(`/${appLink({ ...link, appId, version: null })}`));
if (root)
  render(
    <StandaloneAppView
      lone={lone}
      lock={lock}
      copyText={copyText}
      openOptions={() => void runtime.openOptionsPage()}
      onOpenApp={openApp}
    />,
    root,
  );
void lone?.load();
lock.watch(window);
