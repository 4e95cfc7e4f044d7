/** Lets the user choose which columns the table shows. */
import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { APP_COLUMNS } from '../../../lib/extension/panel/apps/app-rows.ts';
import type { AppsState } from '../../../lib/extension/panel/apps/apps-state.ts';

export function ColumnsChoice({ state }: { state: AppsState }): JSX.Element {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const shown = state.columns.value;
  return (
    <>
      <button ref={button} type="button" class="button quiet" popovertarget={id}>
        Columns
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        class="columns-choice"
        aria-label="Columns"
        onBeforeToggle={({ currentTarget }) => {
          const box = button.current?.getBoundingClientRect();
          if (box)
            Object.assign(currentTarget.style, {
              top: `${box.bottom + 2}px`,
              right: `${Math.max(4, innerWidth - box.right)}px`,
            });
        }}
      >
        {APP_COLUMNS.map((column) => (
          <label key={column.id} class="check">
            <input
              type="checkbox"
              name={`column-${column.id}`}
              checked={shown.includes(column.id)}
              disabled={column.id === 'name'}
              onChange={({ currentTarget: { checked } }) =>
                state.showColumns(
                  APP_COLUMNS.map((one) => one.id).filter((one) => (one === column.id ? checked : shown.includes(one))),
                )
              }
            />
            <span>{column.label}</span>
          </label>
        ))}
        <p class="muted">When space is limited, the last columns are hidden first.</p>
      </div>
    </>
  );
}
