/** Edits JSON, such as a payload: a plain text area until the first focus, then the code editor. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { EDITOR_LIMIT, type PayloadCheck } from '../../../lib/extension/panel/run/payload/payload.ts';
import type { CodeEditor, createCodeEditor } from './code-editor.ts';
import './payload-editor.css';

export interface PayloadEditorProps {
  /** Name and accessible name of the control. By default, those of a payload. */
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
  label = 'Payload as JSON',
  text,
  problem,
  onText,
  onRun,
  describedBy,
}: PayloadEditorProps): JSX.Element {
  const plain = useRef<HTMLTextAreaElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | null>(null);
  const latest = useRef({ onText, onRun, text });
  /** Cursor position when one editor replaced the other. */
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
    // When it can't be loaded, the text area stays, without syntax highlighting.
    import('./code-editor.ts').then(made, () => {});
  };
  useEffect(() => {
    if (!isCode || !container.current) return;
    const made = create({
      parent: container.current,
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
    // The text has become too long because something was pasted here.
    if (isLong && create) plain.current?.focus();
  }, [isLong]);
  useEffect(() => {
    editor.current?.show(
      text,
      problem.problem && problem.offset !== null ? { offset: problem.offset, message: problem.problem.message } : null,
    );
  }, [text, problem, isCode]);

  if (isCode) return <div class="payload-editor code" ref={container} />;
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
