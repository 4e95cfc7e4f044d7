/** Tells the extension’s open pages when another one has changed stored data, so that they load it again. */
import type { Channel } from './announcements.ts';
import type { MessageName, Send } from './protocol.ts';

/** What has changed. Announcements contain no data. */
export type StoredData = 'environments' | 'publishes' | 'guard' | 'everything';

/** Messages to the worker that change stored data. The lock announces its own changes. */
const CHANGES: Partial<Record<MessageName, StoredData>> = {
  'environments.save': 'environments',
  'environments.remove': 'environments',
  'environments.import': 'environments',
  'vault.reset': 'environments',
  'publish.start': 'publishes',
  'publish.settle': 'publishes',
  'publish.cancel': 'publishes',
  'publish.discard': 'publishes',
  'publish.seen': 'publishes',
  'guard.unlock': 'guard',
  'guard.lock': 'guard',
  'data.erase': 'everything',
};

export class StoredChanges {
  readonly #channel: Channel<StoredData>;

  /** @param channel reaches all other pages of the extension, and no other ones */
  constructor(channel: Channel<StoredData>) {
    this.#channel = channel;
  }

  /** Wraps `send` so that changes are announced, also after an error, because data might have changed anyway. */
  announced(send: Send): Send {
    return async (name, takes, signal) => {
      const answer = await send(name, takes, signal);
      const what = CHANGES[name];
      if (what) this.announce(what);
      return answer;
    };
  }

  announce(what: StoredData): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only the extension
    this.#channel.postMessage(what);
  }

  /** Calls `listener` when another page has changed stored data. Returns a function that ends this. */
  subscribe(listener: (what: StoredData) => void): () => void {
    const onMessage = ({ data }: { data: StoredData }): void => listener(data);
    this.#channel.addEventListener('message', onMessage);
    return () => this.#channel.removeEventListener('message', onMessage);
  }
}
