/** Owns how the parser goes through the source: the token under way, what it may be, and refusals with their column. */
import { MAX_DEPTH } from './limits.ts';
import type { Place } from './closure.ts';
import { type Token, lex, refuse } from './lexer.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
export const RESERVED = words(
  'await break case catch class const continue debugger default delete do else enum export extends finally for function if import instanceof let new return static super switch this throw try var while with yield arguments eval in typeof void',
);
export const HINTS: ReadonlyMap<string, string> = new Map([
  ['=', 'A condition cannot assign; compare with == or ===.'],
  ['=>', 'An arrow function can only be an argument, and its parameters are plain names.'],
  ['++', 'A condition cannot change a value.'],
  ['--', 'A condition cannot change a value.'],
  ['&', 'Use && for "and"; bitwise operators are not part of conditions.'],
  ['|', 'Use || for "or"; bitwise operators are not part of conditions.'],
  ['`', 'Tagged templates are not part of conditions.'],
  [';', 'A condition is one expression, without ;.'],
]);

/** One token ahead, and the depth of what is being parsed. */
export class Tokens {
  protected readonly source: string;
  protected token: Token;
  /** Where the last token that was taken ends. */
  protected end = 0;
  protected depth = 0;

  constructor(source: string) {
    this.source = source;
    this.token = lex(source, 0);
  }

  protected advance(to = this.token.end): void {
    this.end = to;
    this.token = lex(this.source, to);
  }

  protected atEnd(): boolean {
    return this.token.kind === 'end';
  }

  protected is(text: string): boolean {
    return this.token.text === text && this.token.kind === 'mark';
  }

  protected take(text: string): boolean {
    if (!this.is(text)) return false;
    this.advance();
    return true;
  }

  protected expect(text: string): void {
    if (!this.take(text)) this.unexpected(text);
  }

  protected unexpected(wanted?: string): never {
    const { kind, text, start, end } = this.token;
    if (kind === 'end')
      return refuse(
        this.source,
        start,
        wanted ? `The condition ends where ${wanted} is missing.` : 'The condition ends too early.',
      );
    const hint =
      kind === 'mark'
        ? HINTS.get(/^(?:[-+*%&|^]|\*\*|&&|\|\||\?\?|<<|>>)=$/.test(text) ? '=' : text)
        : kind === 'word' && RESERVED.has(text)
          ? `${text} is not part of conditions.`
          : undefined;
    return refuse(
      this.source,
      start,
      hint ?? `${this.source.slice(start, end)} cannot stand here${wanted ? `; ${wanted} is missing` : ''}.`,
      end - start,
    );
  }

  protected deeper(): void {
    if (++this.depth > MAX_DEPTH) refuse(this.source, this.token.start, 'The condition is nested too deeply.');
  }

  protected place(start: number): Place {
    return { text: this.source.slice(start, this.end), column: start + 1 };
  }
}
