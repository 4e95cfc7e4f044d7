/** Owns the grammar of the condition language: source text to one closure. */
import { GLOBALS } from './globals.ts';
import { MAX_SOURCE } from './limits.ts';
import { MUTATORS } from './methods.ts';
import { BINARY, UNARY } from './operators.ts';
import { NAME, lex, lexRegExp, lexTemplate, refuse } from './lexer.ts';
import type { Evaluate } from './closure.ts';
import {
  type Item,
  array,
  arrow,
  constant,
  endChain,
  member,
  methodCall,
  name,
  object,
  parameter,
  plainCall,
  template,
} from './evaluate.ts';
import { HINTS, RESERVED, Tokens } from './tokens.ts';
import { FORBIDDEN } from './values.ts';

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
  ['NaN', NaN],
  ['Infinity', Infinity],
]);
const ARROW = new RegExp(`(?:${NAME}|\\(\\s*(?:${NAME}\\s*(?:,\\s*${NAME}\\s*)*(?:,\\s*)?)?\\))\\s*=>`, 'uy');
/** `(a+)+` and its like take time that doubles with each character. */
const ENDLESS = /\((?:\?:)?(?:\\.|\[(?:[^\]\\]|\\.)*\]|[^\\()[\]])[+*]\)[+*{]/u;
/** @throws ConditionError `INVALID_CONDITION` with the column */
export function parse(source: string): Evaluate {
  if (source.length > MAX_SOURCE) refuse(source, MAX_SOURCE, `A condition has at most ${MAX_SOURCE} characters.`);
  return new Parser(source).whole();
}

class Parser extends Tokens {
  /** Parameters of the arrow functions around, innermost last. */
  private readonly parameters: string[][] = [];

  whole(): Evaluate {
    if (this.atEnd()) refuse(this.source, 0, 'The condition is empty.');
    const value = this.expression();
    if (!this.atEnd()) this.unexpected();
    return value;
  }

  private expression(): Evaluate {
    const depth = this.depth;
    this.deeper();
    const test = this.binary(0);
    if (!this.take('?')) {
      this.depth = depth;
      return test;
    }
    const yes = this.expression();
    this.expect(':');
    const no = this.expression();
    this.depth = depth;
    return (context, scope) => (test(context, scope) ? yes(context, scope) : no(context, scope));
  }

  private binary(lowest: number): Evaluate {
    const depth = this.depth;
    this.deeper();
    let left = this.unary();
    let last = '';
    for (;;) {
      const sign = this.token.kind === 'string' ? '' : this.token.text;
      const [rank, make] = BINARY.get(sign) ?? [];
      if (rank === undefined || !make || rank < lowest) break;
      if ((sign === '??' && (last === '||' || last === '&&')) || (last === '??' && (sign === '||' || sign === '&&'))) {
        refuse(this.source, this.token.start, 'Put parentheses where ?? meets || or &&.', 2);
      }
      this.deeper();
      this.advance();
      // What stands right of ?? takes neither || nor &&, so that the check above sees them.
      left = make(left, this.binary(sign === '??' ? 4 : sign === '**' ? rank : rank + 1));
      last = sign;
    }
    this.depth = depth;
    return left;
  }

  private unary(): Evaluate {
    const make = this.token.kind === 'string' ? undefined : UNARY.get(this.token.text);
    if (!make) return this.chain();
    const depth = this.depth;
    this.deeper();
    this.advance();
    const operand = this.unary();
    if (this.is('**')) refuse(this.source, this.token.start, 'Put parentheses around the left side of **.', 2);
    this.depth = depth;
    return make(operand);
  }

  /** Member access and calls. */
  private chain(): Evaluate {
    const depth = this.depth;
    const start = this.token.start;
    let value = this.primary();
    let chained = false;
    for (;;) {
      const place = this.place(start);
      const optional = this.take('?.');
      let key: string | number | Evaluate | undefined;
      if (this.take('[')) {
        key = this.literalKey() ?? this.expression();
        this.expect(']');
      } else if (this.is('(')) key = undefined;
      else if (optional || this.take('.')) key = this.memberName();
      else if (this.is('`')) this.unexpected();
      else break;
      this.deeper();
      if (key === undefined) value = plainCall(value, this.args(), optional, chained, place, this.place(start));
      else {
        const calledOptionally = this.is('?.') && this.source[lex(this.source, this.token.end).start] === '(';
        if (calledOptionally) this.advance();
        if (this.is('(')) {
          const hint = typeof key === 'string' ? MUTATORS.get(key) : undefined;
          if (hint)
            refuse(
              this.source,
              this.end - String(key).length,
              `${String(key)} changes the list, which a condition cannot do; use ${hint}.`,
              String(key).length,
            );
          value = methodCall(
            value,
            key,
            this.args(),
            { member: optional, call: calledOptionally, chained },
            place,
            this.place(start),
          );
        } else value = member(value, key, optional, chained, place);
        chained ||= calledOptionally;
      }
      chained ||= optional;
    }
    this.depth = depth;
    return chained ? endChain(value) : value;
  }

  /** The number or text between brackets, when nothing else is there. */
  private literalKey(): string | number | undefined {
    const { kind, text, start, end } = this.token;
    if ((kind !== 'number' && kind !== 'string') || lex(this.source, end).text !== ']') return undefined;
    if (FORBIDDEN.has(text)) refuse(this.source, start, `A condition cannot use the name ${text}.`, end - start);
    this.advance();
    return kind === 'number' ? Number(text.replaceAll('_', '')) : text;
  }

  private memberName(): string {
    const { kind, text, start } = this.token;
    if (kind !== 'word') this.unexpected('a name');
    if (FORBIDDEN.has(text)) refuse(this.source, start, `A condition cannot use the name ${text}.`, text.length);
    this.advance();
    return text;
  }

  private primary(): Evaluate {
    const { kind, text, start } = this.token;
    if (kind === 'word') return this.word(text);
    if (kind === 'number' || kind === 'string') {
      this.advance();
      return constant(kind === 'number' ? Number(text.replaceAll('_', '')) : text);
    }
    if (text === '`' && kind === 'mark') return this.template(start + 1);
    if (this.is('/')) return this.regexp(start);
    if (this.take('(')) {
      if (this.is(')')) this.unexpected();
      const value = this.expression();
      this.expect(')');
      return value;
    }
    if (this.take('[')) {
      const items = this.items(']', false);
      return array(items);
    }
    return this.take('{') ? this.object() : this.unexpected();
  }

  private word(text: string): Evaluate {
    if (RESERVED.has(text)) this.unexpected();
    const next = lex(this.source, this.token.end);
    if (next.text === '=>' && next.kind === 'mark')
      refuse(this.source, this.token.start, HINTS.get('=>') ?? '', text.length);
    this.advance();
    if (CONSTANTS.has(text)) return constant(CONSTANTS.get(text));
    for (let depth = 0; depth < this.parameters.length; depth++) {
      const index = this.parameters.at(-1 - depth)?.indexOf(text) ?? -1;
      if (index >= 0) return parameter(depth, index);
    }
    return FORBIDDEN.has(text) ? constant(undefined) : name(text, GLOBALS.get(text));
  }

  private template(start: number): Evaluate {
    const texts: string[] = [];
    const values: Evaluate[] = [];
    for (let at = start; ; at = this.token.end) {
      const piece = lexTemplate(this.source, at);
      texts.push(piece.text);
      if (piece.last) {
        this.advance(piece.end);
        return template(texts, values);
      }
      this.advance(piece.end);
      values.push(this.expression());
      if (!this.is('}')) this.unexpected('}');
    }
  }

  private regexp(start: number): Evaluate {
    const { body, flags, end } = lexRegExp(this.source, start);
    if (ENDLESS.test(body))
      refuse(
        this.source,
        start,
        'A repeated group of one repeated character may never end; repeat it once.',
        end - start,
      );
    try {
      void new RegExp(body, flags);
    } catch {
      refuse(this.source, start, 'That is not a regular expression.', end - start);
    }
    this.advance(end);
    return () => new RegExp(body, flags);
  }

  private args(): Item[] {
    this.advance();
    return this.items(')', true);
  }

  /** A list up to `close`, which is taken; arrow functions stand in arguments alone. */
  private items(close: string, isArguments: boolean): Item[] {
    const items: Item[] = [];
    while (!this.take(close)) {
      if (this.is(',') && !isArguments) refuse(this.source, this.token.start, 'An item is missing before the comma.');
      const spread = this.take('...');
      items.push({ spread, value: isArguments && !spread && this.arrowAhead() ? this.arrow() : this.expression() });
      if (!this.is(close)) this.expect(',');
    }
    return items;
  }

  private arrowAhead(): boolean {
    ARROW.lastIndex = this.token.start;
    return ARROW.test(this.source);
  }

  private arrow(): Evaluate {
    const parameters: string[] = [];
    const single = !this.take('(');
    while (!this.take(single ? '=>' : ')')) {
      const { text } = this.token;
      if (RESERVED.has(text) || CONSTANTS.has(text) || parameters.includes(text))
        refuse(this.source, this.token.start, `${text} cannot name a parameter here.`, text.length);
      parameters.push(text);
      this.advance();
      this.take(',');
    }
    if (!single) this.expect('=>');
    if (this.is('{'))
      refuse(
        this.source,
        this.token.start,
        'An arrow function has an expression, not a body in braces; put parentheses around an object.',
      );
    this.parameters.push(parameters);
    const body = this.expression();
    this.parameters.pop();
    return arrow(body);
  }

  private object(): Evaluate {
    const properties: { key: Evaluate | null; value: Evaluate }[] = [];
    while (!this.take('}')) {
      properties.push(this.property());
      if (!this.is('}')) this.expect(',');
    }
    return object(properties);
  }

  private property(): { key: Evaluate | null; value: Evaluate } {
    if (this.take('...')) return { key: null, value: this.expression() };
    const { kind, text, start } = this.token;
    if (this.take('[')) {
      const key = this.expression();
      this.expect(']');
      this.expect(':');
      return { key, value: this.expression() };
    }
    if (kind !== 'word' && kind !== 'string' && kind !== 'number') this.unexpected();
    const key = kind === 'number' ? String(Number(text.replaceAll('_', ''))) : text;
    if (FORBIDDEN.has(key)) refuse(this.source, start, `A condition cannot use the name ${key}.`, text.length);
    const next = lex(this.source, this.token.end);
    if (kind === 'word' && next.kind === 'mark' && (next.text === ',' || next.text === '}'))
      return { key: () => key, value: this.word(text) };
    this.advance();
    this.expect(':');
    return { key: () => key, value: this.expression() };
  }
}
