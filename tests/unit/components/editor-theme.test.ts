// @vitest-environment happy-dom
/** Code editors show what can’t be seen. */
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { expect, it } from 'vitest';
import { shownEscapes } from '../../../components/panel/shared/editor-theme.ts';

it('a code editor shows invisible characters as escapes, and its text keeps them', () => {
  const doc = '// 👩\u200d💻 \u202e}\n\tconst a\u200b = 1;';
  const view = new EditorView({ parent: document.body, state: EditorState.create({ doc, extensions: shownEscapes }) });
  const shown = [...view.contentDOM.querySelectorAll('.cm-line')].map(({ textContent }) => textContent);
  expect(shown).toEqual([String.raw`// 👩‍💻 \u202e}`, '\tconst a\\u200b = 1;']);
  view.dispatch({ changes: { from: 0, insert: '\u2066' } });
  expect(view.contentDOM.textContent).toMatch(/^\\u2066\/\//);
  expect(view.state.doc.toString()).toBe(`\u2066${doc}`);
  view.destroy();
});
