/** Edits JSON, such as a payload. Starts as a plain text area and becomes a code editor on first focus. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { EDITOR_LIMIT, type PayloadCheck } from '../../../lib/extension/panel/run/payload/payload.ts';
import type { CodeEditor, createCodeEditor } from './code-editor.ts';
import type { KnownProperty } from './property-completions.ts';
import './payload-editor.css';

export interface PayloadEditorProps {
  /** The control's name and accessible name. By default, those of the payload editor. */
  name?: string;
  label?: string;
  text: string;
  problem: Pick<PayloadCheck, 'problem' | 'offset'>;
  onText: (text: string) => void;
  onRun: () => void;
  describedBy: string;
  /** The properties that the JSON object can have, to complete their names. */
  properties?: readonly KnownProperty[];
}

export function PayloadEditor(props: PayloadEditorProps): JSX.Element {
  const { name = 'payload', label = 'Payload as JSON', text, problem, onText, describedBy } = props;
  const plain = useRef<HTMLTextAreaElement>(null);
  /** The cursor position to restore in the editor that replaces the text area. */
  const cursor = useRef<number | null>(null);
  const [create, setCreate] = useState<typeof createCodeEditor | null>(null);
  const isLong = text.length > EDITOR_LIMIT;
  useEffect(() => {
    // Text pasted into the code editor was too long, so the text area has replaced it and needs focus.
    if (isLong && create) plain.current?.focus();
  }, [isLong]);

  const saveCursor = (): void => {
    cursor.current = plain.current && document.activeElement === plain.current ? plain.current.selectionStart : null;
  };
  const load = (): void => {
    if (create) return;
    const onLoaded = (module: { createCodeEditor: typeof createCodeEditor }): void => {
      saveCursor();
      setCreate(() => module.createCodeEditor);
    };
    // If loading fails, the plain text area stays, without syntax highlighting.
    import('./code-editor.ts').then(onLoaded, () => {});
  };

  if (create && !isLong) return <Code {...props} name={name} label={label} create={create} cursor={cursor.current} />;
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
        saveCursor();
        onText(event.currentTarget.value);
      }}
    />
  );
}

interface CodeProps extends PayloadEditorProps {
  name: string;
  label: string;
  create: typeof createCodeEditor;
  /** Where to put the cursor when focusing the editor; null to leave focus unchanged. */
  cursor: number | null;
}

function Code({
  name,
  label,
  text,
  problem,
  onText,
  onRun,
  describedBy,
  properties = [],
  create,
  cursor,
}: CodeProps): JSX.Element {
  const container = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | null>(null);
  const latest = useRef({ onText, onRun, properties });
  latest.current = { onText, onRun, properties };
  useLayoutEffect(() => {
    if (!container.current) return;
    const created = create({
      parent: container.current,
      name,
      label,
      text,
      describedBy,
      properties: () => latest.current.properties,
      onText: (next) => latest.current.onText(next),
      onRun: () => latest.current.onRun(),
    });
    editor.current = created;
    if (cursor !== null) created.focus(cursor);
    return () => {
      editor.current = null;
      created.destroy();
    };
  }, []);
  // Not after the next paint, when users may have typed more: the older text would replace it.
  useLayoutEffect(() => {
    const { problem: error, offset } = problem;
    editor.current?.show(text, error && offset !== null ? { offset, message: error.message } : null);
  }, [text, problem]);
  return <div class="payload-editor code" ref={container} />;
}
