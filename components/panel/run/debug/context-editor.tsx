/** Edits the context of a paused run as JSON, which is applied as a whole. */
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { editorText } from '../../../../lib/extension/panel/run/debug/describe-pause.ts';
import type { OpenEdit } from '../../../../lib/extension/panel/run/debug/context-edit.ts';
import type { RunDebug } from '../../../../lib/extension/panel/run/debug/run-debug.ts';
import { Alert, Button } from '../../../ui/index.ts';
import { PayloadEditor } from '../../shared/payload-editor.tsx';
import './outcome-form.css';

const NO_PROBLEM = { problem: null, offset: null };

export function ContextEditor({ debug, open }: { debug: RunDebug; open: OpenEdit }): JSX.Element {
  const { context } = debug;
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    root.current?.querySelector<HTMLElement>('textarea')?.focus();
  }, []);
  return (
    <div ref={root} class="context-editor" data-context-editor="">
      <div class="edit-bar">
        <span class="muted">
          {open.hasMarks
            ? 'Objects with “$” mark values that JSON can’t show. Leave them as they are to keep those values.'
            : editorText(open.at)}
        </span>
        <Button
          kind="primary"
          title="Apply (Ctrl+⏎ in the editor)"
          unavailable={cannotApply(debug, open)}
          onClick={() => void context.apply()}
        >
          Apply
        </Button>
        <Button onClick={context.discard}>{context.isChanged.value ? 'Discard' : 'Close'}</Button>
      </div>
      <PayloadEditor
        name="context"
        label="Context as JSON"
        text={open.text}
        problem={open.problem ?? NO_PROBLEM}
        onText={context.setText}
        onRun={() => void context.apply()}
        describedBy={`${id}-problem`}
      />
      <div id={`${id}-problem`}>{open.problem ? <Alert error={open.problem.problem} /> : null}</div>
    </div>
  );
}

function cannotApply({ context }: RunDebug, open: OpenEdit): string | null {
  if (context.isBusy.value) return 'Wait until the context is applied';
  if (!context.isChanged.value) return 'Change the context';
  if (!context.isCurrent.value) return 'The run isn’t paused there anymore';
  return open.problem ? 'Fix the context' : null;
}
