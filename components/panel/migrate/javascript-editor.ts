/** The JavaScript editor, loaded when a migration is opened. It marks the lines of the selected step. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState, type Extension, Prec, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { editorColors, editorTheme, shownEscapes } from '../shared/editor-theme.ts';

interface LineProblem {
  message: string;
  line?: number;
  column?: number;
}

export interface JavaScriptEditor {
  /** Shows other code, and keeps the cursor. */
  show(code: string): void;
  /** Marks lines with a problem. */
  mark(problems: readonly LineProblem[]): void;
  /** Marks the lines of the selected step. */
  highlight(lines: { from: number; to: number } | null): void;
  /** Scrolls to a line, and puts the cursor there. */
  reveal(line: number): void;
  focus(): void;
  destroy(): void;
}

export interface JavaScriptEditorOptions {
  parent: HTMLElement;
  label: string;
  describedBy: string;
  code: string;
  onCode: (code: string) => void;
  /** @param line 1-based */
  onCursor: (line: number) => void;
  onProve: () => void;
}

const theme = EditorView.theme({
  '.cm-linked': { backgroundColor: 'var(--hover)', boxShadow: 'inset 3px 0 0 var(--accent)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 8px', minWidth: '28px' },
});

const codeColors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-key)' },
  { tag: tags.comment, color: 'var(--muted)' },
  { tag: tags.special(tags.string), color: 'var(--code-string)' },
]);

/** Marks changes that the panel makes. */
const shown = Annotation.define<boolean>();

const setLinked = StateEffect.define<{ from: number; to: number } | null>();
const linkedLine = Decoration.line({ class: 'cm-linked' });
const linked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, transaction) {
    const effect = transaction.effects.findLast((each) => each.is(setLinked));
    return effect ? linesOf(transaction.state.doc, effect.value) : lines.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function linesOf(doc: Text, lines: { from: number; to: number } | null): DecorationSet {
  if (!lines) return Decoration.none;
  const to = Math.min(lines.to, doc.lines);
  const count = Math.max(0, to - lines.from + 1);
  return Decoration.set(
    Array.from({ length: count }, (_, index) => linkedLine.range(doc.line(lines.from + index).from)),
  );
}

function extensionsOf({ label, describedBy, onCode, onCursor, onProve }: JavaScriptEditorOptions): Extension[] {
  return [
    // Matches the nonce in the manifest's content security policy.
    EditorView.cspNonce.of('code-editor'),
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (onProve(), true) }])),
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    indentUnit.of('  '),
    javascript(),
    syntaxHighlighting(codeColors),
    syntaxHighlighting(editorColors),
    lintGutter(),
    linked,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': describedBy,
      name: 'v3-code',
      tabindex: '0',
    }),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.updateListener.of(({ transactions, docChanged, selectionSet, state, view }) => {
      const isOwn = transactions.some((transaction) => transaction.annotation(shown));
      if (docChanged && !isOwn) onCode(state.doc.toString());
      if (isOwn || !(selectionSet || docChanged) || !view.hasFocus) return;
      onCursor(state.doc.lineAt(state.selection.main.head).number);
    }),
    editorTheme,
    shownEscapes,
    theme,
  ];
}

export function createJavaScriptEditor(options: JavaScriptEditorOptions): JavaScriptEditor {
  const { parent, code } = options;
  const state = EditorState.create({ doc: code, extensions: extensionsOf(options) });
  const view = new EditorView({ parent, state });
  return {
    show(next) {
      const { doc, selection } = view.state;
      if (next === doc.toString()) return;
      view.dispatch({
        changes: { from: 0, to: doc.length, insert: next },
        selection: { anchor: Math.min(selection.main.head, next.length) },
        annotations: shown.of(true),
      });
    },
    mark: (problems) => view.dispatch(setDiagnostics(view.state, problems.map(diagnosticIn(view.state.doc)))),
    highlight: (lines) => view.dispatch({ effects: setLinked.of(lines) }),
    reveal(line) {
      const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: 40 }),
        annotations: shown.of(true),
      });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

const diagnosticIn =
  (doc: Text) =>
  ({ message, line = 1, column = 1 }: LineProblem): Diagnostic => {
    const { from, to } = doc.line(Math.min(line, doc.lines));
    const at = Math.min(from + column - 1, to);
    return { from: at, to: Math.min(at + 1, to), severity: 'error', message };
  };
