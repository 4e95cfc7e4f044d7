/** Owns the faults of a refresh: what a refused one ended, and what kept it from the service. */
import type { Facts, Found } from '../facts.ts';
import { exchangeFinding, refreshRefused } from './token.ts';

/** The last refresh, unless a login came after it: that one explains itself. */
export function refreshFindings(facts: Facts): (Found | null)[] {
  const { history, login } = facts;
  const refresh = history.exchanges.findLast(({ requested }) => requested?.detail.grant === 'refresh_token');
  const event = history.events.findLast(({ detail }) => detail.code === 'REFRESH_REFUSED');
  const isOver = (id: number): boolean => login !== null && login.started.id > id;
  if (refresh && !isOver(refresh.answered.id)) return [exchangeFinding(facts, refresh)];
  return [
    event && !isOver(event.id) && !refresh
      ? refreshRefused(facts, [{ text: 'auth.fail told REFRESH_REFUSED.', entry: event.id }])
      : null,
  ];
}
