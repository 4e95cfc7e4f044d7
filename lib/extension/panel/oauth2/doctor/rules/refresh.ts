/** Finds why the last refresh failed. */
import type { Facts, Found } from '../facts.ts';
import { exchangeFinding, refreshRefused } from './token.ts';

/** A later login replaces what the refresh says. */
export function refreshFindings(facts: Facts): (Found | null)[] {
  const { history, login } = facts;
  const refresh = history.exchanges.findLast(({ request }) => request?.detail.grant === 'refresh_token');
  const event = history.events.findLast(({ detail }) => detail.code === 'REFRESH_REFUSED');
  const isReplaced = (id: number): boolean => login !== null && login.started.id > id;
  if (refresh && !isReplaced(refresh.response.id)) return [exchangeFinding(facts, refresh)];
  if (refresh || !event || isReplaced(event.id)) return [];
  return [refreshRefused(facts, [{ text: 'auth.fail reported REFRESH_REFUSED.', entry: event.id }])];
}
