/** Shows the panel in a plain tab. `?theme=dark` or `light` overrides the browser’s theme, and `?page=hidden` hides the page. */
import { render } from 'preact';
import '../../../assets/tokens.css';
import { PanelView } from '../../../components/panel/shell/panel.tsx';
import {
  AgentConnection,
  OAuth2InspectorClient,
  PageApi,
  RunInspectorClient,
} from '../../../lib/extension/inspector/index.ts';
import { Lock } from '../../../lib/extension/messaging/lock.ts';
import { createRunStore } from '../../../lib/extension/panel/run/history/run-database.ts';
import { copyText } from '../../../lib/shared/copy-text.ts';
import { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { saveFile } from '../../../lib/shared/save-file.ts';
import { createFrameTransport } from './frame-transport.ts';
import { startInPageWorker } from './in-page-worker.ts';
import './preview.css';

const parameters = new URLSearchParams(location.search);
const theme = parameters.get('theme');
if (theme) document.documentElement.dataset['theme'] = theme;
document.body.classList.toggle('without-page', parameters.get('page') === 'hidden');

const frame = document.querySelector<HTMLIFrameElement>('#inspected');
const root = document.querySelector('#panel');
if (!frame || !root) throw new Error('The document has no panel or no iframe.');

const transport = createFrameTransport(frame);
const loadScript = async (name: string): Promise<string> => (await fetch(name)).text();
const agent = new AgentConnection(transport, () => loadScript('/page-agent.js'));
const lock = new Lock(await startInPageWorker(frame), new BroadcastChannel('preview.lock'));
const panel = new Panel({
  send: lock.send,
  inspector: new RunInspectorClient(agent),
  oauth2Inspector: new OAuth2InspectorClient(agent),
  pageApi: new PageApi(agent),
  pageCode: { transport, loadProver: () => loadScript('/prover.js') },
  store: createRunStore(),
  tabId: 1,
  memory: localStorage,
  openOptions: () => {},
  copyText,
  saveFile,
});
render(<PanelView panel={panel} lock={lock} />, root);
lock.watch(window);
void panel.start();
