/** Starts an app’s page in its own browser tab. Links in the popup and in notifications open this tab. */
import { render } from 'preact';
import '../../assets/tokens.css';
import '../../components/panel/shell/panel.css';
import { StandaloneAppView } from '../../components/panel/apps/standalone-app-view.tsx';
import { appLink, readAppLink } from '../../lib/extension/messaging/model/app-link.ts';
import { originPattern } from '../../lib/extension/messaging/model/environment.ts';
import { browser } from '../../lib/extension/messaging/browser.ts';
import { connectSurface } from '../../lib/extension/messaging/connect.ts';
import { StandaloneApp } from '../../lib/extension/panel/apps/standalone-app.ts';
import { createHostPage } from '../../lib/extension/panel/apps/host-page.ts';
import { copyText } from '../../lib/shared/copy-text.ts';
import { saveFile } from '../../lib/shared/save-file.ts';

const { permissions, runtime } = browser;
const { changes, lock } = connectSurface(browser);
const link = readAppLink(location.search);
// Browsers reject the request if they can’t show a prompt.
const requestAccess = (baseUrl: string): Promise<boolean> =>
  permissions.request({ origins: [originPattern(baseUrl)] }).catch(() => false);
const host = createHostPage();
const standalone = link && new StandaloneApp({ send: lock.send, link, requestAccess, saveFile, host });
const root = document.getElementById('app');
if (root)
  render(
    <StandaloneAppView
      standalone={standalone}
      lock={lock}
      copyText={copyText}
      openOptions={() => void runtime.openOptionsPage()}
      onOpenApp={(appId) => link && location.assign(`/${appLink({ ...link, appId, version: null })}`)}
    />,
    root,
  );
void standalone?.load();
changes.subscribe((what) => (what === 'everything' ? location.reload() : void standalone?.load()));
lock.watch(window);
