/** A JSON field. Keeps invalid JSON exactly as entered. */
import type { ComponentChildren, JSX } from 'preact';
import { useId, useMemo, useRef } from 'preact/hooks';
import { readDraft, readField, writeField } from '../../../../lib/extension/panel/actions/edit/draft-text.ts';
import { same } from '../../../../lib/extension/panel/actions/edit/draft-value.ts';
import { PayloadEditor, type PayloadEditorProps } from '../../shared/payload-editor.tsx';
import './edit.css';

export interface JsonFieldProps extends Pick<PayloadEditorProps, 'properties'> {
  name: string;
  label: string;
  /** The visible label, if it differs from the accessible one. */
  shownLabel?: ComponentChildren;
  value: unknown;
  /** Undefined when the field is empty. */
  onValue: (value: unknown) => void;
  problem: string | null;
  /** A problem that doesn't prevent saving. */
  warning?: string | null;
  onSave: () => void;
}

export function JsonField({
  name,
  label,
  shownLabel,
  value,
  onValue,
  problem,
  warning,
  properties = [],
  onSave,
}: JsonFieldProps): JSX.Element {
  const id = useId();
  /** The last text typed, and its parsed value. */
  const typed = useRef<{ text: string; value: unknown } | null>(null);
  const text = typed.current && same(typed.current.value, value) ? typed.current.text : writeField(value);
  const offset = useMemo(() => {
    const read = text.trim() === '' ? null : readDraft(text);
    return read && !read.ok ? read.error.offset : null;
  }, [text]);
  const check = useMemo(
    () => ({ offset, problem: problem === null ? null : { code: 'INVALID', message: problem } }),
    [offset, problem],
  );
  return (
    <div class="field json-field">
      <span class="label" aria-hidden="true">
        {shownLabel ?? label}
      </span>
      <PayloadEditor
        name={name}
        label={label}
        text={text}
        problem={check}
        describedBy={`${id}-problem`}
        properties={properties}
        onRun={onSave}
        onText={(next) => {
          typed.current = { text: next, value: next.trim() === '' ? undefined : readField(next) };
          onValue(typed.current.value);
        }}
      />
      <span id={`${id}-problem`} class="problem">
        {problem}
      </span>
      {warning ? <span class="warning">{warning}</span> : null}
    </div>
  );
}
