/** Owns bringing the entry that a finding points at into sight, whatever is filtered or folded. */
import { matches } from '../rows.ts';
import type { OAuth2Store } from '../store.ts';

/** Nothing when the entry is gone from the timeline. */
export function showEntry(store: OAuth2Store, id: number): void {
  const flow = store.flows.peek().find(({ entries }) => entries.some((entry) => entry.id === id));
  if (!flow) return;
  if (!matches(flow, store.filter.peek())) store.filter.value = { text: '', service: '', kind: 'all' };
  store.fold(flow.id, false);
  const rows = store.rows.peek();
  store.selected.value =
    (rows.find(({ entry }) => entry?.id === id) ?? rows.find((row) => row.flow === flow))?.key ?? null;
}
