/**
 * Adds the token to a single navigation with a request rule: one tab, one URL, GET, main frame. Removes the rule right
 * afterward.
 */
import type { DeclarativeNetRequest } from 'webextension-polyfill';
import { openMarker } from '../../../shared/open-marker.ts';

/** The subset of `browser.declarativeNetRequest` that this module uses. */
export interface Rules {
  getSessionRules(): Promise<{ id: number }[]>;
  updateSessionRules(change: { addRules?: DeclarativeNetRequest.Rule[]; removeRuleIds?: number[] }): Promise<void>;
}

/** The first ID of our rules. Session rules outlive the worker, so a new worker removes old ones first. */
const FIRST_ID = 41_000;

/** The navigation that gets the token. Unless `exact`, the URL may have more query parameters after `url`. */
export interface Target {
  tabId: number;
  url: string;
  exact: boolean;
  /** The page’s namespace, for the agent that starts with the page. */
  namespace?: string | undefined;
}

export function tokenRule(
  id: number,
  { tabId, url, exact, namespace }: Target,
  token: string,
): DeclarativeNetRequest.Rule {
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
    action: {
      type: 'modifyHeaders',
      requestHeaders: [{ header: 'Auth-token', operation: 'set', value: token }],
      ...(namespace !== undefined && {
        responseHeaders: [{ header: 'Server-Timing', operation: 'append', value: openMarker(namespace) }],
      }),
    },
  };
}

export interface TokenRules {
  /**
   * Runs `navigate` while the rule is active, and always removes the rule afterward, even after an error. `navigate`
   * calls `onSent` once the request was sent, which removes the rule before the page has finished loading.
   */
  during<T>(target: Target, token: string, navigate: (onSent: () => void) => Promise<T>): Promise<T>;
  /** Removes rules left by a stopped worker, once. */
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
      // A rule left by a stopped worker might use the next ID.
      await start();
      const id = nextId++;
      const remove = () => rules.updateSessionRules({ removeRuleIds: [id] });
      try {
        await rules.updateSessionRules({ addRules: [tokenRule(id, target, token)] });
        // If this fails, the removal at the end is the second attempt.
        return await navigate(() => void remove().catch(() => {}));
      } finally {
        await remove();
      }
    },
  };
}

async function clear(rules: Rules): Promise<void> {
  const removeRuleIds = (await rules.getSessionRules()).map(({ id }) => id).filter((id) => id >= FIRST_ID);
  if (removeRuleIds.length > 0) await rules.updateSessionRules({ removeRuleIds });
}
