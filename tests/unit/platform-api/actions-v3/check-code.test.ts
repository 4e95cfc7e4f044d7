/** The rules for the code of V3 actions (actions-v3, "Code"). */
import { describe, expect, it } from 'vitest';
import { CODE_LIMIT, checkCode, missingDependencies } from '../../../../lib/platform-api/actions-v3/index.ts';

const messages = (code: string): string[] => checkCode(code).map(({ message }) => message);

describe('code is accepted if it is', () => {
  it.each([
    ['an async declaration', 'async function execute(context) { return context.payload; }'],
    ['a const with an async arrow', 'const execute = async (context) => context.payload;'],
    ['a const with an async arrow without parentheses', 'const execute = async context => 1'],
    ['a let with an async function', 'let execute = async function (context) { return 1; };'],
    ['a let with a named async function', 'let execute = async function inner(context) {};'],
    ['surrounded by comments and empty statements', '// one\n;async function execute(context) {};\n/* two */'],
    ['a function with more parameters', 'async function execute(context, ...rest) {}'],
    [
      'full of helpers inside',
      'async function execute(context) { const add = (a) => a + 1; class A {} return add(1); }',
    ],
    ['modern', 'async function execute(context) { for await (const x of []) await x?.y ?? 1n; }'],
  ])('%s', (_, code) => expect(checkCode(code)).toEqual([]));
});

describe('code is refused', () => {
  it.each(['', ' ', '\n\t'])('as empty: %j', (code) => {
    expect(checkCode(code)).toEqual([{ code: 'CODE_EMPTY', message: 'code must not be empty.' }]);
  });

  it.each([
    ['no function', '1 + 1;'],
    ['another name', 'async function run(context) {}'],
    ['only a comment', '// async function execute(context) {}'],
    ['a var', 'var execute = async (context) => 1;'],
    ['two declarators', 'const execute = async (context) => 1, other = 2;'],
    ['a let without a value', 'let execute;'],
    ['an export', 'execute = async (context) => 1;'],
  ])('without execute: %s', (_, code) => {
    expect(messages(code)).toContain('code must define an async function named execute.');
  });

  it.each([
    ['a plain function', 'function execute(context) {}'],
    ['a plain arrow', 'const execute = (context) => 1;'],
    ['an async generator', 'async function* execute(context) {}'],
    ['a value', 'const execute = 1;'],
    ['a call', 'const execute = (() => async (context) => 1)();'],
    ['a class', 'const execute = class {};'],
  ])('if execute is %s', (_, code) => expect(messages(code)).toEqual(['execute must be an async function.']));

  it.each([
    ['missing', 'async function execute() {}'],
    ['named otherwise', 'async function execute(ctx) {}'],
    ['taken apart', 'async function execute({ payload }) {}'],
    ['given a default', 'async function execute(context = {}) {}'],
    ['a rest', 'async function execute(...context) {}'],
  ])('if the first parameter is %s', (_, code) =>
    expect(messages(code)).toEqual(['The first parameter of execute must be context.']),
  );

  it.each([
    ['runs a statement on import', 'console.log(1);'],
    ['declares a constant', 'const helper = 1;'],
    ['declares a function', 'function helper() {}'],
    ['declares a class', 'class Helper {}'],
    ['has a directive', "'use strict';"],
    ['defines execute again', 'async function execute(context) {}'],
  ])('if it also %s', (_, more) => {
    const [problem] = checkCode(`async function execute(context) {}\n${more}`);
    expect(problem).toEqual({
      code: 'CODE_VALIDATION_FAILED',
      message: 'code must contain nothing but the function execute. Move this into the function.',
      line: 2,
      column: 1,
    });
  });

  it.each(['{{', '}}'])('for %s, also in a string, a comment, and a nested object', (braces) => {
    const body = { '{{': 'return {{', '}}': 'return { a: { b: 1 }}' }[braces]!;
    for (const inner of [`return '${braces}';`, `// ${braces}`, body])
      expect(messages(`async function execute(context) {\n${inner}\n}`)).toContain(
        `code must not contain ${braces}, also not in strings. Put a space between the braces.`,
      );
  });

  it('for the braces of a nested function that ends where execute does', () => {
    const [problem] = checkCode('async function execute(context) { if (1) { return 2; }}');
    expect(problem).toMatchObject({ line: 1, column: 54 });
  });

  it.each([
    ['broken', 'async function execute(context) {'],
    ['a module', "import x from 'y'; async function execute(context) {}"],
    ['an exporting module', 'export async function execute(context) {}'],
    ['top-level await', 'await 1; async function execute(context) {}'],
    ['a top-level return', 'async function execute(context) {} return 1;'],
    ['TypeScript', 'async function execute(context: object) {}'],
    ['a hashbang', '#!/usr/bin/env node\nasync function execute(context) {}'],
    ['cut off in a string', "async function execute(context) { return 'a"],
    ['NUL', 'async function execute(context) { \0 }'],
  ])('as invalid JavaScript: %s', (_, code) => {
    const problems = checkCode(code);
    expect(problems[0]).toMatchObject({ code: 'CODE_VALIDATION_FAILED', line: expect.any(Number) });
    expect(problems[0]!.message).toMatch(/^code isn’t valid JavaScript: .*[^)]\.$/);
  });

  it('at the place of the error, counted from 1', () => {
    expect(checkCode('async function execute(context) {\n  return ];\n}')).toMatchObject([{ line: 2, column: 10 }]);
  });

  it.each(['(', '[', 'a=>', '!', '`${', 'if(1)'])('instead of overflowing the stack: 100,000 nested %s', (open) => {
    const nested = `async function execute(context) { return ${open.repeat(100_000)}`.slice(0, CODE_LIMIT);
    expect(checkCode(nested)).toMatchObject([{ code: 'CODE_VALIDATION_FAILED' }]);
  });

  it('with more than 500,000 characters', () => {
    const fill = (length: number): string => 'async function execute(context) {}'.padEnd(length, '\n');
    expect(checkCode(fill(500_000))).toEqual([]);
    expect(messages(fill(500_001))).toEqual(['code is limited to 500,000 characters. This one has 500,001.']);
  });
});

describe('the packages that code uses', () => {
  const code = (body: string): string => `async function execute(context) { ${body} }`;
  it.each([
    ['Platform.DataSources.connect(1)', ['platform-datasources']],
    ["Platform['Communicate'].sendEmail({})", ['platform-communicate']],
    ['Platform.Notifications?.send({})', ['platform-notifications']],
    ['Platform.DataSources; Platform.DataSources', ['platform-datasources']],
    ['Platform.App.V3.Actions.get(); fetch("/"); console.log(1)', []],
    ['const x = { Platform: { DataSources: 1 } }; x.DataSources', []],
    ['"Platform.DataSources"', []],
  ])('%s', (body, expected) => expect(missingDependencies(code(body), [])).toEqual(expected));

  it('are missing only if the dependencies don’t list them', () => {
    const both = code('Platform.DataSources; Platform.Communicate');
    expect(missingDependencies(both, ['platform-communicate'])).toEqual(['platform-datasources']);
    expect(missingDependencies(both, ['platform-communicate', 'platform-datasources'])).toEqual([]);
  });

  it('are found however deeply the code is nested', () => {
    const deep = code(`return ${'['.repeat(500)}Platform.DataSources${']'.repeat(500)}`);
    expect(missingDependencies(deep, [])).toEqual(['platform-datasources']);
  });

  it('are unknown in code that can’t be parsed', () =>
    expect(missingDependencies('Platform.DataSources(', [])).toEqual([]));
});
