/** Excludes mutants of user-facing sentences. Codes, names, and paths are mutated. */

/** The parts of Babel's `NodePath` that are used. */
interface Path {
  node: { type: string; value?: unknown; quasis?: { value: { raw: string } }[]; key?: { name?: string } };
  parent?: Path['node'] | null;
  key?: string | number | null;
}

/** A capital letter or a value, then text, and a period. */
const SENTENCE = /^[\p{Lu}…].*\s.*\s.*\.$/su;

function textOf({ type, value, quasis }: Path['node']): string | null {
  if (type === 'StringLiteral') return String(value);
  return type === 'TemplateLiteral' ? (quasis ?? []).map(({ value }) => value.raw).join('…') : null;
}

function shouldIgnore({ node, parent, key }: Path): string | undefined {
  const text = textOf(node);
  if (text === null) return undefined;
  const isMessage =
    key === 'value' && parent?.type === 'ObjectProperty' && /^(message|hint)$/.test(parent.key?.name ?? '');
  return isMessage || SENTENCE.test(text) ? 'A sentence for people' : undefined;
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'sentences', value: { shouldIgnore } }];
