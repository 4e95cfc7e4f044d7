/**
 * Keeps Firefox from reusing connections to platforms, with a request rule per origin that adds `Connection: close`,
 * because Firefox repeats any request whose reused connection ends before the first byte of the response.
 */
import type { DeclarativeNetRequest } from 'webextension-polyfill';
import { SerialQueue } from '../../../shared/serial-queue.ts';

/** The subset of `browser.declarativeNetRequest` that this module uses. */
export interface DynamicRules {
  getDynamicRules(): Promise<DeclarativeNetRequest.Rule[]>;
  updateDynamicRules(change: { addRules?: DeclarativeNetRequest.Rule[]; removeRuleIds?: number[] }): Promise<void>;
}

/** For every request to the origin, also of pages: any of them would leave a connection that a change could reuse. */
export const closeRule = (id: number, origin: string): DeclarativeNetRequest.Rule => ({
  id,
  priority: 1,
  // A web socket needs another `Connection` header.
  condition: { urlFilter: `|${origin}/`, excludedResourceTypes: ['websocket'] },
  action: { type: 'modifyHeaders', requestHeaders: [{ header: 'Connection', operation: 'set', value: 'close' }] },
});

export class ConnectionRules {
  readonly #rules: DynamicRules;
  readonly #queue = new SerialQueue();

  constructor(rules: DynamicRules) {
    this.#rules = rules;
  }

  /** Adds the rule for a base URL’s origin, unless the browser has it. Rules outlive the worker and the browser. */
  add(baseUrl: string): Promise<void> {
    return this.#queue.run(async () => {
      const { origin } = new URL(baseUrl);
      const rules = await this.#rules.getDynamicRules();
      if (rules.some((rule) => originOf(rule) === origin)) return;
      const id = Math.max(0, ...rules.map((rule) => rule.id)) + 1;
      await this.#rules.updateDynamicRules({ addRules: [closeRule(id, origin)] });
    });
  }

  /** Removes the rules for all other base URLs. */
  keepOnly(baseUrls: readonly string[]): Promise<void> {
    return this.#queue.run(async () => {
      const origins = new Set(baseUrls.map((baseUrl) => new URL(baseUrl).origin));
      const unneeded = (await this.#rules.getDynamicRules()).filter((rule) => !origins.has(originOf(rule)));
      if (unneeded.length > 0) await this.#rules.updateDynamicRules({ removeRuleIds: unneeded.map(({ id }) => id) });
    });
  }
}

const originOf = ({ condition }: DeclarativeNetRequest.Rule): string => condition.urlFilter?.slice(1, -1) ?? '';
