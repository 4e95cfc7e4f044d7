/** Compiles a condition’s syntax tree to a closure. */
import { endChain, type Link, member, methodCall, plainCall } from './chains.ts';
import {
  array,
  arrow,
  conditional,
  constant,
  type Evaluate,
  type Item,
  nameOr,
  object,
  parameter,
  template,
} from './evaluate.ts';
import type { SourceLocation } from './failures.ts';
import { GLOBALS } from './globals.ts';
import { readPath } from './members.ts';
import { BINARY, UNARY } from './operators.ts';
import { literal } from './patterns/bounded.ts';
import type { Argument, Call, Expression, Key, Member, MethodCall, Name, ObjectLiteral } from './syntax/tree.ts';
import { FORBIDDEN } from './values.ts';

/** Returns the closure to use in place of a node’s own. */
export type WrapNode = (node: Expression, evaluate: Evaluate) => Evaluate;

/**
 * @param source the source that was parsed to the tree; errors quote it
 * @param wrap applied to each expression, and to each link of a chain
 */
export function compileTree(tree: Expression, source: string, wrap?: WrapNode): Evaluate {
  return new Compiler(source, wrap).expression(tree);
}

const theContext: Evaluate = (context) => context;

class Compiler {
  private readonly source: string;
  private readonly wrap: WrapNode | undefined;

  constructor(source: string, wrap?: WrapNode) {
    this.source = source;
    this.wrap = wrap;
  }

  expression(node: Expression): Evaluate {
    const evaluate = this.closure(node);
    return this.wrap ? this.wrap(node, evaluate) : evaluate;
  }

  private closure(node: Expression): Evaluate {
    switch (node.kind) {
      case 'literal':
        return constant(node.value);
      case 'regexp':
        return literal(node.pattern, node.flags);
      case 'template':
        return template(node.strings, this.all(node.values));
      case 'name':
        return this.name(node);
      case 'parameter':
        return parameter(node.depth, node.index);
      case 'member':
        return this.member(node);
      case 'call':
        return plainCall(this.link(node, node.callee), this.items(node.args), this.location(node));
      case 'methodCall':
        return this.methodCall(node);
      case 'chain':
        return endChain(this.expression(node.expression));
      case 'unary':
        return UNARY[node.operator](this.expression(node.operand));
      case 'binary':
        return BINARY[node.operator][1](this.expression(node.left), this.expression(node.right));
      case 'conditional':
        return conditional(
          this.expression(node.test),
          this.expression(node.consequent),
          this.expression(node.alternate),
        );
      case 'array':
        return array(this.items(node.items));
      case 'object':
        return this.object(node);
    }
  }

  private all(nodes: readonly Expression[]): Evaluate[] {
    return nodes.map((node) => this.expression(node));
  }

  private name(node: Name): Evaluate {
    const { name } = node;
    if (isContextName(name)) return readPath(theContext, [name], [this.location(node)]);
    if (FORBIDDEN.has(name)) return constant(undefined);
    return nameOr(name, name === 'context' ? theContext : constant(GLOBALS.get(name)));
  }

  /** A chain of plain members becomes one closure, unless each of them is wrapped. */
  private member(node: Member): Evaluate {
    if (this.wrap || !isPlain(node)) return member(this.link(node, node.object), this.key(node.key));
    const keys: Key[] = [];
    const locations: SourceLocation[] = [];
    let base: Expression = node;
    for (; isPlain(base); base = base.object) {
      keys.unshift(base.key);
      locations.unshift(this.location(base.object));
    }
    if (base.kind !== 'name' || !isContextName(base.name)) return readPath(this.expression(base), keys, locations);
    return readPath(theContext, [base.name, ...keys], [this.location(base), ...locations]);
  }

  private methodCall(node: MethodCall): Evaluate {
    const link = this.link(node, node.object);
    return methodCall(link, this.key(node.key), this.items(node.args), node.optionalCall, this.location(node));
  }

  private link({ optional }: Member | Call | MethodCall, previous: Expression): Link {
    const chained = mayFindNothing(previous);
    return { object: this.expression(previous), optional, chained, location: this.location(previous) };
  }

  private key(key: Key | Expression): Key | Evaluate {
    return typeof key === 'object' ? this.expression(key) : key;
  }

  private items(nodes: readonly Argument[]): Item[] {
    return nodes.map((node) => {
      if (node.kind === 'spread') return { value: this.expression(node.value), spread: true };
      return {
        value: node.kind === 'arrow' ? arrow(this.expression(node.body)) : this.expression(node),
        spread: false,
      };
    });
  }

  private object({ properties }: ObjectLiteral): Evaluate {
    return object(
      properties.map((property) => {
        const value = this.expression(property.value);
        if (property.kind === 'spread') return { key: null, value };
        const { key } = property;
        return { key: typeof key === 'string' ? constant(key) : this.expression(key), value };
      }),
    );
  }

  private location({ start, end }: Expression): SourceLocation {
    return { text: this.source.slice(start, end), column: start + 1 };
  }
}

/** Whether a name can only refer to a property of the context. */
function isContextName(name: string): boolean {
  return name !== 'context' && !FORBIDDEN.has(name) && !GLOBALS.has(name);
}

type PlainMember = Member & { key: Key; optional: false };

/** Whether a member has a constant key, and no earlier link is optional. */
function isPlain(node: Expression): node is PlainMember {
  return node.kind === 'member' && typeof node.key !== 'object' && !node.optional && !mayFindNothing(node.object);
}

/** Whether an earlier link of the chain is optional. */
function mayFindNothing(node: Expression): boolean {
  if (node.kind === 'member') return node.optional || mayFindNothing(node.object);
  if (node.kind === 'call') return node.optional || mayFindNothing(node.callee);
  return node.kind === 'methodCall' && (node.optional || node.optionalCall || mayFindNothing(node.object));
}
