/** Infers what kind of value an expression has, where that is certain. */
import type { Argument, Expression, Key, MethodCall, MethodKind } from '../../pipeline/syntax.ts';

export type Kind = MethodKind | 'object' | 'undefined' | 'null' | 'function' | 'unknown';
/** The kind of a name in the context, or of a parameter of an arrow function. */
export type KindOfName = (name: string) => Kind;

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '===', '!==', '<', '>', '<=', '>=', 'in']);
const STRINGS = 'charAt concat normalize padEnd padStart repeat replace replaceAll substr substring join toFixed';
const STRINGS_MORE =
  'toPrecision toExponential toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase trim trimStart';
const DATES = 'trimEnd toISOString toDateString toTimeString toUTCString toString toLocaleString';
const RESULTS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...`${STRINGS} ${STRINGS_MORE} ${DATES}`.split(' ').map((name): [string, Kind] => [name, 'string']),
  ...'every includes some startsWith endsWith test hasOwnProperty'
    .split(' ')
    .map((name): [string, Kind] => [name, 'boolean']),
  ...'charCodeAt findIndex findLastIndex indexOf lastIndexOf localeCompare search getTime'
    .split(' ')
    .map((name): [string, Kind] => [name, 'number']),
  ...'filter flat flatMap map reverse sort split toReversed toSorted toSpliced with'
    .split(' ')
    .map((name): [string, Kind] => [name, 'array']),
]);
const GLOBAL_RESULTS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['Number', 'number'],
  ['parseInt', 'number'],
  ['parseFloat', 'number'],
  ['String', 'string'],
  ['Boolean', 'boolean'],
  ['isNaN', 'boolean'],
  ['Array', 'array'],
  ['Date', 'string'],
]);

const JSON_KINDS: ReadonlySet<Kind> = new Set<Kind>(['string', 'number', 'boolean', 'array', 'object', 'null']);

const OF_SYNTAX: Partial<Record<Argument['kind'], Kind>> = {
  regexp: 'regexp',
  template: 'string',
  array: 'array',
  object: 'object',
};

export function kindOf(node: Argument, names: KindOfName): Kind {
  switch (node.kind) {
    case 'literal':
      return node.value === null ? 'null' : (typeof node.value as Kind);
    case 'name':
    case 'parameter':
      return names(node.name);
    case 'member':
      return kindOfMember(node.object, node.key, node.optional, names);
    case 'call':
      return kindOfCall(node.callee, node.optional);
    case 'methodCall':
      return isPrinted(node, names)
        ? 'string'
        : kindOfMethod(node.object, node.key, node.optional || node.optionalCall);
    case 'unary':
      return { '!': 'boolean', typeof: 'string', void: 'undefined', '-': 'number', '+': 'number' }[
        node.operator
      ] as Kind;
    case 'binary':
      return kindOfBinary(node.operator, kindOf(node.left, names), kindOf(node.right, names));
    case 'conditional':
      return same(kindOf(node.consequent, names), kindOf(node.alternate, names));
    default:
      return OF_SYNTAX[node.kind] ?? 'unknown';
  }
}

const same = (left: Kind, right: Kind): Kind => (left === right ? left : 'unknown');

function kindOfMember(object: Expression, key: Key | Expression, optional: boolean, names: KindOfName): Kind {
  if (key !== 'length' || optional) return 'unknown';
  const kind = kindOf(object, names);
  return kind === 'array' || kind === 'string' ? 'number' : 'unknown';
}

/** A global name can only be something else if the context has it, and then the call fails. */
function kindOfCall(callee: Expression, optional: boolean): Kind {
  return (callee.kind === 'name' && !optional && GLOBAL_RESULTS.get(callee.name)) || 'unknown';
}

/** Whether `JSON.stringify` gets a value that JSON has, so that it returns a string. */
function isPrinted({ object, key, args }: MethodCall, names: KindOfName): boolean {
  const [value] = args;
  if (object.kind !== 'name' || object.name !== 'JSON' || key !== 'stringify' || args.length > 1) return false;
  return value !== undefined && value.kind !== 'spread' && JSON_KINDS.has(kindOf(value, names));
}

function kindOfMethod(object: Expression, key: Key | Expression, optional: boolean): Kind {
  if (optional || typeof key !== 'string') return 'unknown';
  if (object.kind === 'name' && object.name === 'Math') return 'number';
  if (object.kind === 'name' && object.name === 'Object') return 'array';
  if (object.kind === 'name') {
    if (object.name === 'Date' || object.name === 'Number') return key.startsWith('is') ? 'boolean' : 'number';
    if (object.name === 'JSON' || object.name === 'Array') return 'unknown';
  }
  // Strings and arrays have `concat`.
  return key === 'concat' ? 'unknown' : (RESULTS.get(key) ?? 'unknown');
}

function kindOfBinary(operator: string, left: Kind, right: Kind): Kind {
  if (COMPARISONS.has(operator)) return 'boolean';
  if (operator === '&&' || operator === '||' || operator === '??') return same(left, right);
  if (operator !== '+') return 'number';
  if (left === 'string' || right === 'string') return 'string';
  return left === 'number' && right === 'number' ? 'number' : 'unknown';
}
