/** Prints values as JavaScript literals: never `{{` or `}}`, never a character that ends a line or a script. */
import { type Doc, bracketed, group, indent, join, line } from './doc.ts';

/** Longer strings are printed in pieces. */
const PIECE = 64;
const RESERVED =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|arguments|eval|undefined|NaN|Infinity)$/;

export const isIdentifier = (text: string): boolean =>
  /^[A-Za-z_$][\w$]*$/.test(text) && text.length <= PIECE && !RESERVED.test(text);
/** Whether the text can follow a dot, where reserved words are allowed. */
export const isMemberName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text) && text.length <= PIECE;

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\v': '\\v',
  '\f': '\\f',
};
// Control characters, line separators, the byte order mark, and halves of surrogate pairs.
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex -- these are what must be escaped
  /[\\\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escapeCharacter(character: string): string {
  return ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Escapes what could be mistaken for a template of V2, or for the end of a script. */
function escapeBraces(escaped: string): string {
  return escaped
    .replace(/\{(?=\{)/g, '\\x7b')
    .replace(/(?<=\})\}/g, '\\x7d')
    .replace(/<(?=\/script|!--)/gi, '\\x3c');
}

/** Text between quotes. @param quote the quote to escape */
function escapeText(text: string, quote: string): string {
  return escapeBraces(text.replace(UNPRINTABLE, escapeCharacter).replaceAll(quote, `\\${quote}`));
}

/** Text of a template literal. */
export function escapeTemplate(text: string, followsValue: boolean): string {
  const escaped = escapeText(text, '`').replace(/\$(?=\{|$)/g, '\\$');
  return followsValue && escaped.startsWith('}') ? `\\x7d${escaped.slice(1)}` : escaped;
}

/** Cuts text into pieces, never between the halves of a surrogate pair. */
export function pieces(text: string, length = PIECE): string[] {
  const found: string[] = [];
  let start = 0;
  while (text.length - start > length) {
    let end = start + length;
    const space = text.lastIndexOf(' ', end - 1);
    if (space > start + length / 2) end = space + 1;
    if (/[\ud800-\udbff]/.test(text[end - 1] as string)) end -= 1;
    found.push(text.slice(start, end));
    start = end;
  }
  return [...found, text.slice(start)];
}

/** A quoted string. Long ones are a sum of pieces. @param isOperand whether a sum needs parentheses */
export function string(text: string, isOperand = false): Doc {
  const parts = printablePieces(text).map(quoted);
  if (parts.length === 1) return parts[0] as Doc;
  const sum = join(parts, [' +', line]);
  return isOperand ? group('(', indent(sum), ')') : group(indent(sum));
}

/** Pieces that are short enough even after escaping. */
export function printablePieces(text: string): string[] {
  return pieces(text).flatMap((piece) =>
    escapeText(piece, '`').length <= PIECE + 20 ? [piece] : pieces(piece, PIECE / 6),
  );
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + escapeText(text, quote) + quote;
}

export function regExp(pattern: string, flags: string): Doc {
  const source = pattern
    .replace(/[\u2028\u2029]/g, escapeCharacter)
    // Escapes stay as they are, except for that of a brace before a quantifier.
    .replace(/\\\{(?=\{)|\\[^]|\{(?=\{)/g, (found) => (found === '{' || found === '\\{' ? '\\x7b' : found))
    .replace(/(?<=\})\}/g, '\\x7d');
  if (source.length <= PIECE) return `/${source}/${flags}`;
  return group('new RegExp(', string(pattern), ', ', string(flags), ')');
}

/** The key of an object literal. */
export function key(name: string): Doc {
  if (name === '__proto__') return "['__proto__']";
  if (isMemberName(name)) return name;
  const text = string(name);
  return typeof text === 'string' ? text : ['[', text, ']'];
}

export function object(entries: readonly (readonly [name: string, value: Doc])[]): Doc {
  return bracketed(
    '{',
    entries.map(([name, value]) =>
      // Next to a long key, a long value might not fit.
      name.length > PIECE / 2 ? group(key(name), ':', indent(line, value)) : [key(name), ': ', value],
    ),
    '}',
    line,
  );
}

/** Whether an object is an array or has the prototype of object literals, from any realm. */
function isPlain(given: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(given);
  return Array.isArray(given) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** JSON values, and `undefined`, `NaN`, and infinite numbers. Null for anything else. */
export function value(given: unknown): Doc | null {
  if (given === null || given === undefined || typeof given === 'boolean') return String(given);
  if (typeof given === 'number') return Object.is(given, -0) ? '-0' : String(given);
  if (typeof given === 'string') return string(given);
  if (typeof given !== 'object' || !isPlain(given)) return null;
  const names = Object.keys(given);
  const values = names.map((name) => value((given as Record<string, unknown>)[name]));
  if (values.includes(null)) return null;
  if (Array.isArray(given)) return bracketed('[', values as Doc[], ']');
  return object(names.map((name, index) => [name, values[index] as Doc]));
}
