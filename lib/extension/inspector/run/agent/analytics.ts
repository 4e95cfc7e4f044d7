/** Sends analytics events through the page (`Platform.App.Analytics`) and stores their outcomes. */
import { cut, ownValue } from '../../agent/describe-cursor.ts';
import type { Handles } from '../../agent/handles.ts';
import { apply, isArray, later, mapGet, MapOf, mapSet, parseJson } from '../../agent/pristine.ts';
import { isObject, readProperty } from '../../agent/safe.ts';
import type { FiredAction, TrackOutcome } from '../../contract.ts';
import { findAnalytics } from './platform.ts';

const MAX_FIRED = 1_000;

export class AnalyticsTracker {
  readonly #handles: Handles;
  readonly #outcomes = new MapOf<string, TrackOutcome>();

  constructor(handles: Handles) {
    this.#handles = handles;
  }

  track(id: string, method: 'pageView' | 'event', data: string, namespace: string): TrackOutcome {
    const found = findAnalytics(namespace, method, this.#handles);
    if (!found.ok) return { state: 'rejected', code: 'ANALYTICS_ABSENT', message: found.message };
    const pending: TrackOutcome = { state: 'pending' };
    mapSet(this.#outcomes, id, pending);
    // Runs in a separate task, so that the panel gets its response even if page code then blocks the page.
    later(() => void this.#send(id, () => apply(found.fn, found.self, [parseJson(data)])));
    return pending;
  }

  outcome(id: string): TrackOutcome | null {
    return mapGet(this.#outcomes, id) ?? null;
  }

  async #send(id: string, call: () => unknown): Promise<void> {
    try {
      mapSet(this.#outcomes, id, { state: 'reported', fired: firedActions(await call()) });
    } catch (thrown) {
      mapSet(this.#outcomes, id, {
        state: 'rejected',
        code: cut(stringProperty(thrown, 'code') ?? 'PAGE_EXCEPTION', 100),
        message: cut(stringProperty(thrown, 'message') ?? 'The page failed without giving a reason.', 500),
      });
    }
  }
}

/** The valid part of the result of `Platform.App.Analytics`. */
function firedActions(value: unknown): FiredAction[] | null {
  if (!isArray(value)) return null;
  const list = value as unknown[];
  const fired: FiredAction[] = [];
  for (let i = 0; i < list.length && i < MAX_FIRED; i++) {
    const item = list[i];
    if (typeof item !== 'object' || item === null) continue;
    const actionId = ownValue(item, 'actionId');
    const name = ownValue(item, 'name');
    const state = ownValue(item, 'state') === 'failed' ? 'failed' : 'completed';
    if (typeof actionId === 'number' && typeof name === 'string')
      fired[fired.length] = { actionId, name: cut(name, 300), state };
  }
  return fired;
}

function stringProperty(thrown: unknown, key: string): string | null {
  const value = isObject(thrown) ? readProperty(thrown, key) : undefined;
  return typeof value === 'string' ? value : null;
}
