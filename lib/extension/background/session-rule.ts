/** Adds the token to one navigation with a request rule: one tab, one URL, GET, main frame, removed as soon as possible. */
import type { DeclarativeNetRequest } from 'webextension-polyfill';

/** The part of `browser.declarativeNetRequest` that is used. */
export interface Rules {
  getSessionRules(): Promise<{ id: number }[]>;
  updateSessionRules(change: { addRules?: DeclarativeNetRequest.Rule[]; removeRuleIds?: number[] }): Promise<void>;
}

/** IDs from here on are ours. Session rules outlive a worker, so a new worker removes them first. */
const FIRST_ID = 41_000;

/** Where the token is sent. Unless `exact`, more query parameters may follow `url`. */
export interface Target {
  tabId: number;
  url: string;
  exact: boolean;
}

export function tokenRule(id: number, { tabId, url, exact }: Target, token: string): DeclarativeNetRequest.Rule {
  return {
    id,
    priority: 1,
    condition: {
      tabIds: [tabId],
      resourceTypes: ['main_frame'],
      requestMethods: ['get'],
      requestDomains: [new URL(url).hostname],
      urlFilter: exact ? `|${url}|` : `|${url}`,
      isUrlFilterCaseSensitive: true,
    },
    action: { type: 'modifyHeaders', requestHeaders: [{ header: 'Auth-token', operation: 'set', value: token }] },
  };
}

export interface TokenRules {
  /** Runs `navigate` with the rule active, and removes the rule afterwards, even after an error. */
  during<T>(target: Target, token: string, navigate: () => Promise<T>): Promise<T>;
  /** Removes rules of a stopped worker, once. */
  start(): Promise<void>;
}

export function createTokenRules(rules: Rules): TokenRules {
  let nextId = FIRST_ID;
  let started: Promise<void> | null = null;
  const start = (): Promise<void> =>
    (started ??= clear(rules).catch((error: unknown) => {
      started = null;
      throw error;
    }));
  return {
    start,
    async during(target, token, navigate) {
      // A rule of a stopped worker may have the next ID.
      await start();
      const id = nextId++;
      try {
        await rules.updateSessionRules({ addRules: [tokenRule(id, target, token)] });
        return await navigate();
      } finally {
        await rules.updateSessionRules({ removeRuleIds: [id] });
      }
    },
  };
}

async function clear(rules: Rules): Promise<void> {
  const removeRuleIds = (await rules.getSessionRules()).map(({ id }) => id).filter((id) => id >= FIRST_ID);
  if (removeRuleIds.length > 0) await rules.updateSessionRules({ removeRuleIds });
}
