/** The panel's tabs, and which one is open. The open tab is remembered after the panel is closed. */
import { signal, type ReadonlySignal } from '@preact/signals';
import { readStored, writeStored, type StringStorage } from '../../../shared/stored-value.ts';

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
  /** How many problems each tab has found. A tab that hasn’t been opened has looked for none. */
  readonly problems: ReadonlySignal<Partial<Record<TabId, number>>>;
  setProblems(id: TabId, count: number): void;
}

const KEY = 'platform-devtools.tab';

export function createTabs(storage: StringStorage): PanelTabs {
  const stored = readStored(storage, KEY);
  const current = signal<TabId>(TABS.find(({ id }) => id === stored)?.id ?? 'run');
  const problems = signal<Partial<Record<TabId, number>>>({});
  return {
    current,
    problems,
    setProblems(id, count) {
      problems.value = { ...problems.peek(), [id]: count };
    },
    open(id) {
      current.value = id;
      writeStored(storage, KEY, id);
    },
  };
}
