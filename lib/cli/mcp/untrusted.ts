/** Makes data from a platform safe to show to a model: no control, bidi, or invisible characters, no markup, and no token. */

/** What a reader doesn’t see, but a model does: controls, bidi, zero-width and tag characters, variation selectors. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** Shows hidden characters as escapes. Tabs and line breaks stay: JSON escapes them. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (character) => {
    if (character === '\n' || character === '\t') return character;
    const code = character.codePointAt(0)!.toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });

/** JSON in which no markup can begin: a reader of tags finds none. */
export const jsonOf = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** Quotes a value from a platform in a sentence of ours: on one line, cut, and without quotation marks of its own. */
export function quoted(value: string, length = 80): string {
  const line = visible(value)
    .replaceAll(/[“”„‟"«»]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return `“${characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line}”`;
}

const MASK = '•••';

/** Replaces the token, also as it’s written in URLs and in JSON. */
export function maskToken(token: string): (text: string) => string {
  const forms = [...new Set([token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)])];
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

/** Applies `change` to all texts of plain data, also to names of properties. Deep data doesn’t use up the stack. */
export function mapTexts(root: unknown, change: (text: string) => string): unknown {
  const mapped: unknown[] = [];
  const open: { from: object; to: Record<string, unknown> | unknown[] }[] = [];
  const put = (target: Record<string, unknown> | unknown[], name: string, value: unknown): void => {
    const next = typeof value === 'string' ? change(value) : nested(value);
    if (Array.isArray(target)) target.push(next);
    else Object.defineProperty(target, name, { value: next, enumerable: true, configurable: true, writable: true });
  };
  const nested = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const to: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
    open.push({ from: value, to });
    return to;
  };
  put(mapped, '0', root);
  for (let next = open.pop(); next; next = open.pop())
    for (const [name, value] of Object.entries(next.from)) if (value !== undefined) put(next.to, change(name), value);
  return mapped[0];
}
