// @vitest-environment happy-dom
/** Tests which names the JSON editor completes, and what it inserts. */
import { CompletionContext, type Completion } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { describe, expect, it } from 'vitest';
import { complete, type KnownProperty } from '../../../components/panel/shared/property-completions.ts';

const KNOWN: KnownProperty[] = [
  { name: 'to', form: 'string, required', description: 'An email address.', empty: '' },
  { name: 'retries', form: 'integer, optional', description: 'How often.', empty: 0 },
];

/** The text before and after the cursor, which is `|`. */
const stateAt = (marked: string) => {
  const pos = marked.indexOf('|');
  const state = EditorState.create({ doc: marked.replace('|', ''), extensions: [json()] });
  return { state, pos };
};
const completed = (marked: string) => {
  const { state, pos } = stateAt(marked);
  return complete(new CompletionContext(state, pos, false), KNOWN);
};
const names = (marked: string) => completed(marked)?.options.map(({ displayLabel }) => displayLabel) ?? null;

/** The document after the first completion is chosen, with the cursor as `|`. */
function chosen(marked: string): string {
  const { state, pos } = stateAt(marked);
  const view = new EditorView({ state });
  const found = complete(new CompletionContext(state, pos, false), KNOWN)!;
  const first = found.options[0] as Completion;
  if (typeof first.apply === 'function') first.apply(view, first, found.from, pos);
  const text = view.state.doc.toString();
  const { anchor } = view.state.selection.main;
  view.destroy();
  return `${text.slice(0, anchor)}|${text.slice(anchor)}`;
}

describe('names of properties', () => {
  it.each(['{|', '{ "|', '{"t|', '{t|', '{"note": 1, |', '{\n  "note": [1, 2],\n  "|"\n}', '{"|": ""}'])(
    'are completed in %s',
    (marked) => expect(names(marked)).toEqual(['to', 'retries']),
  );

  it.each(['|', '[|', '{"assign": {|', '{"list": [{"|', '{"note": "a, |"}', '{"note": "{|', '{"note": |'])(
    'aren’t completed in %s',
    (marked) => expect(names(marked)).toBeNull(),
  );

  it('leave out those that the object has', () => {
    expect(names('{"to": "", |}')).toEqual(['retries']);
    expect(names('{|, "to": ""}')).toEqual(['retries']);
    expect(names('{"r|", "to": ""}')).toEqual(['retries']);
  });

  it('are inserted with an empty value, and the cursor in it', () => {
    expect(chosen('{|}')).toBe('{"to": "|"}');
    expect(chosen('{"t|"}')).toBe('{"to": "|"}');
    expect(chosen('{"to": "", r|}')).toBe('{"to": "", "retries": 0|}');
  });

  it('keep a value that is there', () => {
    expect(chosen('{"t|": "ada@example.com"}')).toBe('{"to"|: "ada@example.com"}');
  });
});
