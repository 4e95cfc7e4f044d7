/** Writes the source of a user’s function package as a part of V3’s code, with the same meaning. */
import type { Comment, Token } from 'acorn';
import { escapeToken } from '../print/escapes.ts';
import { commentLines, continued, tokensOf } from './source-tokens.ts';

const WIDTH = 120;
/** Lines are broken before they are full, where that reads well. */
const SOFT_WIDTH = 100;
const INDENT = '      ';

/**
 * Without two braces in a row, separators of lines, ends of scripts, and comments that look like paths of steps.
 * Lines are at most 120 characters long, unless a single name or number is.
 */
export function inlineSource(source: string): string {
  const text = source.trim().replace(/\r\n?/g, '\n');
  const found = tokensOf(text);
  return found ? new Writer(text, [...found.tokens, ...found.comments]).write() : text;
}

class Writer {
  readonly #source: string;
  readonly #parts: readonly (Token | Comment)[];
  #printed: string[] = [INDENT];
  #column = INDENT.length;
  #last = `\n${INDENT}`;
  /** White space before the next part. */
  #gap = '';
  /** Whether a line can’t end here. */
  #isRestricted = false;

  constructor(source: string, parts: readonly (Token | Comment)[]) {
    this.#source = source;
    this.#parts = parts.toSorted((one, other) => one.start - other.start);
  }

  write(): string {
    let end = 0;
    for (const [index, part] of this.#parts.entries()) {
      // The closing brace of a value in a template is also a part of the text’s token.
      if (part.start < end || part.end === part.start) continue;
      this.#gap = gapOf(this.#source.slice(end, part.start));
      const next = this.#parts[index + 1];
      this.#part(part, this.#source.slice(part.start, part.end), next ? next.end - next.start : 0);
      end = part.end;
    }
    return this.#printed.join('');
  }

  #add(added: string): void {
    const text = this.#gap + added;
    this.#gap = '';
    if (text === '') return;
    this.#printed.push(text);
    const at = text.lastIndexOf('\n');
    this.#column = at < 0 ? this.#column + text.length : text.length - at - 1;
    this.#last = text;
  }

  #part(part: Token | Comment, text: string, next: number): void {
    if (typeof part.type === 'string') this.#comment(text);
    else if (part.type.label === 'template') this.#add(continued(this.#templateText(text), this.#column, WIDTH));
    else this.#token(part as Token, text, next);
  }

  #templateText(text: string): string {
    const escaped = escapeToken(text).replace(/^([^\S\n]*)\/(?=\/ )/gm, '$1\\x2f');
    return this.#last.endsWith('}') && escaped.startsWith('}') ? `\\x7d${escaped.slice(1)}` : escaped;
  }

  /** @param next length of the token after this one */
  #token(token: Token, text: string, next: number): void {
    const isText = token.type.label === 'string';
    const written = this.#written(token, text);
    // A line can’t end after these, so what follows has to fit, too.
    const restricts = !isText && /^(?:\.|\?\.|return|throw|break|continue|yield|async)$/.test(text);
    const length = written.length + (restricts ? next + 1 : 0);
    if (!this.#isRestricted && !/^(?:=>|\+\+|--|`)$/.test(text)) this.#break(length);
    // Two braces in a row would be a template of V2, and the others an end of a script.
    const isJoined = this.#gap === '' && /\{\{|\}\}|<[/!]/.test(this.#last.slice(-1) + written.slice(0, 1));
    this.#add(isJoined ? ' ' : '');
    this.#add(isText || written.startsWith('new RegExp(') ? continued(written, this.#column, WIDTH - 1) : written);
    this.#isRestricted = restricts;
  }

  #written({ type: { label } }: Token, text: string): string {
    if (label === 'string') return escapeToken(text);
    if (label !== 'regexp') return text;
    const written = escapeToken(text);
    const [, pattern = '', flags = ''] = /^\/([^]*)\/(\w*)$/.exec(written) ?? [];
    // A pattern can’t be continued on another line, and a string can.
    const isLong = written.length > SOFT_WIDTH && !this.#source.includes('RegExp');
    return isLong ? `new RegExp('${pattern.replace(/['\\]/g, '\\$&')}', '${flags}')` : written;
  }

  /** Ends the line if the next token makes it too long. */
  #break(length: number): void {
    const width = /[,;([{:?+|&]$|=>$/.test(this.#last) ? SOFT_WIDTH : WIDTH;
    if (this.#gap.includes('\n') || this.#column <= INDENT.length + 2) return;
    if (this.#column + this.#gap.length + length + 1 > width) this.#gap = `\n${INDENT}  `;
  }

  #comment(text: string): void {
    const isBlock = text.startsWith('/*');
    const isTooLong = this.#column > INDENT.length && this.#column + text.length > WIDTH && !text.includes('\n');
    // A line break would end a statement, except where the line ends anyway.
    if (isTooLong && !isBlock) this.#gap = `\n${INDENT}`;
    const before = this.#last + this.#gap;
    const isOnOwnLine = before.slice(before.trimEnd().length).includes('\n');
    const words = isTooLong && isBlock && !isOnOwnLine ? '/* … */' : text;
    const lines = words.split(/[\n\u2028\u2029]/).flatMap((line) => commentLines(line, SOFT_WIDTH));
    this.#add(lines.join(`\n${INDENT}${isBlock ? '' : '// '}`));
  }
}

/** White space, with the indentation of the code around it. */
function gapOf(text: string): string {
  const space = text.replace(/[\u2028\u2029]/g, '\n').replaceAll('\ufeff', ' ');
  const at = space.lastIndexOf('\n');
  if (at < 0) return space;
  const linesBefore = space.slice(0, space.slice(0, at).lastIndexOf('\n') + 1);
  return `${linesBefore}\n${INDENT}${space.slice(at + 1)}`;
}
