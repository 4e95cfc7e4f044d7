/** Owns the two editors of JSON, such as a payload: a plain one at once, the code editor from the first focus on. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { EDITOR_LIMIT, type PayloadCheck } from '../../../lib/extension/panel/run/payload/payload.ts';
import type { CodeEditor, createCodeEditor } from './code-editor.ts';
import './payload-editor.css';

export interface PayloadEditorProps {
  /** Of the control, and its accessible name; a payload's when left out. */
  name?: string;
  label?: string;
  text: string;
  problem: Pick<PayloadCheck, 'problem' | 'offset'>;
  onText: (text: string) => void;
  onRun: () => void;
  describedBy: string;
}

export function PayloadEditor({
  name = 'payload',
  label = 'Payload, JSON',
  text,
  problem,
  onText,
  onRun,
  describedBy,
}: PayloadEditorProps): JSX.Element {
  const plain = useRef<HTMLTextAreaElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | null>(null);
  const latest = useRef({ onText, onRun, text });
  /** Where the person was typing when one editor made way for the other. */
  const cursor = useRef<number | null>(null);
  latest.current = { onText, onRun, text };
  const [create, setCreate] = useState<typeof createCodeEditor | null>(null);
  const isLong = text.length > EDITOR_LIMIT;
  const isCode = create !== null && !isLong;

  const remember = (): void => {
    cursor.current = plain.current && document.activeElement === plain.current ? plain.current.selectionStart : null;
  };
  const load = (): void => {
    if (create) return;
    const made = (module: { createCodeEditor: typeof createCodeEditor }): void => {
      remember();
      setCreate(() => module.createCodeEditor);
    };
    // When it can't be loaded, the plain editor stays: it can do all but colours.
    import('./code-editor.ts').then(made, () => {});
  };
  useEffect(() => {
    if (!isCode || !place.current) return;
    const made = create({
      parent: place.current,
      name,
      label,
      text: latest.current.text,
      describedBy,
      onText: (next) => latest.current.onText(next),
      onRun: () => latest.current.onRun(),
    });
    editor.current = made;
    if (cursor.current !== null) made.focus(cursor.current);
    return () => {
      editor.current = null;
      made.destroy();
    };
  }, [isCode]);
  useEffect(() => {
    // A text that has just become too long was pasted here.
    if (isLong && create) plain.current?.focus();
  }, [isLong]);
  useEffect(() => {
    editor.current?.show(
      text,
      problem.problem && problem.offset !== null ? { offset: problem.offset, message: problem.problem.message } : null,
    );
  }, [text, problem, isCode]);

  if (isCode) return <div class="payload-editor code" ref={place} />;
  return (
    <textarea
      ref={plain}
      class="payload-editor mono"
      name={name}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={problem.problem ? 'true' : undefined}
      spellcheck={false}
      wrap={isLong ? 'off' : 'soft'}
      value={text}
      onFocus={load}
      onInput={(event) => {
        remember();
        onText(event.currentTarget.value);
      }}
    />
  );
}
