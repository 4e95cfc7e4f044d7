/**
 * A tab strip with its panel, following the ARIA pattern: arrow keys move, and only the selected tab is in the tab
 * order.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Boundary } from './surface/boundary.tsx';
import './tabs.css';

interface TabItem<Id extends string> {
  id: Id;
  label: string;
  badge?: string | number;
  /** What the badge counts, if it counts problems: `2 problems`. It’s the tab’s description, and not in its name. */
  problems?: string;
}

export interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly TabItem<Id>[];
  selected: Id;
  onSelect: (id: Id) => void;
  /** Content at the right end of the strip. */
  extra?: ComponentChildren;
  children: ComponentChildren;
}

const STEP: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
  extra,
  children,
}: TabsProps<Id>): JSX.Element {
  const base = useId();
  const strip = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = STEP[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === selected);
    const to = Number.isFinite(step) ? (at + step + tabs.length) % tabs.length : step < 0 ? 0 : tabs.length - 1;
    const next = tabs[to];
    if (!next) return;
    onSelect(next.id);
    strip.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-bar">
        <div class="tab-strip" role="tablist" aria-label={label} ref={strip} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${base}-${tab.id}`}
              aria-selected={tab.id === selected}
              aria-controls={tab.id === selected ? `${base}-panel` : undefined}
              title={tab.badge ? tab.problems : undefined}
              tabIndex={tab.id === selected ? 0 : -1}
              onClick={() => onSelect(tab.id)}
            >
              {tab.label}
              {tab.badge ? <TabBadge {...tab} /> : null}
            </button>
          ))}
        </div>
        {extra ? <Boundary>{extra}</Boundary> : null}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${selected}`}>
        <Boundary of={selected}>{children}</Boundary>
      </div>
    </div>
  );
}

function TabBadge({ badge, problems }: Pick<TabItem<string>, 'badge' | 'problems'>): JSX.Element {
  if (problems === undefined) return <span class="count"> {badge}</span>;
  return (
    <>
      {' '}
      <span class="problems" aria-hidden="true">
        {badge}
      </span>
    </>
  );
}
