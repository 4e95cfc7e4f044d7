/** The options page’s port in tests: the real vault, handlers, and messages, with permissions in memory. */
import { EndpointGates } from '../../../lib/extension/background/handlers/endpoint-gates.ts';
import { fakeLocalArea } from '../../support/fake-local-area.ts';
import { ProductionUnlocks } from '../../../lib/extension/background/handlers/production-unlocks.ts';
import { createHandlers } from '../../../lib/extension/background/handlers.ts';
import { createPublishStore } from '../../../lib/extension/background/publish-store.ts';
import { createOptionsPort } from '../../../lib/extension/options/browser.ts';
import type { OptionsPort } from '../../../lib/extension/options/port.ts';
import type { OptionsForm } from '../../../lib/extension/messaging/options-page.ts';
import { fakeBrowser } from '../../support/fake-storage.ts';
import { Lock } from '../../../lib/extension/messaging/lock.ts';
import { receive } from '../../../lib/extension/messaging/receive.ts';
import { createSend } from '../../../lib/extension/messaging/send.ts';
import { DATABASES, exportQuarantine, inspectQuarantine } from '../../../lib/extension/storage/index.ts';
import { Vault } from '../../../lib/extension/vault/index.ts';
import { originPattern } from '../../../lib/extension/messaging/model/environment.ts';

export interface TestPort extends OptionsPort {
  granted: Set<string>;
  /** The user’s choice in the browser’s prompt. */
  response: boolean;
  downloads: [name: string, text: string][];
  tested: unknown[];
  /** Where the local platform runs; null if it doesn’t. */
  localPort: number | null;
  /** The form that another page has asked for. */
  wanted: OptionsForm | null;
  /** Another page asks for a form while the page is open. */
  request(form: OptionsForm): void;
  testResponse: () => ReturnType<OptionsPort['test']>;
}

const page = { id: 'extension', getURL: (path: string) => `chrome-extension://extension${path}` };

export function createTestPort(): TestPort {
  const granted = new Set<string>();
  const permissions = {
    contains: ({ origins }: { origins: string[] }) => Promise.resolve(origins.every((origin) => granted.has(origin))),
    remove: ({ origins }: { origins: string[] }) => {
      origins.forEach((origin) => granted.delete(origin));
      return Promise.resolve(true);
    },
    request: ({ origins }: { origins: string[] }) => {
      if (port.response) origins.forEach((origin) => granted.add(origin));
      return Promise.resolve(port.response);
    },
  };
  const handlers = createHandlers({
    vault: new Vault({ iterations: 1_000 }),
    permissions,
    unlocks: new ProductionUnlocks(fakeLocalArea()),
    gates: new EndpointGates(fakeLocalArea(), () => {}),
    pages: {
      open: () => Promise.reject(new Error('not here')),
      allowReload: () => Promise.reject(new Error('not here')),
    },
    publishes: createPublishStore(),
    button: {
      setBadgeText: () => Promise.resolve(),
      setBadgeBackgroundColor: () => Promise.resolve(),
      setTitle: () => Promise.resolve(),
    },
    notifier: { update: () => Promise.resolve() },
    refusals: { read: () => Promise.resolve({ since: 0, refusals: [] }) },
    eraseRest: () => Promise.resolve(),
  });
  const send = createSend({
    id: page.id,
    sendMessage: (message) =>
      receive(
        { ...handlers, 'worker.ping': async () => ({ isAtWork: true }), 'worker.cancel': async () => null },
        page,
        structuredClone(message),
        { id: page.id, url: page.getURL('/options.html') },
      ),
  });
  // There are no other listeners.
  const lock = new Lock(send, { postMessage: () => {}, addEventListener: () => {} });
  const port: TestPort = {
    ...createOptionsPort(lock, { subscribe: () => () => {} }, fakeBrowser({ permissions }), localStorage, {
      inspectQuarantine: () => inspectQuarantine(DATABASES),
      exportQuarantine: () => exportQuarantine(DATABASES),
    }),
    granted,
    response: true,
    downloads: [],
    tested: [],
    localPort: 4400,
    wanted: null,
    findLocalPlatform: async (number) => {
      const { response } = port;
      if (response) ['http://127.0.0.1/*', 'http://localhost/*'].forEach((origin) => granted.add(origin));
      return port.localPort === number
        ? { ok: true, value: { baseUrl: `http://localhost:${number}` } }
        : { ok: false, error: { code: 'LOCAL_PLATFORM_NOT_FOUND', message: 'Not found.', hint: 'Start it.' } };
    },
    listenForForms: (listener) => {
      port.request = listener;
      if (port.wanted) listener(port.wanted);
      port.wanted = null;
      return () => {};
    },
    request: () => {},
    testResponse: () => Promise.resolve({ ok: true, value: { apps: 3, unreadable: 0, milliseconds: 12 } }),
    test: (takes) => {
      port.tested.push(takes);
      return port.testResponse();
    },
    hasAccess: (baseUrl) => Promise.resolve(granted.has(originPattern(baseUrl))),
    saveFile: (name, content) => port.downloads.push([name, content]),
  };
  return port;
}
