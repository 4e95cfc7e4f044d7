/**
 * Keeps Firefox from sending changes twice, with request rules per origin. Firefox repeats any request that ends before
 * the first byte of the response if its connection was reused, or is older than 950 ms.
 */
import type { DeclarativeNetRequest } from 'webextension-polyfill';
import { SerialQueue } from '../../../shared/serial-queue.ts';

/** The subset of `browser.declarativeNetRequest` that this module uses. */
export interface DynamicRules {
  getDynamicRules(): Promise<DeclarativeNetRequest.Rule[]>;
  updateDynamicRules(change: { addRules?: DeclarativeNetRequest.Rule[]; removeRuleIds?: number[] }): Promise<void>;
}

type Condition = DeclarativeNetRequest.Rule['condition'];

/** @param host of the extension’s pages */
function rulesFor(origin: string, host: string, firstId: number): DeclarativeNetRequest.Rule[] {
  const rule = (id: number, header: string, value: string, condition: Condition): DeclarativeNetRequest.Rule => ({
    id,
    priority: 1,
    condition: { urlFilter: `|${origin}/`, ...condition },
    action: { type: 'modifyHeaders', requestHeaders: [{ header, operation: 'set', value }] },
  });
  return [
    // Also for requests of pages, which would leave connections that a change could reuse. A web socket needs another
    // `Connection` header.
    rule(firstId, 'Connection', 'close', { excludedResourceTypes: ['websocket'] }),
    // The server’s “100 Continue” is a first byte that arrives at once.
    rule(firstId + 1, 'Expect', '100-continue', {
      requestMethods: ['post', 'put', 'delete'],
      initiatorDomains: [host],
    }),
  ];
}

export class ConnectionRules {
  readonly #rules: DynamicRules;
  readonly #host: string;
  readonly #queue = new SerialQueue();

  /** @param host of the extension’s pages */
  constructor(rules: DynamicRules, host: string) {
    this.#rules = rules;
    this.#host = host;
  }

  /** Adds the rules for a base URL’s origin, unless the browser has them. Rules outlive the worker and the browser. */
  add(baseUrl: string): Promise<void> {
    return this.#queue.run(async () => {
      const { origin } = new URL(baseUrl);
      const rules = await this.#rules.getDynamicRules();
      if (rules.some((rule) => originOf(rule) === origin)) return;
      const firstId = Math.max(0, ...rules.map((rule) => rule.id)) + 1;
      await this.#rules.updateDynamicRules({ addRules: rulesFor(origin, this.#host, firstId) });
    });
  }

  /** Adds the rules for these base URLs, and removes all others. */
  async replace(baseUrls: readonly string[]): Promise<void> {
    await this.#queue.run(async () => {
      const origins = new Set(baseUrls.map((baseUrl) => new URL(baseUrl).origin));
      const unneeded = (await this.#rules.getDynamicRules()).filter((rule) => !origins.has(originOf(rule)));
      if (unneeded.length > 0) await this.#rules.updateDynamicRules({ removeRuleIds: unneeded.map(({ id }) => id) });
    });
    for (const baseUrl of baseUrls) await this.add(baseUrl);
  }
}

const originOf = ({ condition }: DeclarativeNetRequest.Rule): string => condition.urlFilter?.slice(1, -1) ?? '';
