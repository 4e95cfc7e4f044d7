/** The action’s runs as a menu, for a panel without room for their list. */
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { PastRuns } from './past-runs.tsx';

export function PastRunsMenu({ panel }: { panel: Panel }): JSX.Element {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const shown = panel.runs.shown.value?.record.id;
  useEffect(() => menu.current?.hidePopover?.(), [shown]);
  return (
    <>
      <button type="button" class="button quiet" popovertarget={id} aria-haspopup="dialog">
        Runs <span aria-hidden="true">▾</span>
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Runs"
        class="menu past-runs-menu"
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen ? <PastRuns panel={panel} /> : null}
      </div>
    </>
  );
}
