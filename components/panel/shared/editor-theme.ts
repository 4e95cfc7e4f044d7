/** What code editors look like. */
import { HighlightStyle } from '@codemirror/language';
import { Decoration, EditorView, MatchDecorator, type PluginValue, ViewPlugin, WidgetType } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { PARTS, visible } from '../../../lib/shared/invisible.ts';

export const editorTheme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--bg)', color: 'var(--text)', fontSize: 'var(--size-small)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.4' },
  '.cm-content': { caretColor: 'var(--text)', padding: '2px 0' },
  '.cm-gutters': { backgroundColor: 'var(--bg)', border: 'none', color: 'var(--muted)' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--selection) !important' },
  '.cm-matchingBracket': { backgroundColor: 'var(--hover)', outline: '1px solid var(--border)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--border)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--selection)', color: 'var(--text)' },
  '.cm-escape': { color: 'var(--danger)' },
  '.cm-completionDetail': { fontStyle: 'normal' },
});

export const editorColors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool], color: 'var(--code-number)' },
  { tag: tags.null, color: 'var(--muted)' },
]);

class Escape extends WidgetType {
  readonly #text: string;

  constructor(character: string) {
    super();
    this.#text = visible(character);
  }

  override eq(other: Escape): boolean {
    return other.#text === this.#text;
  }

  override toDOM(): HTMLElement {
    const shown = document.createElement('span');
    shown.className = 'cm-escape';
    shown.textContent = this.#text;
    return shown;
  }
}

const escapes = new MatchDecorator({
  // A copy: `visible` moves the position of the other one.
  regexp: new RegExp(PARTS),
  decorate: (add, from, to, [, invisible]) => {
    if (invisible !== undefined) add(from, to, Decoration.replace({ widget: new Escape(invisible) }));
  },
});

/** Shows invisible characters as escapes. The text, also a copied one, keeps them. */
export const shownEscapes = ViewPlugin.define<PluginValue & { decorations: ReturnType<typeof escapes.createDeco> }>(
  (view) => ({
    decorations: escapes.createDeco(view),
    update(update) {
      this.decorations = escapes.updateDeco(update, this.decorations);
    },
  }),
  { decorations: ({ decorations }) => decorations },
);
