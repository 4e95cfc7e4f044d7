/** Extracts the texts that people read from the source: JSX text, labels, messages, hints, and other sentences in strings. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseAst } from 'vite';

const ROOT = resolve(import.meta.dirname, '../..');

export interface UiText {
  /** From the root of the repository, with the line: `components/ui/alert.tsx:12`. */
  location: string;
  /** White space is collapsed; each inserted value is `{}`. */
  text: string;
}

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

/** Elements that are part of the sentence around them. */
const INLINE = new Set(['a', 'abbr', 'b', 'code', 'em', 'i', 'kbd', 'span', 'strong', 'time']);
/** JSX attributes that hold text for people. Others hold names, classes, and URLs. */
const TEXT_ATTRIBUTES = new Set(['title', 'label', 'aria-label', 'placeholder', 'alt', 'empty', 'description']);

/** The texts of all source files that match the patterns. */
export function collectUiTexts(patterns: readonly string[]): UiText[] {
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT, exclude: ['**/dist/**', '**/node_modules/**'] }))
    .filter((file) => /\.tsx?$/.test(file));
  return files.sort().flatMap((file) => extractTexts(file, readFileSync(resolve(ROOT, file), 'utf8')));
}

export function extractTexts(file: string, source: string): UiText[] {
  const texts: UiText[] = [];
  const add = (node: Node, text: string): void => {
    // Lines of usage and help are separate texts. In JSX, line breaks are white space.
    const lines = node.type === 'TemplateLiteral' ? text.split('\n') : [text];
    for (const line of lines) {
      const clean = line.replaceAll(/\s+/g, ' ').trim();
      if (isForPeople(clean)) texts.push({ location: `${file}:${lineOf(source, node.start)}`, text: clean });
    }
  };
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, add);
  return texts;
}

function visit(node: Node, add: (node: Node, text: string) => void): void {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TSLiteralType':
    case 'TaggedTemplateExpression':
      return;
    case 'JSXAttribute': {
      const name = (node.name as { name?: unknown }).name;
      if (typeof name === 'string' && !TEXT_ATTRIBUTES.has(name) && isStringNode(node.value)) return;
      break;
    }
    case 'JSXElement':
    case 'JSXFragment': {
      const text = jsxText(node);
      if (/[A-Za-z]/.test(text)) add(node, text);
      break;
    }
    case 'Literal':
      if (typeof node.value === 'string') add(node, node.value);
      return;
    case 'TemplateLiteral':
      add(node, templateText(node));
      break;
    default:
  }
  for (const child of children(node)) visit(child, add);
}

/** The text of an element with that of its inline children, if it has its own text. */
function jsxText(node: Node): string {
  const parts = (node.children as Node[]).map((child) => {
    if (child.type === 'JSXText') return String(child.value);
    if (child.type === 'JSXElement') return isInline(child) ? jsxText(child) : '\n';
    if (child.type !== 'JSXExpressionContainer') return '';
    const expression = child.expression as Node;
    return expression.type === 'Literal' ? String(expression.value) : '{}';
  });
  return parts.join('');
}

function isInline(element: Node): boolean {
  const name = (element.openingElement as { name: { name?: string } }).name.name;
  return name !== undefined && INLINE.has(name);
}

function templateText(node: Node): string {
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}');
}

function isStringNode(value: unknown): boolean {
  return (value as Node | null)?.type === 'Literal';
}

/** Scripts, user agents, headers, and object literals in strings. */
const CODE = /=>|\w\(\{|\w\(\.|Mozilla\/|; charset=|[a-z_]="|(^|[{;]) ?const |\w\?\.\w|^\{\} return /;

/** Two words or more, the first of them as sentences and labels begin, and no code. */
function isForPeople(text: string): boolean {
  if (CODE.test(text)) return false;
  return /^[“‘({]*[A-Z]?[\w’]*[^<>=]* [A-Za-z“{]/.test(text) && /^[“‘({]*[A-Z{]/.test(text) && /[a-z]{2}/.test(text);
}

function children(node: Node): Node[] {
  return Object.entries(node)
    .filter(([field]) => field !== 'parent' && field !== 'typeAnnotation' && field !== 'typeArguments')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string');
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}
