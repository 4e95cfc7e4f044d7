/** Edits a breakpoint: its condition and hit count, or the message of a logpoint. It stays until it's saved or canceled. */
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { BreakpointDraft } from '../../../../lib/extension/panel/run/debug/breakpoints.ts';
import type { RunDebug } from '../../../../lib/extension/panel/run/debug/run-debug.ts';
import { Field } from '../../../ui/field.tsx';
import { Button } from '../../../ui/index.ts';
import { takeEscape } from '../../shared/take-escape.ts';
import { Radio } from './radio.tsx';

export function BreakpointEditor({ debug }: { debug: RunDebug }): JSX.Element | null {
  const draft = debug.breakpoints.draft.value;
  return draft ? <Editor key={draft.path} debug={debug} draft={draft} /> : null;
}

interface EditorProps {
  debug: RunDebug;
  draft: BreakpointDraft;
}

function Editor({ debug, draft }: EditorProps): JSX.Element {
  const { breakpoints } = debug;
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const node = debug.nodeAt(draft.path);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = popover.current;
    element?.showPopover?.();
    if (element) placeBelowRow(element, draft.path);
    element?.querySelector<HTMLElement>('input:not([type=radio])')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <div
      ref={popover}
      class="menu breakpoint-editor"
      popover="manual"
      role="dialog"
      aria-labelledby={`${id}-title`}
      data-breakpoint-editor={draft.path}
      onKeyDown={(event) => {
        if (takeEscape(event)) breakpoints.discard();
      }}
    >
      <h2 id={`${id}-title`} class="untrusted">
        Breakpoint at {draft.label}
      </h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (node) breakpoints.save(node);
        }}
      >
        <Fields debug={debug} draft={draft} />
        <EditorButtons debug={debug} draft={draft} isGone={!node} />
      </form>
    </div>
  );
}

function EditorButtons({ debug: { breakpoints }, draft, isGone }: EditorProps & { isGone: boolean }): JSX.Element {
  const isMissing = draft.kind === 'log' && draft.log.trim() === '';
  const invalid = breakpoints.problem.value ? 'Fix the breakpoint' : null;
  const unavailable = isGone ? 'The pipeline no longer has this step' : isMissing ? 'Enter a message' : invalid;
  const remove = (): void => {
    breakpoints.remove(draft.path);
    breakpoints.discard();
  };
  return (
    <div class="buttons">
      <Button kind="primary" type="submit" unavailable={unavailable}>
        {draft.isNew ? 'Add' : 'Save'}
      </Button>
      {draft.isNew ? null : <Button onClick={remove}>Remove</Button>}
      <Button onClick={breakpoints.discard}>Cancel</Button>
    </div>
  );
}

function Fields({ debug: { breakpoints, names }, draft }: EditorProps): JSX.Element {
  const { path } = draft;
  const problem = breakpoints.problem.value;
  const problemOf = (field: 'condition' | 'hits' | 'log'): string | null =>
    problem?.field === field ? problem.message : null;
  return (
    <>
      <div class="kinds" role="radiogroup" aria-label="What it does">
        <Radio
          name="breakpoint-kind"
          value="pause"
          label="Pause"
          checked={draft.kind === 'pause'}
          onChoose={() => breakpoints.change({ kind: 'pause' })}
        />
        <Radio
          name="breakpoint-kind"
          value="log"
          label="Log a message"
          checked={draft.kind === 'log'}
          onChoose={() => breakpoints.change({ kind: 'log' })}
        />
      </div>
      {draft.kind === 'log' ? (
        <Field
          name="breakpoint-log"
          label="Message"
          placeholder="Sending to {{currentItem.data.email}}"
          hint="Expressions in {{ }} are evaluated in the context. The run isn’t paused."
          value={draft.log}
          // A message that isn’t entered yet isn’t wrong.
          problem={draft.log.trim() === '' ? null : problemOf('log')}
          warning={names.ofLog(draft.log, path)}
          onInput={(log) => breakpoints.change({ log })}
        />
      ) : null}
      <Field
        name="breakpoint-condition"
        label="Condition"
        placeholder="always"
        hint="Over the context, such as currentItem.id == 12"
        value={draft.condition}
        problem={problemOf('condition')}
        warning={names.ofExpression(draft.condition, { path })}
        onInput={(condition) => breakpoints.change({ condition })}
      />
      <Field
        name="breakpoint-hits"
        label="Hit count"
        placeholder="each hit"
        hint="= 100 for this hit, >= 100 from it on, % 100 for each 100th"
        value={draft.hits}
        problem={problemOf('hits')}
        onInput={(hits) => breakpoints.change({ hits })}
      />
    </>
  );
}

/** The row can be scrolled out of view, or in a pane that isn’t shown. */
function placeBelowRow(element: HTMLElement, path: string): void {
  const row = document.querySelector(`[data-gutter="${CSS.escape(path)}"]`)?.closest('.vtree-row');
  const { width, height } = element.getBoundingClientRect();
  const at = row?.getBoundingClientRect() ?? {
    left: (innerWidth - width) / 2,
    bottom: innerHeight / 4,
    top: innerHeight,
  };
  const fitsBelow = at.bottom + height <= innerHeight;
  const top = fitsBelow ? at.bottom : Math.max(4, at.top - height);
  const left = Math.max(4, Math.min(at.left + 20, innerWidth - width - 4));
  Object.assign(element.style, { left: `${left}px`, top: `${top}px` });
}
