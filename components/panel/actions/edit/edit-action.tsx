/** Owns creating and changing an action: one draft, as a form and as JSON, with what is wrong with it and saving. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Action } from '../../../../lib/platform-api/action.ts';
import { createEditor, type ActionEditor } from '../../../../lib/extension/panel/actions/edit/editor.ts';
import { createCompletions } from '../../../../lib/extension/panel/actions/edit/completions.ts';
import type { ErrorValue } from '../../../../lib/platform-api/errors.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatTime } from '../../../../lib/shared/format.ts';
import { Alert, Button, EmptyState, Notice } from '../../../ui/index.ts';
import { MODIFIER } from '../../shell/shortcuts.tsx';
import { ActionForm } from './action-form.tsx';
import { ConflictView } from './conflict-view.tsx';
import { JsonView } from './json-view.tsx';
import { focusTarget } from './form-target.tsx';
import { ProblemList } from './problem-list.tsx';
import './edit.css';

export interface EditActionProps {
  panel: Panel;
  /** Null: a new one. */
  action: Action | null;
  onClose: () => void;
  /** Told of every action that was saved, as the platform answered it. */
  onSaved?: (action: Action) => void;
}

export function EditAction({ panel, action, onClose, onSaved }: EditActionProps): JSX.Element {
  const environmentId = panel.catalog.environment.value?.id ?? null;
  const appId = panel.catalog.appId.value;
  const told = useRef(onSaved);
  told.current = onSaved;
  const last = useRef<{ editor: ActionEditor; place: string } | null>(null);
  const place = `${environmentId} ${appId}`;
  const shown = last.current?.editor.base.peek() ?? null;
  // The same editor goes on when the action that it created is handed to it.
  const isSame = last.current?.place === place && action !== null && action.id === shown?.id;
  const editor = useMemo(() => {
    if (isSame && last.current) return last.current.editor;
    if (environmentId === null || appId === null) return null;
    const { send, store } = panel.services;
    const known = createCompletions(send, { environmentId, appId });
    void known.load();
    return createEditor({
      send,
      store,
      environmentId,
      appId,
      completions: known,
      action: action?.appId === appId ? action : null,
      onSaved: (saved) => told.current?.(saved),
    });
  }, [place, action?.id]);
  last.current = editor && { editor, place };
  useEffect(() => () => editor?.dispose(), [editor]);
  if (!editor || environmentId === null)
    return (
      <EmptyState title="Choose an app first">
        <p>An action belongs to an app: choose one above.</p>
      </EmptyState>
    );
  return <Editor panel={panel} editor={editor} onClose={onClose} />;
}

function Editor({ panel, editor, onClose }: { panel: Panel; editor: ActionEditor; onClose: () => void }): JSX.Element {
  const root = useRef<HTMLElement>(null);
  const base = editor.base.value;
  const view = editor.view.value;
  const problems = editor.problems.value;
  // The button that led here is gone: the keyboard goes on in the editor.
  useEffect(() => root.current?.querySelector<HTMLElement>('[name=action-name]')?.focus(), [editor]);
  const save = (): void => {
    if (editor.cannotSave.peek() === null) void editor.save();
    else root.current?.querySelector<HTMLElement>('[data-problems] button')?.focus();
  };
  const show = (path: string): void => {
    if (root.current && !focusTarget(root.current, path)) root.current.querySelector<HTMLElement>('[name]')?.focus();
  };
  return (
    <section
      ref={root}
      class="edit-action"
      data-edit={base?.id ?? 'new'}
      aria-label={base ? `Edit ${base.name}` : 'New action'}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
        event.preventDefault();
        save();
      }}
    >
      <header class="section-head">
        <h2 class="untrusted">{base ? base.name : 'New action'}</h2>
        <div class="view-buttons" role="group" aria-label="How it is shown">
          <Button
            kind="quiet"
            pressed={view === 'form'}
            onClick={() => {
              editor.view.value = 'form';
            }}
          >
            Form
          </Button>
          <Button
            kind="quiet"
            pressed={view === 'json'}
            onClick={() => {
              editor.view.value = 'json';
            }}
          >
            JSON
          </Button>
        </div>
        <span class="grow" />
        <Status editor={editor} />
        <Button
          kind="quiet"
          unavailable={editor.isChanged.value ? null : 'Nothing is changed.'}
          onClick={editor.discard}
        >
          Discard changes
        </Button>
        <Button kind="primary" unavailable={editor.cannotSave.value} title={`Save (${MODIFIER}S)`} onClick={save}>
          {editor.saving.value ? 'Saving…' : base ? 'Save' : 'Create'}
        </Button>
        <Button
          kind="quiet"
          label="Close the editor"
          title="Close; what is not saved is kept as a draft"
          onClick={onClose}
        >
          ✕
        </Button>
      </header>
      <Messages panel={panel} editor={editor} />
      <ProblemList problems={problems} refusal={refusalOf(editor.error.value)} onShow={show} />
      <div class="edit-body">
        {view === 'json' ? <JsonView editor={editor} onSave={save} /> : <ActionForm editor={editor} onSave={save} />}
      </div>
    </section>
  );
}

/** The platform's own code and sentence where it refused the action itself: they stand above the places, as long as one is left. */
function refusalOf(error: ErrorValue | null): ErrorValue | null {
  const hasPlaces = (error?.details?.length ?? 0) > 0 || error?.said?.code === 'NAME_TAKEN';
  return error?.said && hasPlaces ? { ...error, ...error.said } : null;
}

function Status({ editor }: { editor: ActionEditor }): JSX.Element {
  const text = editor.saved.value ? 'Saved.' : editor.isChanged.value ? 'Not saved; kept as a draft.' : '';
  return (
    <span class="muted edit-status" role="status">
      {text}
    </span>
  );
}

/** What became of saving, and where the draft comes from. */
function Messages({ panel, editor }: { panel: Panel; editor: ActionEditor }): JSX.Element {
  const error = editor.error.value;
  const restored = editor.restoredAt.value;
  const isGone = error?.status === 404 && editor.base.value !== null;
  const offer =
    error?.status === 401 ? (
      <Button onClick={panel.openOptions}>Open options</Button>
    ) : isGone ? (
      <Button onClick={() => void editor.recreate()}>Create it anew</Button>
    ) : null;
  return (
    <>
      {editor.conflict.value ? <ConflictView editor={editor} theirs={editor.conflict.value} /> : null}
      {error && refusalOf(error) === null ? <Alert error={error} onDismiss={editor.dismiss} actions={offer} /> : null}
      {restored !== null ? (
        <Notice code="DRAFT_RESTORED" actions={<Button onClick={editor.discard}>Discard it</Button>}>
          What was not saved at {formatTime(restored)} is shown again.
        </Notice>
      ) : null}
      {editor.discarded.value !== null ? (
        <Notice code="DRAFT_DISCARDED" actions={<Button onClick={editor.undo}>Undo</Button>}>
          The changes are discarded.
        </Notice>
      ) : null}
    </>
  );
}
