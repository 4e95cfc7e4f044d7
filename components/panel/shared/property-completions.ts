/** Completes the names of a JSON object’s properties while users type. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';

export interface KnownProperty {
  name: string;
  /** Shown beside the name, such as `string, required`. */
  form: string;
  description: string;
  /** The value that is inserted with the name. */
  empty: unknown;
}

/** Completes the properties of the outermost object. `known` is called for each completion. */
export function propertyCompletions(known: () => readonly KnownProperty[]): Extension {
  return autocompletion({ override: [(context) => complete(context, known())], icons: false });
}

export function complete({ state, pos }: CompletionContext, known: readonly KnownProperty[]): CompletionResult | null {
  // A name that is being typed, with or without its first quotation mark.
  const [, typed] = /[{,]\s*("?[\w-]*)$/.exec(state.sliceDoc(0, pos)) ?? [];
  const object = typed === undefined || known.length === 0 ? null : outermostObjectAt(state, pos);
  if (typed === undefined || !object) return null;
  const from = pos - typed.length;
  const others = namesIn(state, object, from);
  const options = known
    .filter(({ name }) => !others.has(name))
    .map((property): Completion => ({
      // The editor filters by what is typed, including the quotation mark.
      label: typed.startsWith('"') ? `"${property.name}"` : property.name,
      displayLabel: property.name,
      detail: property.form,
      info: property.description,
      apply: (view, _, start, end) => insert(view, property, start, end),
    }));
  return { from, options, validFor: /^"?[\w-]*$/ };
}

/** Null inside a nested object or array, and inside a value. */
function outermostObjectAt(state: EditorState, pos: number): SyntaxNode | null {
  let object: SyntaxNode | null = null;
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(pos, -1); node; node = node.parent) {
    if (node.name === 'String' || node.name === 'Array') return null;
    if (node.name !== 'Object') continue;
    if (object) return null;
    object = node;
  }
  return object;
}

/** The names of the object’s properties, except for one that starts at `from`. */
function namesIn(state: EditorState, object: SyntaxNode, from: number): Set<string> {
  const names = object.getChildren('Property').flatMap((property) => property.getChild('PropertyName') ?? []);
  return new Set(
    names.filter((name) => name.from !== from).map((name) => state.sliceDoc(name.from, name.to).replaceAll('"', '')),
  );
}

/** Inserts the name, and an empty value if there’s none yet. The cursor is then in the value. */
function insert(view: EditorView, { name, empty }: KnownProperty, from: number, end: number): void {
  const to = end + (view.state.sliceDoc(end, end + 1) === '"' ? 1 : 0);
  const hasValue = /^\s*:/.test(view.state.sliceDoc(to, to + 100));
  const value = JSON.stringify(empty);
  const text = JSON.stringify(name) + (hasValue ? '' : `: ${value}`);
  const inside = !hasValue && /["}\]]$/.test(value) ? 1 : 0;
  view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length - inside } });
}
