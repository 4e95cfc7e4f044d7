/** Creates or edits an action. The form and the JSON view share one draft. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ActionsBackend } from '../../../../lib/extension/panel/actions/backend/types.ts';
import { Completions } from '../../../../lib/extension/panel/actions/edit/completions.ts';
import type { Editing } from '../../../../lib/extension/panel/actions/actions-state.ts';
import { copyOf } from '../../../../lib/extension/panel/actions/edit/draft-action.ts';
import { ActionEditor } from '../../../../lib/extension/panel/actions/edit/editor.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import type { Action } from '../../../../lib/platform-api/action.ts';
import type { ErrorValue } from '../../../../lib/platform-api/errors.ts';
import { isCommandS } from '../../../../lib/shared/keys.ts';
import { Alert, Button, EmptyState, Notice, DateTime } from '../../../ui/index.ts';
import { ProductionBadge } from '../../shell/guard-badges.tsx';
import { MODIFIER } from '../../../../lib/extension/panel/shell/shortcuts.ts';
import { ActionForm } from './action-form.tsx';
import { ConflictView } from './conflict-view.tsx';
import { focusTarget } from './form-target.tsx';
import { JsonView } from './json-view.tsx';
import { ProblemList } from './problem-list.tsx';
import type { TryCondition } from './part.ts';
import { ViewSwitch } from './view-switch.tsx';
import { late } from '../../shared/late.tsx';
import './edit.css';

const ConditionTrialView = late(() => import('./condition-trial.tsx').then((module) => module.ConditionTrialView));

export interface EditActionProps {
  panel: Panel;
  editing: Editing;
  onClose: () => void;
  onSaved: (action: Action) => void;
}

export function EditAction({ panel, editing, onClose, onSaved }: EditActionProps): JSX.Element {
  const editor = useEditor(panel, editing, onSaved);
  if (!editor)
    return (
      <EmptyState title="No app selected">
        <p>Select an app in the toolbar.</p>
      </EmptyState>
    );
  return <Editor panel={panel} editor={editor} onClose={onClose} />;
}

/** Null while no app is selected. */
function useEditor(panel: Panel, editing: Editing, onSaved: (action: Action) => void): ActionEditor | null {
  const action = editing !== 'new' && 'action' in editing ? editing.action : null;
  const original = editing !== 'new' && 'copyOf' in editing ? editing.copyOf : null;
  const environmentId = panel.catalog.environment.value?.id ?? null;
  const appId = panel.catalog.appId.value;
  const app = `${environmentId} ${appId}`;
  const latestOnSaved = useRef(onSaved);
  latestOnSaved.current = onSaved;
  const last = useRef<{ editor: ActionEditor; app: string } | null>(null);
  const editor = useMemo(() => {
    // Once a new action has been created, it's passed in as `action`. Keep using the editor that created it.
    const isSame = last.current?.app === app && action !== null && action.id === last.current.editor.base.peek()?.id;
    if (isSame && last.current) return last.current.editor;
    if (environmentId === null || appId === null) return null;
    const backend = (): ActionsBackend => panel.backendOf({ environmentId, appId });
    const completions = new Completions(backend);
    void completions.load();
    return new ActionEditor({
      backend,
      guard: panel.guard,
      store: panel.services.store,
      completions,
      action: action?.appId === appId ? action : null,
      copy: original?.appId === appId ? { of: original.id, fields: copyOf(original, actionNames(panel)) } : undefined,
      onSaved: (saved) => latestOnSaved.current(saved),
    });
  }, [app, action?.id, original?.id]);
  last.current = editor && { editor, app };
  useEffect(() => () => editor?.dispose(), [editor]);
  return editor;
}

const actionNames = (panel: Panel): string[] => panel.catalog.actions.peek().value?.map(({ name }) => name) ?? [];

function Editor({ panel, editor, onClose }: { panel: Panel; editor: ActionEditor; onClose: () => void }): JSX.Element {
  const root = useRef<HTMLElement>(null);
  const base = editor.base.value;
  // The button that opened the editor is gone, so focus moves here.
  useEffect(() => root.current?.querySelector<HTMLElement>('[name=action-name]')?.focus(), [editor]);
  const save = (): void => {
    if (editor.cannotSave.peek() === null) void editor.save();
    else root.current?.querySelector<HTMLElement>('[data-problems] button')?.focus();
  };
  const tryCondition: TryCondition = (path) => <ConditionTrialView panel={panel} editor={editor} path={path} />;
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
        if (!isCommandS(event)) return;
        event.preventDefault();
        save();
      }}
    >
      <Header panel={panel} editor={editor} onSave={save} onClose={onClose} />
      <Messages panel={panel} editor={editor} />
      <ProblemList
        problems={editor.problems.value}
        warnings={editor.warnings.value}
        failsUnattended={editor.failsUnattended.value}
        refusal={refusalOf(editor.error.value)}
        onShow={show}
      />
      <div class="edit-body">
        {editor.view.value === 'json' ? (
          <JsonView editor={editor} onSave={save} />
        ) : (
          <ActionForm editor={editor} onSave={save} tryCondition={tryCondition} />
        )}
      </div>
    </section>
  );
}

interface HeaderProps {
  panel: Panel;
  editor: ActionEditor;
  onSave: () => void;
  onClose: () => void;
}

function Header({ panel, editor, onSave, onClose }: HeaderProps): JSX.Element {
  const base = editor.base.value;
  return (
    <header class="section-head">
      <h2 class="untrusted">{base ? base.name : 'New action'}</h2>
      <ViewSwitch view={editor.view} />
      <span class="grow" />
      <span class="muted edit-status" role="status">
        {editor.saved.value ? 'Saved' : editor.isChanged.value ? 'Draft, not saved yet' : ''}
      </span>
      <Button
        kind="quiet"
        label="Discard changes"
        unavailable={editor.isChanged.value ? null : 'Change the action first'}
        onClick={editor.discard}
      >
        Discard
      </Button>
      <ProductionBadge panel={panel} />
      <Button kind="primary" unavailable={editor.cannotSave.value} title={`Save (${MODIFIER}S)`} onClick={onSave}>
        {editor.saving.value ? 'Saving…' : base ? 'Save' : 'Create'}
      </Button>
      <Button kind="quiet" label="Close editor" title="Close and keep unsaved changes as a draft" onClick={onClose}>
        ✕
      </Button>
    </header>
  );
}

/** The platform's error if it rejected the action. The problem list shows it above the individual problems. */
function refusalOf(error: ErrorValue | null): ErrorValue | null {
  const hasProblems = (error?.details?.length ?? 0) > 0 || error?.said?.code === 'NAME_TAKEN';
  return error?.said && hasProblems ? { ...error, ...error.said } : null;
}

/** Shows the result of saving, and whether the draft was restored. */
function Messages({ panel, editor }: { panel: Panel; editor: ActionEditor }): JSX.Element {
  const error = editor.error.value;
  const restoredAt = editor.restoredAt.value;
  const action =
    error?.status === 401 ? (
      <Button onClick={() => panel.openOptions()}>Open options</Button>
    ) : editor.isMissing.value ? (
      <Button onClick={() => void editor.recreate()}>Recreate action</Button>
    ) : null;
  return (
    <>
      {editor.conflict.value ? <ConflictView editor={editor} theirs={editor.conflict.value} /> : null}
      {error && refusalOf(error) === null ? <Alert error={error} onDismiss={editor.dismiss} actions={action} /> : null}
      {restoredAt !== null ? (
        <Notice code="DRAFT_RESTORED" actions={<Button onClick={editor.discard}>Discard draft</Button>}>
          Restored your draft from <DateTime at={restoredAt} />.
        </Notice>
      ) : null}
      {editor.discarded.value !== null ? (
        <Notice code="DRAFT_DISCARDED" actions={<Button onClick={editor.undo}>Undo</Button>}>
          Discarded your changes.
        </Notice>
      ) : null}
    </>
  );
}
