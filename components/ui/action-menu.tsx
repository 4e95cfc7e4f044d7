/** A menu of actions at a position, such as a row's context menu. Arrow keys move, Enter picks, Escape closes. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import './action-menu.css';

export interface MenuAction {
  label: string;
  /** The shortcut that does the same. */
  keys?: string;
  /** Why it's disabled; null when it's enabled. */
  unavailable?: string | null;
  onPick: () => void;
}

/** In pixels, of the viewport. */
export interface MenuPosition {
  x: number;
  y: number;
}

export interface ActionMenuProps {
  label: string;
  at: MenuPosition;
  /** Separated by lines. */
  groups: readonly (readonly MenuAction[])[];
  onClose: () => void;
}

const MARGIN = 4;

export function ActionMenu({ label, at, groups, onClose }: ActionMenuProps): JSX.Element {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = menu.current;
    element?.showPopover?.();
    if (element) placeInView(element, at);
    itemsOf(element)[0]?.focus();
  }, [at.x, at.y]);
  return (
    <div
      ref={menu}
      class="menu action-menu"
      popover="auto"
      role="menu"
      aria-label={label}
      onKeyDown={(event) => move(menu.current, event)}
      onContextMenu={(event) => event.preventDefault()}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      {groups.map((actions, index) => (
        <div key={index} role="group" aria-label={actions[0]?.label}>
          {actions.map((action) => (
            <Item key={action.label} action={action} close={() => menu.current?.hidePopover?.()} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Item({ action, close }: { action: MenuAction; close: () => void }): JSX.Element {
  const { label, keys, unavailable, onPick } = action;
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={unavailable ? 'true' : undefined}
      aria-description={unavailable ?? undefined}
      aria-keyshortcuts={keys}
      title={unavailable ?? undefined}
      onClick={() => {
        if (unavailable) return;
        close();
        onPick();
      }}
    >
      <span>{label}</span>
      {keys ? <kbd aria-hidden="true">{keys}</kbd> : null}
    </button>
  );
}

const itemsOf = (menu: HTMLElement | null): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];

function move(menu: HTMLElement | null, event: KeyboardEvent): void {
  const items = itemsOf(menu);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  // Keys of a menu in a row mean nothing to the row.
  event.stopPropagation();
  if (event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault();
    menu?.hidePopover?.();
  }
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}

function placeInView(element: HTMLElement, { x, y }: MenuPosition): void {
  const { width, height } = element.getBoundingClientRect();
  const left = Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN));
  const top = y + height + MARGIN > innerHeight ? Math.max(MARGIN, y - height) : y;
  Object.assign(element.style, { left: `${left}px`, top: `${top}px` });
}
