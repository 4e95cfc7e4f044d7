/** Tests the syntax tree of conditions: its nodes, and the part of the source that each covers. */
import { describe, expect, test } from 'vitest';
import { parseCondition } from '../../../lib/pipeline/condition/syntax/parser.ts';
import type { Expression } from '../../../lib/pipeline/condition/syntax/tree.ts';

/** The source of a node. */
const sourceOf = (source: string, { start, end }: Expression): string => source.slice(start, end);
/** The tree without its ranges. */
const shape = (source: string): unknown =>
  JSON.parse(
    JSON.stringify(parseCondition(source), (key, value: unknown) =>
      key === 'start' || key === 'end' ? undefined : value,
    ),
  );

describe('nodes', () => {
  const a = { kind: 'name', name: 'a' };
  const b = { kind: 'name', name: 'b' };
  test.each<[string, unknown]>([
    ['"a"', { kind: 'literal', value: 'a' }],
    ['1_000', { kind: 'literal', value: 1000 }],
    ['null', { kind: 'literal', value: null }],
    ['/a+/i', { kind: 'regexp', pattern: 'a+', flags: 'i' }],
    ['`x${a}y`', { kind: 'template', strings: ['x', 'y'], values: [a] }],
    ['a', a],
    ['a.b', { kind: 'member', object: a, key: 'b', optional: false }],
    ['a["b"]', { kind: 'member', object: a, key: 'b', optional: false }],
    ['a[0]', { kind: 'member', object: a, key: 0, optional: false }],
    ['a[b]', { kind: 'member', object: a, key: b, optional: false }],
    ['a?.b', { kind: 'chain', expression: { kind: 'member', object: a, key: 'b', optional: true } }],
    ['a(b)', { kind: 'call', callee: a, args: [b], optional: false }],
    [
      'a.b(...a)',
      {
        kind: 'methodCall',
        object: a,
        key: 'b',
        args: [{ kind: 'spread', value: a }],
        optional: false,
        optionalCall: false,
      },
    ],
    ['!a', { kind: 'unary', operator: '!', operand: a }],
    ['a ?? b', { kind: 'binary', operator: '??', left: a, right: b }],
    ['a ? b : a', { kind: 'conditional', test: a, consequent: b, alternate: a }],
    ['[a, ...b]', { kind: 'array', items: [a, { kind: 'spread', value: b }] }],
    [
      '{a, [b]: a, ...b}',
      {
        kind: 'object',
        properties: [
          { kind: 'property', key: 'a', value: a },
          { kind: 'property', key: b, value: a },
          { kind: 'spread', value: b },
        ],
      },
    ],
    [
      'a(x => x)',
      {
        kind: 'call',
        callee: a,
        args: [{ kind: 'arrow', parameters: ['x'], body: { kind: 'parameter', name: 'x', depth: 0, index: 0 } }],
        optional: false,
      },
    ],
  ])('%s', (source, expected) => expect(shape(source)).toEqual(expected));

  test('an optional call is part of its chain', () =>
    expect(shape('a.b?.().c')).toMatchObject({
      kind: 'chain',
      expression: { kind: 'member', object: { kind: 'methodCall', optionalCall: true } },
    }));
  test('parentheses end a chain', () =>
    expect(shape('(a?.b).c')).toMatchObject({ kind: 'member', object: { kind: 'chain' } }));
});

describe('ranges', () => {
  test('of the operands of a binary expression', () => {
    const source = ' a.b == "x" ';
    const tree = parseCondition(source);
    expect(sourceOf(source, tree)).toBe('a.b == "x"');
    if (tree.kind !== 'binary') throw new Error(`Unexpected node ${tree.kind}.`);
    expect(sourceOf(source, tree.left)).toBe('a.b');
    expect(sourceOf(source, tree.right)).toBe('"x"');
  });
  test('include parentheses', () => {
    const source = '(a + b) * 2';
    const tree = parseCondition(source);
    if (tree.kind !== 'binary') throw new Error(`Unexpected node ${tree.kind}.`);
    expect(sourceOf(source, tree.left)).toBe('(a + b)');
  });
  test('of the object of a method call', () => {
    const source = 'list[0].name.trim()';
    const tree = parseCondition(source);
    if (tree.kind !== 'methodCall') throw new Error(`Unexpected node ${tree.kind}.`);
    expect(sourceOf(source, tree.object)).toBe('list[0].name');
  });
});

test('a tree is plain data', () => {
  const tree = parseCondition('a?.b(x => [x, `${x}`, /y/g]) ?? {c: -1, ...d}');
  expect(structuredClone(tree)).toEqual(tree);
});
