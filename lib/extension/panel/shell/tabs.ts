/** Owns which of the panel's tabs is open, also across openings of the panel. */
import { signal, type ReadonlySignal } from '@preact/signals';
import type { Memory } from './catalog.ts';

export const TABS = [
  { id: 'run', label: 'Run' },
  { id: 'actions', label: 'Actions' },
  { id: 'oauth2', label: 'OAuth2' },
  { id: 'apps', label: 'Apps' },
] as const;
export type TabId = (typeof TABS)[number]['id'];

export interface PanelTabs {
  readonly current: ReadonlySignal<TabId>;
  open(id: TabId): void;
}

const KEY = 'platform-devtools.tab';

export function createTabs(memory: Memory): PanelTabs {
  const current = signal<TabId>(recall(memory));
  return {
    current,
    open(id) {
      current.value = id;
      try {
        memory.setItem(KEY, id);
      } catch {
        // A browser that stores nothing forgets the choice, no more.
      }
    },
  };
}

function recall(memory: Memory): TabId {
  try {
    const kept = memory.getItem(KEY);
    return TABS.find(({ id }) => id === kept)?.id ?? 'run';
  } catch {
    return 'run';
  }
}
