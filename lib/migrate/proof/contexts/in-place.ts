/** Finds whether code can change objects in place, other than `data` itself. */
import { type AnyNode, type Node, parse } from 'acorn';

/** Methods that change an object, or that can call one which does. */
const CHANGING =
  /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|assign|define[A-Z]\w*|deleteProperty|set(?:[A-Z]\w*)?|__\w+__|call|apply|bind|constructor|fromAsync)$/;
/** Names that other code can be reached with. */
const OPAQUE: ReadonlySet<string> = new Set(['eval', 'Function', 'Reflect', 'Proxy', 'functionPackages', 'arguments']);
/** Their methods are known as long as they’re called by name. */
const HOLDERS: ReadonlySet<string> = new Set(['Object', 'globalThis', 'Array', 'Date', 'Promise']);

/** @param code instrumented. The packages in it don’t run */
export function changesInPlace(code: string): boolean {
  try {
    return new Search().changes(parse(code, { ecmaVersion: 'latest', sourceType: 'script' }), NOWHERE);
  } catch {
    return true;
  }
}

interface Place {
  parent: AnyNode | null;
  /** The innermost function, if it has a `data` of its own, or is the helper that calls a method by its name. */
  owner: string | null;
}
const NOWHERE: Place = { parent: null, owner: null };

class Search {
  /** How many variables are called `data`. */
  #declared = 0;

  changes(node: AnyNode, place: Place): boolean {
    if (node.type === 'FunctionDeclaration' && node.id?.name === 'functionPackages') return false;
    if (node.type === 'VariableDeclarator' && isData(node.id)) this.#declared++;
    if (this.#declared > 1 || bindsData(node) || isChange(node, place)) return true;
    const owner = ownerOf(node) ?? place.owner;
    return partsOf(node).some((part) => this.changes(part, { parent: node, owner }));
  }
}

const isData = (node: Node | null | undefined): boolean =>
  node?.type === 'Identifier' && (node as AnyNode & { name?: string }).name === 'data';

/** Whether it gives the name `data` to something else, other than the parameter of a function. */
function bindsData(node: AnyNode): boolean {
  switch (node.type) {
    case 'ObjectPattern':
      return node.properties.some((part) => part.type === 'Property' && isData(part.value));
    case 'ArrayPattern':
      return node.elements.some(isData);
    case 'AssignmentPattern':
      return isData(node.left);
    case 'RestElement':
      return isData(node.argument);
    case 'CatchClause':
      return isData(node.param);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
      return isData(node.id);
    default:
      return false;
  }
}

function isChange(node: AnyNode, place: Place): boolean {
  switch (node.type) {
    case 'AssignmentExpression':
      return !isVariable(node.left, place);
    case 'UpdateExpression':
      return !isVariable(node.argument, place);
    case 'UnaryExpression':
      return node.operator === 'delete' && !isVariable(node.argument, place);
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type !== 'VariableDeclaration';
    case 'WithStatement':
    case 'ImportExpression':
      return true;
    case 'CallExpression':
      return isChangingCall(node, place);
    case 'MemberExpression':
      return isChangingMember(node);
    case 'ObjectPattern':
      return node.properties.some((part) => part.type === 'Property' && isChangingName(part.key, part.computed));
    case 'Identifier':
      return OPAQUE.has(node.name) || (HOLDERS.has(node.name) && !isHolder(node, place.parent));
    default:
      return false;
  }
}

/** A variable, or a property of `data`, which is compared in any case. */
function isVariable(target: Node, { owner }: Place): boolean {
  const { type, object } = target as AnyNode & { object?: AnyNode };
  if (type === 'Identifier') return true;
  const isRoot = type === 'MemberExpression' && isData(object);
  return isRoot && (owner === null || owner === 'keepLoopNames');
}

function isChangingCall(node: AnyNode & { type: 'CallExpression' }, { owner }: Place): boolean {
  const { callee, arguments: given } = node;
  if (callee.type === 'MemberExpression' && callee.computed) return owner !== 'call';
  if (callee.type !== 'Identifier') return false;
  const [first, second] = given;
  if (callee.name === 'keepLoopNames') return !isData(first);
  if (callee.name !== 'call') return false;
  return second?.type !== 'Literal' || isChangingName(second, true);
}

function isChangingName(key: AnyNode | Node, isComputed: boolean): boolean {
  const { type, name, value } = key as AnyNode & { name?: unknown; value?: unknown };
  if (isComputed && type !== 'Literal') return false;
  const text = String(isComputed ? value : (name ?? value));
  return CHANGING.test(text) || OPAQUE.has(text) || HOLDERS.has(text);
}

/** `Object.prototype.toString.call` only reads. */
const isChangingMember = (node: AnyNode & { type: 'MemberExpression' }): boolean =>
  isChangingName(node.property, node.computed) && pathOf(node) !== 'Object.prototype.toString.call';

/** Such as `Object.keys`. Empty for anything else than names joined by dots. */
function pathOf(node: AnyNode): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed) return '';
  const [object, name] = [pathOf(node.object as AnyNode), pathOf(node.property as AnyNode)];
  return object && name && `${object}.${name}`;
}

/** `Object.keys`, for example, or `new Date`. */
function isHolder(node: AnyNode, parent: AnyNode | null): boolean {
  if (parent?.type === 'NewExpression') return parent.callee === node;
  if (parent?.type === 'BinaryExpression') return parent.operator === 'instanceof';
  return parent?.type === 'MemberExpression' && parent.object === node && !parent.computed;
}

/** The name of a function that has a `data` of its own, or that’s one of the helpers. Empty if it has no name. */
function ownerOf(node: AnyNode): string | null {
  const isFunction = /Function/.test(node.type) && 'params' in node;
  if (!isFunction) return null;
  const { params, id } = node as AnyNode & { params: AnyNode[]; id?: { name: string } | null };
  const name = id?.name ?? '';
  return params.some(isData) || name === 'call' ? name : null;
}

function partsOf(node: AnyNode): AnyNode[] {
  return Object.values(node)
    .flat()
    .filter(
      (part): part is AnyNode =>
        typeof part === 'object' && part !== null && typeof (part as { type?: unknown }).type === 'string',
    );
}
