/** Generates the source of conditions, and the context that they read. */
import fc from 'fast-check';

const BINARY = ['==', '!=', '===', '!==', '<', '>', '<=', '>=', '+', '-', '*', '/', '%', '**', '&&', '||', '??'];
export const NAMES = ['a', 'b', 'text', 'list', 'item', 'missing', 'nothing', 'static', 'yield'];
const MEMBERS = ['x', 'y', 'length', 'id'];

/** Source text of expressions. */
export const { expression } = fc.letrec<{ expression: string; atom: string; list: string; callback: string }>(
  (tie) => ({
    atom: fc.oneof(
      fc.constantFrom(...NAMES),
      fc.integer({ min: 0, max: 20 }).map(String),
      fc.constantFrom(
        '0.5',
        '1e3',
        '0x1f',
        'true',
        'false',
        'null',
        'undefined',
        'NaN',
        'Infinity',
        '""',
        '"a"',
        "'b\\n'",
        '"10"',
        '`t`',
        '[]',
        '[1, "a"]',
        '{}',
        '{x: 1}',
        'list[0].x',
        'item.tags[1]',
        'text.length',
      ),
    ),
    list: fc.oneof(
      fc.constant('list'),
      fc.constant('item.tags'),
      fc.array(tie('expression'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      fc.tuple(tie('list'), tie('list')).map(([a, b]) => `[...${a}, ...${b}]`),
    ),
    callback: fc.tuple(fc.constantFrom('x', 'y'), tie('expression')).chain(([name, body]) => {
      const arrow = `(${name}, i) => (${body}) ?? ${name} ?? i`;
      return fc.constantFrom(arrow, `(${arrow})`);
    }),
    expression: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      tie('atom'),
      fc
        .tuple(tie('expression'), fc.constantFrom(...BINARY), tie('expression'))
        .map(([left, sign, right]) => `(${left}) ${sign} (${right})`),
      fc
        .tuple(
          tie('atom'),
          fc.constantFrom('+', '-', '*', '/', '%'),
          tie('atom'),
          fc.constantFrom('<', '==', '&&', '+'),
          tie('atom'),
        )
        .map(([a, s, b, t, c]) => `${a} ${s} ${b} ${t} ${c}`),
      fc
        .tuple(fc.constantFrom('!', '-', '+', 'typeof ', 'void '), tie('expression'))
        .map(([sign, operand]) => `${sign}(${operand})`),
      fc
        .tuple(tie('expression'), tie('expression'), tie('expression'))
        .map(([test, yes, no]) => `(${test}) ? ${yes} : ${no}`),
      fc
        .tuple(tie('expression'), fc.constantFrom('.', '?.'), fc.constantFrom(...MEMBERS))
        .map(([object, dot, name]) => `(${object})${dot}${name}`),
      fc
        .tuple(
          fc.constantFrom('item', 'list', 'missing', 'nothing', 'text'),
          fc.constantFrom('?.x.y', '?.[0]', '[0]?.x', '.x?.y.z', '?.at(0)', '.x'),
        )
        .map(([name, chain]) => `${name}${chain}`),
      fc
        .tuple(tie('expression'), tie('expression'))
        .map(([object, key]) => `(${object})[(${key}) === "constructor" ? 0 : (${key}) ? "x" : 0]`),
      fc
        .array(tie('expression'), { maxLength: 3 })
        .map((parts) => `\`a${parts.map((part) => `\${typeof (${part})}-`).join('')}\``),
      fc
        .tuple(tie('expression'), tie('expression'))
        .map(([x, y]) => `{x: ${x}, "y z": ${y}, ...item}`)
        .map((source) => `(${source})`),
      fc
        .tuple(
          tie('list'),
          fc.constantFrom('some', 'every', 'filter', 'map', 'find', 'findIndex', 'flatMap'),
          tie('callback'),
        )
        .map(([list, method, callback]) => `${list}.${method}(${callback})`),
      fc
        .tuple(tie('list'), fc.constantFrom('includes', 'indexOf', 'at', 'slice', 'concat'), tie('expression'))
        .map(([list, method, argument]) => `${list}.${method}(${argument})`),
      fc
        .tuple(
          fc.constantFrom('text', '"Abc,b"'),
          fc.constantFrom(
            'toUpperCase()',
            'split(",")',
            'trim()',
            'includes("b")',
            'replace(/b/g, "c")',
            'match(/[a-c]+/gi)',
            'charCodeAt(0)',
            'padStart(9, "-")',
            'repeat(2)',
          ),
        )
        .map(([text, call]) => `${text}.${call}`),
      fc
        .tuple(
          fc.constantFrom('Math.max', 'Number', 'String', 'Boolean', 'isNaN', 'Array.isArray', 'parseInt'),
          tie('atom'),
        )
        .map(([fn, argument]) => `${fn}(${argument})`),
      fc.constantFrom('"x"', '0', '"nope"', 'a').map((key) => `${key} in item`),
    ),
  }),
);

/** The context that the names refer to. */
export const context = (): Record<string, unknown> => ({
  a: 3,
  b: 0,
  text: ' abc,Def ',
  nothing: null,
  item: { x: { y: 'deep' }, id: 7, tags: ['p', 'q'] },
  static: 'still',
  yield: { x: 2 },
  list: [{ x: 1, id: 'one' }, { x: null }, 5, 'str', null],
});
