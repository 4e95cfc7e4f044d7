/** Runs the background worker’s handlers on the page. Opening a page of the platform loads it in the iframe. */
import { EndpointGates } from '../../../lib/extension/background/handlers/endpoint-gates.ts';
import { fakeLocalArea } from '../fake-local-area.ts';
import { ProductionUnlocks } from '../../../lib/extension/background/handlers/production-unlocks.ts';
import { createHandlers } from '../../../lib/extension/background/handlers.ts';
import type { PlatformPage, PageOpener } from '../../../lib/extension/background/pages/platform-page.ts';
import { createPublishStore } from '../../../lib/extension/background/publish-store.ts';
import { listen, type ListenRuntime } from '../../../lib/extension/messaging/listen.ts';
import { createRefusals } from '../../../lib/extension/messaging/refusals.ts';
import { createSend } from '../../../lib/extension/messaging/send.ts';
import type { Send } from '../../../lib/extension/messaging/protocol.ts';
import { Vault } from '../../../lib/extension/vault/index.ts';
import { DEFAULT_NAMESPACE } from '../../../lib/platform-api/index.ts';
import { checkPage, type Connection } from '../../../lib/rest/index.ts';

const ID = 'preview';
type Listener = Parameters<ListenRuntime['onMessage']['addListener']>[0];

/** Saves the platform at this origin as an environment, and returns how the panel sends messages. */
export async function startInPageWorker(frame: HTMLIFrameElement): Promise<Send> {
  const vault = new Vault();
  const refusals = createRefusals(undefined);
  const handlers = createHandlers({
    vault,
    permissions: { contains: async () => true, remove: async () => true },
    unlocks: new ProductionUnlocks(fakeLocalArea()),
    gates: new EndpointGates(fakeLocalArea(), () => {}),
    pages: pagesIn(frame),
    publishes: createPublishStore(),
    button: { setBadgeText: async () => {}, setBadgeBackgroundColor: async () => {}, setTitle: async () => {} },
    notifier: { update: async () => {} },
    refusals,
    eraseRest: async () => {},
  });
  const send = connect((runtime) => listen(runtime, handlers, refusals.count));
  const stored = (await vault.list()).find(({ baseUrl }) => baseUrl === origin);
  // The development server replaces this token with the platform’s.
  await vault.save({
    id: stored?.id,
    name: 'Local',
    preset: 'local',
    baseUrl: origin,
    namespace: DEFAULT_NAMESPACE,
    production: false,
    token: 'preview',
  });
  return send;
}

/** Sends messages through the same checks as between two contexts of the extension. */
function connect(register: (runtime: ListenRuntime) => void): Send {
  const getURL = (path: string): string => new URL(path, origin).href;
  const sender = { id: ID, url: getURL('/panel.html'), origin };
  let onMessage: Listener | undefined;
  register({
    id: ID,
    getURL,
    onMessage: { addListener: (listener) => void (onMessage = listener) },
  });
  return createSend({
    id: ID,
    sendMessage: (message) => new Promise((resolve) => onMessage?.(structuredClone(message), sender, resolve)),
  });
}

function pagesIn(frame: HTMLIFrameElement): PageOpener {
  return {
    async open(connection: Connection, { path, title }: PlatformPage, signal?: AbortSignal) {
      await checkPage(connection, { path, title }, { signal });
      const url = connection.baseUrl + path;
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      frame.src = url;
      await loaded;
      return url;
    },
    allowReload: async ({ baseUrl }, { path }) => baseUrl + path,
  };
}
