/** Whatever strings an action consists of, its code keeps to V3’s rules, and has the same values. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { migrate, type MigrationOptions, type V2Action } from '../../../lib/migrate/index.ts';
import { pathsIn } from '../../../lib/migrate/paths.ts';
import { checkCode } from '../../../lib/platform-api/actions-v3/index.ts';
import type { Pipeline } from '../../../lib/pipeline/index.ts';
import { casesOf, isExhaustive } from '../../support/exhaustive.ts';
import { migrated, runV2, runV3 } from './run-both.ts';
import { each, own, say, use, when } from './steps.ts';
import { anyCharacter } from '../../support/any-character.ts';

const PIECES = [
  [
    '`',
    '${x}',
    "'",
    '"',
    '*/',
    '/*',
    '//',
    '</script>',
    '<!--',
    '-->',
    '\\',
    '\\\\',
    '\\\u2028',
    '\0',
    '\n',
    '\r',
    '\n// /0\n',
  ],
  ['\u2028', '\u2029', '\ufeff', '\ud800', '\udc00', '😀', '{', '}', '{{', '}}', '{{a}}', '{{{a: {}}}}', '$', '$&'],
  ['__proto__', 'constructor', 'toString', 'await', 'class', 'arguments', 'eval', 'undefined', 'payload', 'data'],
  ['context', 'Math', 'result', 'execute', 'item', 'index', 'text', 'own', 'run', 'fetch', 'Platform', 'globalThis'],
  [
    ' ',
    '.',
    'a b',
    '1',
    '01',
    'é',
    '\\u{61}',
    '\\x41',
    'x'.repeat(150),
    `globalThis\`${'{'.repeat(90)}`,
    '{'.repeat(90),
    '}\u2028'.repeat(50),
  ],
].flat();
const hostile = fc.oneof(
  fc.constantFrom(...PIECES),
  fc.array(fc.constantFrom(...PIECES), { minLength: 2, maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);
const CASES = casesOf(8, 100);

/** Fails if the code does anything before `execute` is called. */
function load(code: string): void {
  const trap = new Proxy(() => undefined, {
    get: () => expect.fail('the code read something'),
    apply: () => expect.fail('the code called something'),
  });
  const names = ['Platform', 'fetch', 'setTimeout', 'console', 'globalThis', 'Object', 'Math', 'JSON'];
  // oxlint-disable-next-line no-new-func, no-implied-eval -- loads the generated code
  const execute = (new Function(...names, `${code}\nreturn execute;`) as (...values: unknown[]) => unknown)(
    ...names.map(() => trap),
  );
  expect(execute).toBeInstanceOf(Function);
}

function check(action: V2Action, options?: MigrationOptions): string {
  const { code, report } = migrated(action, options);
  expect(code).not.toMatch(/[\u2028\u2029\ufeff\r]|<\/script|<!--/i);
  expect(code.isWellFormed()).toBe(true);
  expect(pathsIn(code).map(({ path }) => path)).toEqual(report.steps.map(({ path }) => path).filter(Boolean));
  load(code);
  return code;
}

const assign = (entries: [string, string][]): Pipeline[number] =>
  own('set-context', { assign: Object.fromEntries(entries) });

const PLACES: [place: string, pipeline: (text: string) => Pipeline][] = [
  ['a message', (text) => [say(text), say(`{{a}}${text}{{b}}`), own('fail', { message: text })]],
  ['a name of the context', (text) => [assign([[text, '1']]), assign([[`a${text}`, "'x'"]])]],
  [
    'an expression',
    (text) => [assign([['a', text]]), when(`a == ${JSON.stringify(text)}`), own('if', { condition: text })],
  ],
  ['a string', (text) => [assign([['a', `[x[${JSON.stringify(text)}], {${JSON.stringify(text)}: 1}]`]])]],
  ['a pattern', (text) => [assign([['a', `/${text}/.test(a)`]])]],
  ['the items of a loop', (text) => [each(`x${text}`, each(`currentItem.${text}`, assign([['b', 'currentItem']])))]],
  ['an email', (text) => [own('send-email', { to: text, subject: `${text}{{a}}`, html: `${text}{{a}}${text}` })]],
  [
    'a request',
    (text) => [
      own('http-request', {
        url: `https://x/${text}`,
        method: text,
        headers: { [text]: text },
        body: [{ [text]: text }],
      }),
    ],
  ],
  ['a relative URL', (text) => [own('http-request', { url: text })]],
  [
    'a data source',
    (text) => [
      own('read-datasource', { dataSource: text, where: { [text]: text } }),
      own('read-datasource', { dataSourceId: 1, where: { [text]: `{{a}}${text}` } }),
      own('write-datasource', { dataSourceId: 1, entries: [{ [text]: text }] }),
    ],
  ],
  ['settings of a package', (text) => [use('p', { [text]: text, list: [{ [text]: `{{a}}${text}` }] })]],
  ['the name of a package', (text) => [use(`x${text}`), use(`y${text}`)]],
];

describe('hostile text keeps to V3’s rules', () => {
  test.each(PLACES)('in %s', (_, pipeline) => {
    fc.assert(
      fc.property(hostile, (text) => {
        const action = { name: text, functions: pipeline(text) };
        const literal = JSON.stringify(text);
        const sources = new Map([
          ['p', 'Platform.Functions.register("p", (settings, context) => Platform.Functions.fill(settings, context));'],
          [
            `x${text}`,
            `/* ${text.replaceAll('*/', '')} */ Platform.Functions.register(${JSON.stringify(`x${text}`)}, () => ${literal});`,
          ],
        ]);
        const valid = migrate(action, { sources });
        if (valid.ok) check(action, { sources });
        else expect(valid.error.code).toBe('PIPELINE_INVALID');
      }),
      CASES,
    );
  });
});

test('hostile text has the same value', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (text, other) => {
      const functions = [
        assign([
          [text, "'mine'"],
          ['copy', JSON.stringify(other)],
        ]),
        own('send-email', { to: `${text}{{copy}}${other}`, subject: other, html: `${other}{{copy}}` }),
        say(`${other}{{copy}}${text}`),
      ];
      const action = { name: 'text', functions };
      const found = migrate(action);
      if (!found.ok || found.value.report.level === 'needs-person') return;
      expect(await runV3(migrated(action), {}, {})).toEqual(await runV2(action, {}, {}));
    }),
    CASES,
  );
});

test('the source of a package has the same value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 4 }), async (texts) => {
      const template = (text: string): string => `\`${text.replace(/[\\`$]/g, '\\$&').replaceAll('\r', '\\r')}\``;
      const source = `// ${texts.join(' ').replace(/[\r\n\u2028\u2029]/g, ' ')}
        Platform.Functions.register('p', () => [${texts.map((text) => `${JSON.stringify(text)}, ${template(text)}`).join(', ')}]);`;
      const action = { name: 'source', functions: [use('p')] };
      const code = check(action, { sources: new Map([['p', source]]) });
      // oxlint-disable-next-line no-new-func, no-implied-eval -- runs the generated code
      const execute = (new Function(`${code}\nreturn execute;`) as () => (context: object) => Promise<unknown>)();
      expect(await execute({ payload: {} })).toEqual(texts.flatMap((text) => [text, text]));
    }),
    CASES,
  );
});

describe('huge actions', () => {
  const LENGTH = isExhaustive() ? 1_000_000 : 600_000;
  test.each([
    ['words', 'word '.repeat(LENGTH / 5)],
    ['one word', 'w'.repeat(LENGTH)],
    ['braces', '}'.repeat(LENGTH)],
    ['text and values', '{{a}}'.repeat(40_000)],
  ])('much text: %s', (_, text) => {
    const found = migrate({ name: 'huge', functions: [say(text)] });
    if (!found.ok) throw new Error(found.error.message);
    const { code, report } = found.value;
    expect(code.split('\n').filter(({ length }) => length > 120)).toEqual([]);
    expect(report.notes).toContain('The code is longer than V3 allows. Split the action.');
    load(code);
  });

  test('a list that is longer than the arguments of a call', () => {
    const list = Array.from({ length: 200_000 }, () => 1);
    const found = migrate(
      { name: 'list', functions: [use('p', { list })] },
      { sources: new Map([['p', 'Platform.Functions.register("p", () => 1);']]) },
    );
    expect(found.ok).toBe(true);
  });

  test.each([
    [1_000, 'idiomatic'],
    [1_001, 'needs-person'],
    [20_000, 'needs-person'],
  ])('%s conditions in one step: %s', (length, level) => {
    const conditions = Array.from({ length }, (_, index) => ({ condition: `n > ${index}`, functions: [] }));
    const found = migrate({ name: 'conditions', functions: [{ type: 'if', conditions }] });
    if (!found.ok) throw new Error(found.error.message);
    const { code, report } = found.value;
    const reasons =
      level === 'idiomatic' ? [] : ['The step has more than 1,000 conditions. Split it into several steps.'];
    expect(report.steps).toMatchObject([{ path: '/0', level, reasons }]);
    expect(checkCode(code)).toEqual([]);
    load(code);
  });

  test.each([34, 35, 80])('a name of %s characters', (length) => {
    const code = check({ name: 'n'.repeat(length), functions: [] });
    expect(code.includes('nnn')).toBe(length === 34);
  });

  test('no steps', () => expect(check({ name: 'empty', functions: [] })).toContain('async function execute(context)'));
});

test('the code of a package keeps its line breaks where statements end', () => {
  const long = 'a'.repeat(60);
  const source = `function f() { return /* ${long} ${long} */ 5; }
    const x = f() /* ${long} ${long} */; // ${long} ${long}
    Platform.Functions.register('p', () => [x, /${long}${long}/.test('b'), '${long}${long}', \`${long}\${x}${long}\`]);`;
  const code = check({ name: 'source', functions: [use('p')] }, { sources: new Map([['p', source]]) });
  // oxlint-disable-next-line no-new-func, no-implied-eval -- runs the generated code
  const execute = (new Function(`${code}\nreturn execute;`) as () => (context: object) => Promise<unknown>)();
  return expect(execute({ payload: {} })).resolves.toEqual([5, false, long + long, `${long}5${long}`]);
});
