/** Makes a script, as V2 loaded it, from the source text of one function of the page. */
import { type AnyNode, parse } from 'acorn';

/** What a function can name without having it from elsewhere in its file. */
const GLOBALS: ReadonlySet<string> = new Set(
  `AbortController Array ArrayBuffer BigInt Blob Boolean DataView Date Error Function Headers Infinity Intl JSON Map
  Math NaN Number Object Platform Promise Proxy RangeError Reflect RegExp Request Response Set String Symbol
  SyntaxError TextDecoder TextEncoder TypeError URL URLSearchParams Uint8Array WeakMap WeakSet alert arguments atob
  btoa clearTimeout confirm console crypto decodeURIComponent document encodeURIComponent eval fetch globalThis
  isFinite isNaN localStorage location navigator parseFloat parseInt require sessionStorage setTimeout
  structuredClone undefined window`.split(/\s+/),
);

/** The script, or why the function can’t be taken out of its page. */
export type PackageSource = { source: string } | { reason: string };

export function packageSource(name: string, text: string): PackageSource {
  const written = asExpression(text);
  if (!written) return { reason: 'its source can’t be read' };
  const [missing] = freeNames(written.node).filter((free) => !GLOBALS.has(free));
  if (missing !== undefined) return { reason: `it uses ${missing}, which is outside of its function` };
  return { source: `Platform.Functions.register(${JSON.stringify(name)}, ${written.text});\n` };
}

/** A method’s text isn’t an expression. */
function asExpression(text: string): { text: string; node: AnyNode } | null {
  for (const expression of [text, `Object.values({ ${text} })[0]`]) {
    try {
      return { text: expression, node: parse(`(${expression}\n)`, { ecmaVersion: 'latest', sourceType: 'script' }) };
    } catch {
      // The other form might be valid.
    }
  }
  return null;
}

/** Names that are declared nowhere in the code. A name that is declared anywhere counts as declared. */
function freeNames(root: AnyNode): string[] {
  const used = new Set<string>();
  const declared = new Set<string>();
  const open: AnyNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const pattern of declaredBy(node)) addNames(pattern, declared);
    if (node.type === 'Identifier') used.add(node.name);
    open.push(...partsOf(node));
  }
  return [...used].filter((name) => !declared.has(name));
}

function declaredBy(node: AnyNode): (AnyNode | null | undefined)[] {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      return [node.id, ...node.params];
    case 'ArrowFunctionExpression':
      return node.params;
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'VariableDeclarator':
      return [node.id];
    case 'CatchClause':
      return [node.param];
    default:
      return [];
  }
}

function addNames(pattern: AnyNode | null | undefined, names: Set<string>): void {
  if (pattern?.type === 'Identifier') names.add(pattern.name);
  else if (pattern?.type === 'AssignmentPattern') addNames(pattern.left, names);
  else if (pattern?.type === 'RestElement') addNames(pattern.argument, names);
  else if (pattern?.type === 'Property') addNames(pattern.value, names);
  else if (pattern?.type === 'ArrayPattern') for (const each of pattern.elements) addNames(each, names);
  else if (pattern?.type === 'ObjectPattern') for (const each of pattern.properties) addNames(each, names);
}

/** Without the names of properties and labels. */
function partsOf(node: AnyNode): AnyNode[] {
  const isNamed = 'computed' in node && !node.computed;
  return Object.entries(node).flatMap(([key, part]: [string, unknown]) => {
    if (key === 'label' || (isNamed && (key === 'property' || key === 'key')) || node.type === 'MetaProperty')
      return [];
    return [part].flat().filter(isNode);
  });
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
