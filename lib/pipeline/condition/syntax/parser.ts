/** Parses a condition’s source to a syntax tree. */
import { MAX_SOURCE, count } from '../limits.ts';
import { MUTATORS } from '../methods.ts';
import { BINARY, isBinaryOperator, isUnaryOperator } from '../operators.ts';
import { NAME, SPACE, lex, lexRegExp, lexTemplate, refuse } from './lexer.ts';
import { TokenStream } from './token-stream.ts';
import type {
  Argument,
  Arrow,
  Call,
  Expression,
  Key,
  Literal,
  Member,
  MethodCall,
  ObjectLiteral,
  Property,
  SourceRange,
  Spread,
} from './tree.ts';
import { FORBIDDEN } from '../values.ts';

const CONSTANTS: ReadonlyMap<string, Literal['value']> = new Map<string, Literal['value']>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
  ['NaN', NaN],
  ['Infinity', Infinity],
]);
const ARROW = new RegExp(
  `(?:${NAME}|\\(${SPACE}(?:${NAME}${SPACE}(?:,${SPACE}${NAME}${SPACE})*(?:,${SPACE})?)?\\))${SPACE}=>`,
  'uy',
);
const MISPLACED_ARROW = 'Use an arrow function only as an argument, with plain parameter names.';

/** @throws ConditionError `INVALID_CONDITION` with the column */
export function parseCondition(source: string): Expression {
  if (source.length > MAX_SOURCE) {
    const limit = `A condition is limited to ${count(MAX_SOURCE)} characters. This one has ${count(source.length)}.`;
    refuse(source, MAX_SOURCE, limit);
  }
  return new Parser(source).whole();
}

type Link = Member | Call | MethodCall;

class Parser extends TokenStream {
  /** Parameters of the enclosing arrow functions, innermost last. */
  private readonly parameters: string[][] = [];

  whole(): Expression {
    if (this.atEnd()) this.refuse('The condition is empty.', 0);
    const tree = this.expression();
    if (!this.atEnd()) this.unexpected();
    return tree;
  }

  private since(start: number): SourceRange {
    return { start, end: this.end };
  }

  private expression(): Expression {
    const { start } = this.token;
    return this.nested(() => {
      this.deeper();
      const test = this.binary(0);
      if (!this.take('?')) return test;
      const consequent = this.expression();
      this.expect(':');
      const alternate = this.expression();
      return { kind: 'conditional', test, consequent, alternate, ...this.since(start) };
    });
  }

  private binary(lowest: number): Expression {
    const { start } = this.token;
    return this.nested(() => {
      this.deeper();
      let left = this.unary();
      let last = '';
      for (;;) {
        const { kind, text: operator } = this.token;
        if (kind === 'string' || !isBinaryOperator(operator)) return left;
        const [precedence] = BINARY[operator];
        if (precedence < lowest) return left;
        if (isMixed(operator, last) || isMixed(last, operator))
          this.refuse('Add parentheses where ?? is combined with || or &&.', this.token.start, 2);
        this.deeper();
        this.advance();
        // The right side of ?? consumes neither || nor &&, so that the check above finds them.
        const right = this.binary(operator === '??' ? 4 : operator === '**' ? precedence : precedence + 1);
        left = { kind: 'binary', operator, left, right, ...this.since(start) };
        last = operator;
      }
    });
  }

  private unary(): Expression {
    const { kind, text: operator, start } = this.token;
    if (kind === 'string' || !isUnaryOperator(operator)) return this.chain();
    return this.nested(() => {
      this.deeper();
      this.advance();
      const operand = this.unary();
      if (this.is('**')) this.refuse('Add parentheses around the left side of **.', this.token.start, 2);
      return { kind: 'unary', operator, operand, ...this.since(start) };
    });
  }

  /** Member access and calls. */
  private chain(): Expression {
    const { start } = this.token;
    return this.nested(() => {
      let expression = this.primary();
      let isOptional = false;
      for (let link = this.link(expression, start); link; link = this.link(expression, start)) {
        expression = link;
        isOptional ||= link.optional || (link.kind === 'methodCall' && link.optionalCall);
      }
      return isOptional ? { kind: 'chain', expression: expression as Link, ...this.since(start) } : expression;
    });
  }

  /** The next link of a chain, or null at the end. */
  private link(object: Expression, start: number): Link | null {
    const optional = this.take('?.');
    let key: Key | Expression | null = null;
    if (this.take('[')) {
      key = this.literalKey() ?? this.expression();
      this.expect(']');
    } else if (this.is('`')) this.unexpected();
    else if (!this.is('(')) {
      if (!optional && !this.take('.')) return null;
      key = this.memberName();
    }
    this.deeper();
    if (key === null) return { kind: 'call', callee: object, args: this.args(), optional, ...this.since(start) };
    const optionalCall = this.is('?.') && this.source[this.next().start] === '(';
    if (optionalCall) this.advance();
    if (!this.is('(')) return { kind: 'member', object, key, optional, ...this.since(start) };
    this.refuseMutator(key);
    return { kind: 'methodCall', object, key, args: this.args(), optional, optionalCall, ...this.since(start) };
  }

  private refuseMutator(key: Key | Expression): void {
    const alternative = typeof key === 'string' ? MUTATORS.get(key) : undefined;
    if (typeof key !== 'string' || !alternative) return;
    const message = `${key} changes the array, which conditions can’t do. Use ${alternative}.`;
    this.refuse(message, this.end - key.length, key.length);
  }

  /** The number or string between brackets, if they contain nothing else. */
  private literalKey(): Key | null {
    const { kind, text } = this.token;
    if ((kind !== 'number' && kind !== 'string') || this.next().text !== ']') return null;
    this.refuseForbidden();
    this.advance();
    return kind === 'number' ? toNumber(text) : text;
  }

  private memberName(): string {
    const { kind, text } = this.token;
    if (kind !== 'name') this.unexpected('a name');
    this.refuseForbidden();
    this.advance();
    return text;
  }

  private refuseForbidden(): void {
    const { text, start, end } = this.token;
    if (FORBIDDEN.has(text)) this.refuse(`Conditions can’t use the name ${text}.`, start, end - start);
  }

  private primary(): Expression {
    const { kind, text, start } = this.token;
    if (kind === 'name') return this.name();
    if (kind === 'number' || kind === 'string') {
      this.advance();
      return { kind: 'literal', value: kind === 'number' ? toNumber(text) : text, ...this.since(start) };
    }
    if (this.is('`')) return this.template(start);
    if (this.is('/')) return this.regexp(start);
    if (this.take('(')) {
      if (this.is(')')) this.unexpected();
      const inner = this.expression();
      this.expect(')');
      return { ...inner, ...this.since(start) };
    }
    if (this.take('[')) return { kind: 'array', items: this.items(), ...this.since(start) };
    return this.take('{') ? this.object(start) : this.unexpected();
  }

  private name(): Expression {
    const { text, start } = this.token;
    if (this.isReserved()) this.unexpected();
    const next = this.next();
    if (next.text === '=>' && next.kind === 'punctuator') this.refuse(MISPLACED_ARROW, start, text.length);
    this.advance();
    if (CONSTANTS.has(text)) return { kind: 'literal', value: CONSTANTS.get(text), ...this.since(start) };
    for (let depth = 0; depth < this.parameters.length; depth++) {
      const index = this.parameters.at(-1 - depth)?.indexOf(text) ?? -1;
      if (index >= 0) return { kind: 'parameter', name: text, depth, index, ...this.since(start) };
    }
    return { kind: 'name', name: text, ...this.since(start) };
  }

  private template(start: number): Expression {
    const strings: string[] = [];
    const values: Expression[] = [];
    for (let at = start + 1; ; at = this.token.end) {
      const piece = lexTemplate(this.source, at);
      strings.push(piece.text);
      this.advance(piece.end);
      if (piece.last) return { kind: 'template', strings, values, ...this.since(start) };
      values.push(this.expression());
      if (!this.is('}')) this.unexpected('}');
    }
  }

  private regexp(start: number): Expression {
    const { body: pattern, flags, end } = lexRegExp(this.source, start);
    try {
      void new RegExp(pattern, flags);
    } catch {
      this.refuse('This regular expression isn’t valid.', start, end - start);
    }
    this.advance(end);
    return { kind: 'regexp', pattern, flags, ...this.since(start) };
  }

  private args(): Argument[] {
    this.advance();
    const args: Argument[] = [];
    while (!this.take(')')) {
      args.push(this.is('...') ? this.spread() : this.arrowAhead() ? this.argumentArrow() : this.expression());
      if (!this.is(')')) this.expect(',');
    }
    return args;
  }

  private items(): (Expression | Spread)[] {
    const items: (Expression | Spread)[] = [];
    while (!this.take(']')) {
      if (this.is(',')) this.refuse('Expected an item before the comma.');
      items.push(this.is('...') ? this.spread() : this.expression());
      if (!this.is(']')) this.expect(',');
    }
    return items;
  }

  private spread(): Spread {
    const { start } = this.token;
    this.advance();
    return { kind: 'spread', value: this.expression(), ...this.since(start) };
  }

  /** Whether an arrow function is ahead, also one in parentheses. */
  private arrowAhead(): boolean {
    let { token } = this;
    for (;;) {
      ARROW.lastIndex = token.start;
      if (ARROW.test(this.source)) return true;
      if (token.kind !== 'punctuator' || token.text !== '(') return false;
      token = lex(this.source, token.end);
    }
  }

  private argumentArrow(): Arrow {
    const { start } = this.token;
    ARROW.lastIndex = start;
    if (ARROW.test(this.source)) return this.arrow();
    return this.nested(() => {
      this.deeper();
      this.expect('(');
      const arrow = this.argumentArrow();
      this.expect(')');
      if (!this.is(')') && !this.is(',') && !this.atEnd()) this.refuse(MISPLACED_ARROW, start, this.end - start);
      return { ...arrow, ...this.since(start) };
    });
  }

  private arrow(): Arrow {
    const { start } = this.token;
    const parameters: string[] = [];
    const isSingle = !this.take('(');
    while (!this.take(isSingle ? '=>' : ')')) {
      const { text } = this.token;
      if (this.isReserved() || CONSTANTS.has(text) || parameters.includes(text))
        this.refuse(`A parameter can’t be named ${text} here.`, this.token.start, text.length);
      parameters.push(text);
      this.advance();
      this.take(',');
    }
    if (!isSingle) this.expect('=>');
    if (this.is('{')) this.refuse('The body of an arrow function must be an expression. Put an object in parentheses.');
    this.parameters.push(parameters);
    const body = this.expression();
    this.parameters.pop();
    return { kind: 'arrow', parameters, body, ...this.since(start) };
  }

  private object(start: number): ObjectLiteral {
    const properties: (Property | Spread)[] = [];
    while (!this.take('}')) {
      properties.push(this.is('...') ? this.spread() : this.property());
      if (!this.is('}')) this.expect(',');
    }
    return { kind: 'object', properties, ...this.since(start) };
  }

  private property(): Property {
    const { kind, text, start } = this.token;
    let key: string | Expression;
    if (this.take('[')) {
      key = this.expression();
      this.expect(']');
    } else {
      if (kind !== 'name' && kind !== 'string' && kind !== 'number') this.unexpected();
      key = kind === 'number' ? String(toNumber(text)) : text;
      this.refuseForbidden();
      const next = this.next();
      if (kind === 'name' && next.kind === 'punctuator' && (next.text === ',' || next.text === '}'))
        return { kind: 'property', key, value: this.name(), ...this.since(start) };
      this.advance();
    }
    this.expect(':');
    return { kind: 'property', key, value: this.expression(), ...this.since(start) };
  }
}

function isMixed(operator: string, other: string): boolean {
  return operator === '??' && (other === '||' || other === '&&');
}

function toNumber(text: string): number {
  return Number(text.replaceAll('_', ''));
}
