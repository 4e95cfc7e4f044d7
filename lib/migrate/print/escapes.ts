/** Escapes text for literals: never `{{` or `}}`, never a character that ends a line or a script. */

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
export function escapeText(text: string, quote: string): string {
  return escapeBraces(text.replace(UNPRINTABLE, escapeCharacter).replaceAll(quote, `\\${quote}`));
}

/** Text of a template literal. */
export function escapeTemplate(text: string, followsValue: boolean): string {
  const escaped = escapeText(text, '`').replace(/\$(?=\{|$)/g, '\\$');
  return followsValue && escaped.startsWith('}') ? `\\x7d${escaped.slice(1)}` : escaped;
}

export function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + escapeText(text, quote) + quote;
}

/**
 * The same text of a string, a template, or a regular expression, with escapes where V3 or a page needs them.
 * @param continues whether a backslash at the end of a line continues the text, as in strings and templates
 */
export function escapeToken(text: string, continues = true): string {
  return text.replace(TOKEN_UNIT, (found, at: number) => {
    const character = found.at(-1) as string;
    const next = text.slice(at + found.length, at + found.length + 8);
    if (continues && found.length > 1 && /[\u2028\u2029]/.test(character)) return '';
    if (/[\u2028\u2029\ufeff]/.test(character) || !found.isWellFormed()) return escapeCharacter(character);
    if (character === '{' && next.startsWith('{')) return '\\x7b';
    if (found === '}' && text[at - 1] === '}') return '\\x7d';
    return character === '<' && /^(?:\/script|!--)/i.test(next) ? '\\x3c' : found;
  });
}

/** An escape, or what might have to be one. */
const TOKEN_UNIT =
  /\\(?:[\ud800-\udbff][\udc00-\udfff]|[^])|[\ud800-\udbff][\udc00-\udfff]|[{}<\u2028\u2029\ufeff\ud800-\udfff]/g;
