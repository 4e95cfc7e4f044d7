/** Finds the names that a script uses, but defines nowhere. */
import type { Program } from 'acorn';
import { isRecord } from '../../shared/objects.ts';

/** Properties that define names, by kind of node. An assignment without a declaration defines a global. */
const DEFINING: Readonly<Record<string, readonly string[]>> = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  ClassDeclaration: ['id'],
  ClassExpression: ['id'],
  CatchClause: ['param'],
  AssignmentExpression: ['left'],
  ForInStatement: ['left'],
  ForOfStatement: ['left'],
};

/** Properties whose names aren’t variables, unless they are computed. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  MemberExpression: ['property'],
  Property: ['key'],
  MethodDefinition: ['key'],
  PropertyDefinition: ['key'],
  LabeledStatement: ['label'],
  BreakStatement: ['label'],
  ContinueStatement: ['label'],
  MetaProperty: ['meta', 'property'],
};

/** Without duplicates, in the order of their first use. Scopes make no difference. */
export function freeNames(program: Program): string[] {
  const names = new Names();
  names.use(program);
  return [...names.used].filter((name) => !names.defined.has(name));
}

class Names {
  readonly used = new Set<string>();
  readonly defined = new Set<string>();

  use(node: unknown): void {
    if (Array.isArray(node)) for (const each of node) this.use(each);
    // Such as the value of a literal.
    if (!isRecord(node) || typeof node.type !== 'string') return;
    if (node.type === 'Identifier') this.used.add(String(node.name));
    for (const [key, child] of Object.entries(node)) {
      if (DEFINING[node.type]?.includes(key)) this.define(child);
      else if (node.computed === true || !LABELS[node.type]?.includes(key)) this.use(child);
    }
  }

  /** @param node a pattern, or its parts */
  private define(node: unknown): void {
    if (Array.isArray(node)) for (const each of node) this.define(each);
    if (!isRecord(node)) return;
    if (node.type === 'Identifier') this.defined.add(String(node.name));
    else if (node.type === 'ObjectPattern') this.define(node.properties);
    else if (node.type === 'ArrayPattern') this.define(node.elements);
    else if (node.type === 'RestElement') this.define(node.argument);
    else if (node.type === 'Property') {
      if (node.computed === true) this.use(node.key);
      this.define(node.value);
    } else if (node.type === 'AssignmentPattern') {
      this.define(node.left);
      this.use(node.right);
    } else this.use(node);
  }
}
