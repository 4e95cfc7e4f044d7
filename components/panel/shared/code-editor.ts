/** The JSON code editor, loaded when a JSON field first receives focus. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState, Prec } from '@codemirror/state';
import { drawSelection, EditorView, keymap } from '@codemirror/view';
import { editorColors, editorTheme, shownEscapes } from './editor-theme.ts';
import { type KnownProperty, propertyCompletions } from './property-completions.ts';

export interface CodeEditor {
  /** Shows the text and marks its first error. */
  show(text: string, problem: { offset: number; message: string } | null): void;
  /** Focuses the editor and puts the cursor at an offset. */
  focus(cursor: number): void;
  destroy(): void;
}

export interface CodeEditorOptions {
  parent: HTMLElement;
  name: string;
  label: string;
  text: string;
  /** ID of the element that shows the error. */
  describedBy: string;
  /** The properties that the JSON object can have, to complete their names. */
  properties: () => readonly KnownProperty[];
  onText: (text: string) => void;
  onRun: () => void;
}

/** Maximum characters of a text whose lines are wrapped. */
const WRAPPED = 100_000;

/** Marks changes that `show` makes. */
const shown = Annotation.define<boolean>();

export function createCodeEditor({
  parent,
  name,
  label,
  text,
  describedBy,
  properties,
  onText,
  onRun,
}: CodeEditorOptions): CodeEditor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        // Matches the nonce in the manifest's content security policy.
        EditorView.cspNonce.of('code-editor'),
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (onRun(), true) }])),
        history(),
        drawSelection(),
        bracketMatching(),
        indentUnit.of('  '),
        json(),
        propertyCompletions(properties),
        syntaxHighlighting(editorColors),
        lintGutter(),
        // Measuring the wrapped lines of a long text takes too long.
        text.length > WRAPPED ? [] : EditorView.lineWrapping,
        // Focusable also for tools that don't count `contenteditable`.
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': describedBy, name, tabindex: '0' }),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          const isTyped = update.docChanged && !update.transactions.some((one) => one.annotation(shown));
          if (isTyped) onText(update.state.doc.toString());
        }),
        editorTheme,
        shownEscapes,
      ],
    }),
  });
  return {
    show(next, problem) {
      if (next !== view.state.doc.toString())
        view.dispatch({
          changes: { from: 0, to: view.state.doc.length, insert: next },
          annotations: shown.of(true),
        });
      const length = view.state.doc.length;
      const from = problem ? Math.min(problem.offset, length) : 0;
      view.dispatch(
        setDiagnostics(
          view.state,
          problem ? [{ from, to: Math.min(from + 1, length), severity: 'error', message: problem.message }] : [],
        ),
      );
    },
    focus(cursor) {
      view.focus();
      view.dispatch({ selection: { anchor: Math.min(cursor, view.state.doc.length) } });
    },
    destroy: () => view.destroy(),
  };
}
