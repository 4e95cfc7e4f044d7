/** Splits a condition’s source into tokens, one at a time. */
import { ConditionError, quote } from '../../errors.ts';
import type { SourceRange } from './tree.ts';

export interface Token extends SourceRange {
  /** Reserved words are names too. */
  readonly kind: 'name' | 'number' | 'string' | 'punctuator' | 'end';
  /** The token as written, or a string’s value. */
  readonly text: string;
}

export const NAME = '[\\p{ID_Start}$_][\\p{ID_Continue}$\\u200c\\u200d]*';
const DIGITS = '\\d(?:_?\\d)*';
/** Space and comments. Each comment matches in one way only, so that a pattern that fails after many ends. */
export const SPACE =
  '(?:\\s|\\/\\/[^\\n\\r\\u2028\\u2029]*(?![^\\n\\r\\u2028\\u2029])|\\/\\*[^*]*\\*+(?:[^*\\/][^*]*\\*+)*\\/)*';
const SPACES = new RegExp(SPACE, 'y');
const NAME_TOKEN = new RegExp(NAME, 'uy');
const NUMBER = new RegExp(
  `(?:0[xX][\\da-fA-F](?:_?[\\da-fA-F])*|0[oO][0-7](?:_?[0-7])*|0[bB][01](?:_?[01])*|(?:(?:0|[1-9](?:_?\\d)*)(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][-+]?${DIGITS})?)`,
  'y',
);
const STRING = /"(?:[^"\\\n\r]|\\(?:\r\n|[^]))*"|'(?:[^'\\\n\r]|\\(?:\r\n|[^]))*'/y;
const PUNCTUATOR =
  /(?:\*\*|&&|\|\||\?\?|<<|>>|[-+*%&|^])=|=>|[=!]==?|[<>]=|<<|>>|\+\+|--|\*\*|&&|\|\||\?\?|\?\.(?!\d)|\.\.\.|[-+*/%<>!?:.,()[\]{}=&|^~;`]/y;
const REGEXP = /\/((?:[^\\/[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+)\/([\p{ID_Continue}$]*)/uy;
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|(\r\n|[^]))/g;
const SIMPLE: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  v: '\v',
  f: '\f',
  '0': '\0',
  '\r\n': '',
  '\n': '',
  '\r': '',
  '\u2028': '',
  '\u2029': '',
};

/** @throws ConditionError `INVALID_CONDITION` at an offset */
export function refuse(source: string, offset: number, message: string, length = 1): never {
  throw new ConditionError('INVALID_CONDITION', message, source.slice(offset, offset + length), offset + 1);
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function matched(pattern: RegExp, source: string, at: number): string {
  return match(pattern, source, at)?.[0] ?? '';
}

/** Engines compare interned property names by address. Slices of other strings aren’t interned. */
function intern(text: string): string {
  return Object.keys({ [text]: 0 })[0] as string;
}

/** The token at or after `at`. @throws ConditionError `INVALID_CONDITION` */
export function lex(source: string, at: number): Token {
  const start = at + matched(SPACES, source, at).length;
  if (start >= source.length) return { kind: 'end', text: '', start: source.length, end: source.length };
  const token = (kind: Token['kind'], raw: string, text = raw): Token => ({
    kind,
    text: intern(text),
    start,
    end: start + raw.length,
  });

  const name = matched(NAME_TOKEN, source, start);
  if (name) return token('name', name);
  const number = matched(NUMBER, source, start);
  if (number) {
    const end = start + number.length;
    if (source[end] === 'n') refuse(source, start, 'Conditions don’t support BigInt literals.', number.length + 1);
    if (/\d/.test(source[end] ?? '') || match(NAME_TOKEN, source, end))
      refuse(source, start, 'This number isn’t valid.', number.length + 1);
    return token('number', number);
  }
  const string = matched(STRING, source, start);
  if (string) return token('string', string, unescape(source, start + 1, string.slice(1, -1)));
  if (source.startsWith('/*', start)) refuse(source, start, 'This comment has no closing */.', 2);
  const punctuator = matched(PUNCTUATOR, source, start);
  if (punctuator) return token('punctuator', punctuator);
  const found = source[start] ?? '';
  return refuse(
    source,
    start,
    found === '"' || found === "'" ? 'This string has no closing quote.' : `Unexpected character ${quote(found)}.`,
  );
}

/** The regular expression literal at `start`. @throws ConditionError `INVALID_CONDITION` */
export function lexRegExp(source: string, start: number): { body: string; flags: string; end: number } {
  const found = match(REGEXP, source, start);
  if (!found) return refuse(source, start, 'This regular expression has no closing slash.');
  return { body: found[1] ?? '', flags: found[2] ?? '', end: start + found[0].length };
}

/** A template’s text from `start` to the next `${` or backtick. @throws ConditionError `INVALID_CONDITION` */
export function lexTemplate(source: string, start: number): { text: string; end: number; last: boolean } {
  let at = start;
  while (at < source.length && source[at] !== '`' && !source.startsWith('${', at)) at += source[at] === '\\' ? 2 : 1;
  if (at >= source.length) return refuse(source, start - 1, 'This template has no closing backtick.');
  const last = source[at] === '`';
  const raw = source.slice(start, at);
  return { text: unescape(source, start, raw.replace(/(?<!\\)\r\n?/g, '\n')), end: at + (last ? 1 : 2), last };
}

function unescape(source: string, start: number, raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(ESCAPE, (whole: string, x: string, u: string, braces: string, other: string, offset: number) => {
    const code = Number.parseInt(x ?? u ?? braces, 16);
    if (other === undefined && code <= 0x10ffff) return String.fromCodePoint(code);
    const digitFollows = /\d/.test(raw[offset + whole.length] ?? '');
    if (other === undefined || /[1-9xu]/.test(other) || (other === '0' && digitFollows))
      refuse(source, start + offset, 'This escape sequence isn’t valid.', whole.length);
    return SIMPLE[other] ?? other;
  });
}
