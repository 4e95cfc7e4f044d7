/** Prints the syntax tree of a condition as JavaScript over `data`, with the meaning that it has in V2. */
import {
  type Argument,
  type Binary,
  BINARY,
  type Call,
  type Expression,
  GLOBALS,
  type Key,
  kindsWithMethod,
  type MethodCall,
  type Spread,
} from '../../pipeline/syntax.ts';
import {
  atLineStart,
  type Doc,
  bracketed,
  call,
  group,
  indent,
  line,
  operands,
  parenthesized,
  print,
  softLine,
} from './doc.ts';
import { isInherited, isInheritedByObjects } from './inherited.ts';
import { type Kind, kindOf } from './kinds.ts';
import { baseOf, COPYING, FORBIDDEN, isLink, isOptional, type Link, linksOf, needsHelper } from './links.ts';
import * as literals from './literals.ts';
import type { Scope } from './scope.ts';
import { string, templateLiteral } from './text.ts';
import { UntranslatableError } from './untranslatable.ts';

/** Precedence, as in BINARY, of what surrounds an expression. */
const [ANY, TEST, UNARY, POSTFIX] = [0, 0.5, 9, 10];

const OPTIONAL_CALL = 'A call with ?.( can reach functions in JavaScript that conditions can’t call.';

/** @throws UntranslatableError if JavaScript has no equivalent */
export function printExpression(node: Expression, scope: Scope): Doc {
  return new Printer(scope).expression(node, ANY);
}

class Printer {
  private readonly scope: Scope;
  /** New names of the parameters of the enclosing arrow functions, innermost last. */
  private readonly parameters: string[][] = [];

  constructor(scope: Scope) {
    this.scope = scope;
  }

  expression(node: Expression, around: number): Doc {
    if (isLink(node)) return group(this.link(node, isLongChain(node)));
    switch (node.kind) {
      case 'literal':
        return typeof node.value === 'string' ? string(node.value, around > ANY) : String(node.value);
      case 'regexp':
        return literals.regExp(node.pattern, node.flags);
      case 'template':
        return this.template(node.strings, node.values, around > ANY);
      case 'name':
        return this.name(node.name);
      case 'parameter':
        return this.parameters.at(-1 - node.depth)?.[node.index] as string;
      case 'chain':
        return parenthesized(this.chain(node.expression), around === POSTFIX);
      case 'unary':
        return this.unary(node.operator, node.operand, around);
      case 'binary':
        return this.binary(node, around);
      case 'conditional':
        return this.conditional(node, around);
      case 'array':
        return bracketed('[', this.items(node.items), ']');
      case 'object':
        return parenthesized(this.object(node.properties), around === POSTFIX);
    }
  }

  private kind(node: Argument): Kind {
    return kindOf(node, (name) => (this.parameters.flat().includes(name) ? 'unknown' : this.scope.kindOf(name)));
  }

  private name(name: string): Doc {
    if (FORBIDDEN.has(name)) return 'undefined';
    const local = this.scope.local(name);
    if (local !== null) return local;
    if (isPlainName(name)) return ['data', access(name)];
    return isGlobal(name) ? this.scope.global(name) : this.own('data', string(name));
  }

  private own(object: Doc, key: Doc): Doc {
    this.scope.use('own');
    return bracketed('own(', [object, key], ')');
  }

  private unary(operator: string, operand: Expression, around: number): Doc {
    // `- -1` and `+ +1` without a space would be another operator.
    const printed = this.expression(operand, UNARY);
    const isWord = /[a-z]$/.test(operator);
    const isDouble = operand.kind === 'unary' && operand.operator === operator && operator !== '!';
    return parenthesized([operator, isWord || isDouble ? ' ' : '', printed], around > UNARY);
  }

  private binary(node: Binary, around: number): Doc {
    const [precedence] = BINARY[node.operator];
    if (node.operator === 'in') return this.isIn(node, around);
    const parts: Doc[] = [];
    // A long sum would otherwise be nested as deeply as it has operands.
    let left: Expression = node;
    const operators: Doc[] = [];
    while (left.kind === 'binary' && left.operator !== 'in' && left.operator !== '**' && sameLevel(left, node)) {
      operators.unshift(left.operator);
      parts.unshift(this.operand(left.right, left.operator, precedence + 0.1));
      left = left.left;
    }
    if (node.operator === '**') {
      parts.push(this.operand(node.right, '**', precedence));
      operators.push('**');
      left = node.left;
    }
    const first = this.operand(left, node.operator, node.operator === '**' ? UNARY + 0.5 : precedence);
    const tail = parts.map((part, index): Doc => [' ', operators[index] as Doc, line, part]);
    return parenthesized(operands(first, tail), around > precedence);
  }

  /** `??` needs parentheses around `||` and `&&`, and is best read with them the other way round, too. */
  private operand(node: Expression, operator: string, around: number): Doc {
    // A text of several pieces is a part of the sum.
    if (operator === '+' && isText(node)) return atLineStart(this.expression(node, ANY));
    const isLogical = node.kind === 'binary' && /^(?:\|\||&&|\?\?)$/.test(node.operator);
    const isMixed =
      isLogical && (node.operator === '??') !== (operator === '??') && /^(?:\|\||&&|\?\?)$/.test(operator);
    return this.expression(node, isMixed ? UNARY : around);
  }

  /** `in` finds only own properties in V2. */
  private isIn(node: Binary, around: number): Doc {
    const { left, right } = node;
    const name = left.kind === 'literal' && typeof left.value === 'string' ? left.value : null;
    if (name !== null && !isInherited(name) && !FORBIDDEN.has(name)) {
      const [precedence] = BINARY.in;
      const parts: Doc = [this.expression(left, precedence), ' in ', this.expression(right, precedence + 0.1)];
      return parenthesized(group(parts), around > precedence);
    }
    this.scope.use('has');
    return bracketed('has(', [this.expression(left, ANY), this.expression(right, ANY)], ')');
  }

  private conditional(node: Expression & { kind: 'conditional' }, around: number): Doc {
    const doc = group(this.expression(node.test, TEST), [
      indent(line, '? ', this.expression(node.consequent, TEST - 0.1)),
      indent(line, ': ', this.expression(node.alternate, TEST - 0.1)),
    ]);
    return parenthesized(doc, around >= TEST);
  }

  private template(strings: readonly string[], values: readonly Expression[], isOperand: boolean): Doc {
    return templateLiteral(
      strings,
      values.map((value) => this.expression(value, ANY)),
      isOperand,
    );
  }

  private items(nodes: readonly (Argument | Spread)[]): Doc[] {
    return nodes.map((node) => {
      if (node.kind === 'spread') return ['...', this.expression(node.value, TEST)];
      return node.kind === 'arrow' ? this.arrow(node.parameters, node.body) : this.expression(node, ANY);
    });
  }

  private arrow(parameters: readonly string[], body: Expression): Doc {
    this.parameters.push(parameters.map((name) => this.scope.parameter(name)));
    const names = this.parameters.at(-1) as string[];
    const printed = this.expression(body, ANY);
    this.parameters.pop();
    // A brace would start a block of statements.
    const value = print(printed).startsWith('{') ? ['(', printed, ')'] : printed;
    return group('(', names.join(', '), ') =>', indent(line, value));
  }

  private object(properties: (Expression & { kind: 'object' })['properties']): Doc {
    const parts = properties.map((property): Doc => {
      if (property.kind === 'spread') return ['...', this.expression(property.value, TEST)];
      const { key, value } = property;
      if (typeof key === 'string') return literals.property(key, this.expression(value, ANY));
      if (this.kind(key) === 'number') return ['[', this.expression(key, ANY), ']: ', this.expression(value, ANY)];
      this.scope.use('keyName');
      return ['[keyName(', this.expression(key, ANY), ')]: ', this.expression(value, ANY)];
    });
    return bracketed('{', parts, '}', line);
  }

  /** A chain with an optional link. Helpers can’t be part of one, so the rest of the chain becomes a function. */
  private chain(last: Link): Doc {
    const links = linksOf(last);
    const first = links.findIndex(isOptional);
    const needsHelper = links.slice(first).some((link) => this.needsHelper(link));
    if (!needsHelper) return group(this.link(last, isLongChain(last)));
    return this.maybe(this.expression(baseOf(links[first] as Link), ANY), links.slice(first));
  }

  private maybe(value: Doc, links: readonly Link[]): Doc {
    const [first] = links;
    if (first?.kind === 'methodCall' && first.optionalCall) throw new UntranslatableError(OPTIONAL_CALL);
    this.scope.use('maybe');
    const found = this.scope.parameter('found');
    return bracketed('maybe(', [value, ['(', found, ') => ', this.rest(links, found)]], ')');
  }

  /** Links on what an optional link has found. The first is the optional link itself. */
  private rest(links: readonly Link[], base: string): Doc {
    let printed: Doc = base;
    for (const [index, link] of links.entries()) {
      if (index > 0 && isOptional(link)) return this.maybe(printed, links.slice(index));
      printed = this.linkOn(printed, { ...link, optional: false } as Link, false);
    }
    return group(printed);
  }

  /** @param isLong whether each call of the chain has a line of its own if not all fit on one */
  private link(node: Link, isLong: boolean): Doc {
    return this.linkOn(this.base(baseOf(node), isLong), node, isLong);
  }

  /** What a link follows: the previous link without a group of its own, so that a chain breaks at all of its calls. */
  private base(node: Expression, isLong: boolean): Doc {
    if (isLink(node)) return this.link(node, isLong);
    // `1.x` would be a number.
    const isNumber = node.kind === 'literal' && typeof node.value === 'number';
    return parenthesized(this.expression(node, POSTFIX), isNumber);
  }

  private linkOn(object: Doc, node: Link, isLong: boolean): Doc {
    if (node.kind === 'call') return this.call(object, node);
    if (node.kind === 'methodCall') return this.methodCall(object, node, isLong);
    const { key, optional } = node;
    if (this.needsHelper(node)) return this.own(object, this.key(key));
    const found = this.accessTo(key, optional);
    return [object, typeof key === 'string' ? group(indent(softLine, found)) : found];
  }

  private key(key: Key | Expression): Doc {
    if (typeof key === 'object') return this.expression(key, ANY);
    return typeof key === 'number' ? String(key) : string(key);
  }

  private accessTo(key: Key | Expression, optional: boolean): Doc {
    if (typeof key === 'object') return [optional ? '?.' : '', '[', this.expression(key, ANY), ']'];
    return access(key, optional);
  }

  private call(callee: Doc, { optional, args }: Call): Doc {
    return [callee, optional ? '?.' : '', call('', this.items(args))];
  }

  private methodCall(object: Doc, node: MethodCall, isLong: boolean): Doc {
    const { key, args, optional } = node;
    if (typeof key !== 'string')
      throw new UntranslatableError('A method whose name is computed can’t be checked in advance.');
    const needsHelper = this.needsHelper(node);
    if (node.optionalCall && needsHelper) throw new UntranslatableError(OPTIONAL_CALL);
    if (key === 'hasOwnProperty') return bracketed('Object.hasOwn(', [object, ...this.items(args.slice(0, 1))], ')');
    if (!needsHelper) {
      const name: Doc = [access(COPYING.get(key) ?? key, optional), node.optionalCall ? '?.' : ''];
      if (!isChained(node)) return [object, name, call('', this.items(args))];
      if (isLong) return [object, indent(softLine, name, call('', this.items(args)))];
      return [object, group(indent(softLine, name)), call('', this.items(args))];
    }
    this.scope.use('call');
    const kinds = kindsWithMethod(key).map((kind) => `'${kind}'`);
    const list = [object, string(COPYING.get(key) ?? key), `[${kinds.join(', ')}]`, ...this.items(args)];
    return bracketed('call(', list, ')');
  }

  private needsHelper(node: Link): boolean {
    return needsHelper(node, (part) => this.kind(part));
  }
}

const isGlobal = (name: string): boolean => name === 'context' || GLOBALS.has(name);

/** Whether a name of the context is a property of `data` like any other. */
export const isPlainName = (name: string): boolean =>
  !FORBIDDEN.has(name) && !isGlobal(name) && !isInheritedByObjects(name);

const isText = (node: Expression): boolean =>
  node.kind === 'template' || (node.kind === 'literal' && typeof node.value === 'string');

/** Whether a call can be on the line below its object. `Math.round` stays together. */
const isChained = (link: Link): boolean =>
  link.kind === 'methodCall' && !(link.object.kind === 'name' && GLOBALS.has(link.object.name));

const isLongChain = (last: Link): boolean => linksOf(last).filter(isChained).length > 1;

const sameLevel = (left: Binary, node: Binary): boolean =>
  BINARY[left.operator][0] === BINARY[node.operator][0] && (left.operator === '??') === (node.operator === '??');

/** Reads a member by a constant key. */
export function access(key: Key, optional = false): Doc {
  if (typeof key === 'number') return `${optional ? '?.' : ''}[${key}]`;
  if (literals.isMemberName(key)) return [optional ? '?.' : '.', key];
  return [optional ? '?.' : '', '[', string(key), ']'];
}
