/** Owns the options page's surroundings in tests: the real vault and the real handlers, a browser's permissions in memory. */
import { createHandlers } from '../../../entrypoints/background/handlers.ts';
import { createPublishStore } from '../../../entrypoints/background/publish-store.ts';
import type { OptionsPort } from '../../../components/options/port.ts';
import { originPattern, toErrorValue } from '../../../lib/contract/index.ts';
import type { Result } from '../../../lib/contract/index.ts';
import { createVault } from '../../../lib/vault/index.ts';

export interface TestPort extends OptionsPort {
  granted: Set<string>;
  /** What the browser's question is answered with. */
  answer: boolean;
  downloads: [name: string, text: string][];
  tested: unknown[];
  testAnswer: () => ReturnType<OptionsPort['test']>;
}

async function result<T>(work: Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    return { ok: false, error: toErrorValue(error) };
  }
}

export function createTestPort(): TestPort {
  const granted = new Set<string>();
  const handlers = createHandlers({
    vault: createVault(),
    permissions: {
      contains: ({ origins }) => Promise.resolve(origins.every((origin) => granted.has(origin))),
      remove: ({ origins }) => {
        origins.forEach((origin) => granted.delete(origin));
        return Promise.resolve(true);
      },
    },
    pages: { open: () => Promise.reject(new Error('not here')), allowReload: () => Promise.reject(new Error('not here')) },
    publishes: createPublishStore(),
    button: { setBadgeText: () => Promise.resolve(), setBadgeBackgroundColor: () => Promise.resolve(), setTitle: () => Promise.resolve() },
    news: { tell: () => Promise.resolve() },
    eraseRest: () => Promise.resolve(),
  });
  const port: TestPort = {
    granted,
    answer: true,
    downloads: [],
    tested: [],
    testAnswer: () => Promise.resolve({ ok: true, value: { apps: 3, milliseconds: 12 } }),
    list: () => result(handlers['environments.list'](undefined)),
    // What a message's parsing would have made of it.
    save: (input) => result(handlers['environments.save']({ namespace: 'Platform', production: false, ...input })),
    remove: (id) => result(handlers['environments.remove']({ id })),
    state: () => result(handlers['vault.state'](undefined)),
    erase: () => result(handlers['data.erase'](undefined)),
    test: (takes) => {
      port.tested.push(takes);
      return port.testAnswer();
    },
    hasAccess: (baseUrl) => Promise.resolve(granted.has(originPattern(baseUrl))),
    requestAccess: (baseUrl) => {
      if (port.answer) granted.add(originPattern(baseUrl));
      return Promise.resolve(port.answer);
    },
    releaseAccess: async (baseUrl) => void (await handlers['access.release']({ baseUrl })),
    download: (name, text) => port.downloads.push([name, text]),
  };
  return port;
}
