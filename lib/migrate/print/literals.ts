/** Prints values as JavaScript literals. */
import { assigned, atLineStart, type Doc, bracketed, group, indent, line, softLine } from './doc.ts';
import { escapeToken } from './escapes.ts';
import { string } from './text.ts';

/** Longer names and patterns are written as strings. */
const LONGEST = 64;
const RESERVED =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|arguments|eval|undefined|NaN|Infinity)$/;

export const isIdentifier = (text: string): boolean =>
  /^[A-Za-z_$][\w$]*$/.test(text) && text.length <= LONGEST && !RESERVED.test(text);
/** Whether the text can follow a dot, where reserved words are allowed. */
export const isMemberName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text) && text.length <= LONGEST;

export function regExp(pattern: string, flags: string): Doc {
  const source = escapeToken(pattern, false);
  if (source.length <= LONGEST) return `/${source}/${flags}`;
  return ['new ', bracketed('RegExp(', [string(pattern), string(flags)], ')')];
}

/** The key of an object literal. */
export function key(name: string): Doc {
  if (name === '__proto__') return "['__proto__']";
  if (isMemberName(name)) return name;
  const text = string(name);
  return typeof text === 'object' && 'whole' in text
    ? { whole: text.whole, broken: () => group('[', indent(softLine, atLineStart(text)), softLine, ']') }
    : text;
}

export const property = (name: string, value: Doc): Doc =>
  // Next to a long key, a long value might not fit.
  name.length > LONGEST / 2
    ? group(key(name), ':', indent(line, atLineStart(value)))
    : assigned([key(name), ':'], value);

export const object = (entries: readonly (readonly [name: string, value: Doc])[]): Doc =>
  bracketed(
    '{',
    entries.map(([name, value]) => property(name, value)),
    '}',
    line,
  );

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
