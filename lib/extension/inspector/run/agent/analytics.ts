/** Owns an analytics event that the panel has the page tell (`Platform.App.Analytics`), and what became of it. */
import type { TrackOutcome } from '../../contract.ts';
import { cut, ownValue } from '../../agent/describe-cursor.ts';
import type { Handles } from '../../agent/handles.ts';
import { findAnalytics } from './platform.ts';
import { apply, isArray, later, mapGet, MapOf, mapSet, parseJson } from '../../agent/pristine.ts';

const MOST_FIRED = 1_000;

export interface Tracker {
  track(id: string, method: 'pageView' | 'event', data: string, namespace: string): TrackOutcome;
  outcome(id: string): TrackOutcome | null;
}

export function createAnalyticsTracker(handles: Handles): Tracker {
  const outcomes = new MapOf<string, TrackOutcome>();
  async function tell(id: string, call: () => unknown): Promise<void> {
    try {
      mapSet(outcomes, id, { state: 'reported', fired: firedIn(await call()) });
    } catch (thrown) {
      mapSet(outcomes, id, { state: 'rejected', ...refusalOf(thrown) });
    }
  }
  return {
    track(id, method, data, namespace) {
      const found = findAnalytics(namespace, method, handles);
      if (!found.ok) return { state: 'rejected', code: 'ANALYTICS_ABSENT', message: found.why };
      const waiting: TrackOutcome = { state: 'pending' };
      mapSet(outcomes, id, waiting);
      // In a task of its own: the panel has its answer before the page's code takes the page.
      later(() => void tell(id, () => apply(found.fn, found.self, [parseJson(data)])));
      return waiting;
    },
    outcome: (id) => mapGet(outcomes, id) ?? null,
  };
}

/** What `Platform.App.Analytics` answers, as far as it has that form. */
function firedIn(answer: unknown): Extract<TrackOutcome, { state: 'reported' }>['fired'] {
  if (!isArray(answer)) return null;
  const list = answer as unknown[];
  const fired: { actionId: number; name: string; state: 'completed' | 'failed' }[] = [];
  for (let i = 0; i < list.length && i < MOST_FIRED; i++) {
    const item = list[i];
    if (typeof item !== 'object' || item === null) continue;
    const actionId = ownValue(item, 'actionId');
    const name = ownValue(item, 'name');
    const state = ownValue(item, 'state');
    if (typeof actionId === 'number' && typeof name === 'string')
      fired[fired.length] = { actionId, name: cut(name, 300), state: state === 'failed' ? 'failed' : 'completed' };
  }
  return fired;
}

function refusalOf(thrown: unknown): { code: string; message: string } {
  const text = (key: string): string | null => {
    try {
      const value =
        typeof thrown === 'object' && thrown !== null ? (thrown as Record<string, unknown>)[key] : undefined;
      return typeof value === 'string' ? value : null;
    } catch {
      return null;
    }
  };
  return {
    code: cut(text('code') ?? 'PAGE_EXCEPTION', 100),
    message: cut(text('message') ?? 'The page failed without saying why.', 500),
  };
}
