/** Reads a condition’s tokens, and refuses unexpected ones with their column. */
import { MAX_DEPTH } from '../limits.ts';
import { type Token, lex, refuse } from './lexer.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
export const RESERVED = words(
  'break case catch class const continue debugger default delete do else enum export extends finally for function if ' +
    'import instanceof new return super switch this throw try var while with eval in typeof void',
);
/** Names in JavaScript that isn’t strict, unless another name follows. */
const KEYWORDS = words('await let static yield');
const ASSIGNMENT = /^(?:[-+*%&|^]|\*\*|&&|\|\||\?\?|<<|>>)?=$/;
const EXPLANATIONS: ReadonlyMap<string, string> = new Map([
  ['=>', 'Use an arrow function only as an argument, with plain parameter names.'],
  ['++', 'Conditions can’t change a value.'],
  ['--', 'Conditions can’t change a value.'],
  ['&', 'Conditions don’t support bitwise operators. Use && for “and”.'],
  ['|', 'Conditions don’t support bitwise operators. Use || for “or”.'],
  ['`', 'Conditions don’t support tagged templates.'],
  [';', 'A condition is a single expression, without a semicolon.'],
]);

function explain({ kind, text }: Token): string | undefined {
  if (kind === 'name')
    return RESERVED.has(text) || KEYWORDS.has(text) ? `Conditions don’t support ${text}.` : undefined;
  if (kind !== 'punctuator') return undefined;
  return ASSIGNMENT.test(text) ? 'Conditions can’t assign values. Compare with == or ===.' : EXPLANATIONS.get(text);
}

/** Reads tokens with a lookahead of one, and tracks the parser’s nesting depth. */
export class TokenStream {
  protected readonly source: string;
  protected token: Token;
  /** The end offset of the last consumed token. */
  protected end = 0;
  private depth = 0;

  constructor(source: string) {
    this.source = source;
    this.token = lex(source, 0);
  }

  protected advance(to = this.token.end): void {
    this.end = to;
    this.token = lex(this.source, to);
  }

  protected next(): Token {
    return lex(this.source, this.token.end);
  }

  /** Whether the current token is a word that can’t be a name here, such as `this`, or `await` in `await x`. */
  protected isReserved(): boolean {
    const { text } = this.token;
    if (!KEYWORDS.has(text)) return RESERVED.has(text);
    const next = this.next();
    return next.kind === 'name' && next.text !== 'in' && next.text !== 'instanceof';
  }

  protected atEnd(): boolean {
    return this.token.kind === 'end';
  }

  protected is(text: string): boolean {
    return this.token.text === text && this.token.kind === 'punctuator';
  }

  protected take(text: string): boolean {
    if (!this.is(text)) return false;
    this.advance();
    return true;
  }

  protected expect(text: string): void {
    if (!this.take(text)) this.unexpected(text);
  }

  protected unexpected(expected?: string): never {
    const { kind, start, end } = this.token;
    const found = this.source.slice(start, end);
    if (kind === 'end')
      this.refuse(expected ? `Expected ${expected} at the end of the condition.` : 'The condition is incomplete.');
    const plain = expected ? `Expected ${expected}, found ${found}.` : `Unexpected ${found}.`;
    return refuse(this.source, start, explain(this.token) ?? plain, end - start);
  }

  /** Refuses the current token, or the source starting at `start`. */
  protected refuse(message: string, start = this.token.start, length = 1): never {
    return refuse(this.source, start, message, length);
  }

  /** Restores the depth after `parse`, which calls `deeper` for each nesting level and each link of a chain. */
  protected nested<T>(parse: () => T): T {
    const { depth } = this;
    const result = parse();
    this.depth = depth;
    return result;
  }

  protected deeper(): void {
    if (++this.depth > MAX_DEPTH) this.refuse(`Nesting is limited to ${MAX_DEPTH} levels. This condition has more.`);
  }
}
