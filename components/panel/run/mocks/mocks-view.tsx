/** The editor of an action’s mocks: its sets, what *Dry run* mocks, and the selected set. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Alert, Button, EmptyState } from '../../../ui/index.ts';
import { MockDone } from './mock-done.tsx';
import { MocksProblems } from './mocks-problems.tsx';
import { DryRunPackages, SetList } from './set-list.tsx';
import { SetEditor } from './set-editor.tsx';
import './mocks.css';

export function MocksView({ panel }: { panel: Panel }): JSX.Element {
  const { mockEditor: editor, mocks } = panel;
  const root = useRef<HTMLElement>(null);
  const importError = editor.importError.value;
  const set = editor.set.value;
  const isReadable = mocks.unreadable.value.length === 0;
  // Focus the view so that Escape closes it right away.
  useEffect(() => {
    root.current?.focus();
    return () => queueMicrotask(() => document.querySelector<HTMLElement>('.mocks-button')?.focus());
  }, []);
  return (
    <section
      ref={root}
      class="mocks-view"
      aria-label="Mocks"
      data-mocks-view=""
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || document.querySelector(':popover-open')) return;
        // Otherwise, DevTools would handle Escape, too, and open its drawer.
        event.stopPropagation();
        editor.close();
      }}
    >
      <Header panel={panel} />
      <div class="fill scroll">
        <MockDone panel={panel} />
        <MocksProblems mocks={mocks} />
        {importError ? <Alert error={importError} onDismiss={editor.dismissImport} /> : null}
        {isReadable ? (
          <div class="mocks-columns">
            <div class="mocks-side">
              <SetList editor={editor} />
              <DryRunPackages mocks={mocks} functions={panel.page.state.value?.functions ?? []} />
            </div>
            {set ? (
              <SetEditor
                editor={editor}
                names={panel.debug.names}
                set={set}
                selectedPath={panel.selection.path.value}
              />
            ) : (
              <NoSets />
            )}
          </div>
        ) : null}
      </div>
    </section>
  );
}

function Header({ panel: { mockEditor: editor, mocks, inTab, toOpen } }: { panel: Panel }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const importFile = async (file: File | undefined): Promise<void> => {
    if (file) await editor.import(await file.text());
  };
  return (
    <header class="section-head">
      <Button kind="quiet" label="Back" title="Back (Esc)" onClick={editor.close}>
        ←
      </Button>
      <h2>Mocks</h2>
      <span class="mocks-action muted untrusted">{toOpen.value?.name ?? inTab.value?.action ?? ''}</span>
      <span class="grow" />
      <Button kind="quiet" title="Add the sets in an exported file" onClick={() => input.current?.click()}>
        Import
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Mocks file to import"
        onChange={(event) => {
          void importFile(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      <Button
        kind="quiet"
        title="Export all sets to a file"
        unavailable={mocks.sets.value.length > 0 ? null : 'Add a set first'}
        onClick={() => mocks.export()}
      >
        Export all
      </Button>
    </header>
  );
}

function NoSets(): JSX.Element {
  return (
    <EmptyState title="No sets of mocks">
      <p>A set names what happens instead of some steps, such as “offline mail”.</p>
      <p>Add a set here, or select a step of a run and then “Mock this outcome”.</p>
    </EmptyState>
  );
}
