/** Checks of steps' settings against their packages' descriptions. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OWN_SETTINGS, type Settings } from '../../../../../lib/platform-api/index.ts';
import { demoActions } from '../../../../../lib/local-platform/db/seed/actions.ts';
import { settingsProblems } from '../../../../../lib/extension/panel/actions/edit/settings-problems.ts';

const step = (name: string, settings?: unknown) => ({ functionPackage: `com.platform.function.${name}`, settings });
const problemsOf = (...functions: unknown[]) => settingsProblems({ functions }, null);
const messages = (...functions: unknown[]) => problemsOf(...functions).map(({ message }) => message);

describe('required settings', () => {
  it('that are absent, empty, or null are missing, and a run would fail', () => {
    expect(problemsOf(step('send-email', { to: '', subject: null }))).toEqual(
      ['to', 'subject', 'html'].map((name) => ({
        path: '/functions/0/settings',
        message: `The setting “${name}” is missing.`,
        isMissing: true,
        isAssumed: true,
      })),
    );
    expect(messages(step('send-email'))).toHaveLength(3);
  });

  it('can be replaced by their alternative', () => {
    expect(messages(step('read-datasource', {}))).toEqual(['The setting “dataSourceId” is missing.']);
    expect(messages(step('read-datasource', { dataSource: 'Visits' }))).toEqual([]);
  });

  it('are found in every branch and loop, with a JSON Pointer', () => {
    const wait = step('wait', {});
    const paths = problemsOf(
      { ...step('if', { condition: 'true' }), functions: [wait] },
      { type: 'loop', items: 'records', functions: [wait] },
      { type: 'if', conditions: [{ condition: 'true', functions: [wait] }], elseFunctions: [wait] },
    ).map(({ path }) => path);
    expect(paths).toEqual([
      '/functions/0/functions/0/settings',
      '/functions/1/functions/0/settings',
      '/functions/2/conditions/0/functions/0/settings',
      '/functions/2/elseFunctions/0/settings',
    ]);
  });
});

describe('a setting', () => {
  it.each<[string, string, object, string[]]>([
    ['of another type', 'wait', { ms: '5' }, ['ms must be a number.']],
    [
      'of none of several types',
      'read-datasource',
      { dataSource: true },
      ['dataSource must be a string or an integer.'],
    ],
    [
      'that isn’t an integer',
      'write-datasource',
      { dataSourceId: 1.5, entries: [] },
      ['dataSourceId must be an integer.'],
    ],
    ['that is too small', 'wait', { ms: -1 }, ['ms must be 0 or more.']],
    ['that is too large', 'wait', { ms: 2 ** 31 }, ['ms must be 2147483647 or less.']],
    ['with an expression', 'write-datasource', { dataSourceId: 1, entries: '{{records}}' }, []],
    [
      'with an expression that isn’t filled in',
      'wait',
      { ms: '{{delay}}' },
      ['ms must be a number. Expressions in {{}} aren’t filled in here.'],
    ],
    [
      'with an invalid expression',
      'return-string',
      { message: 'Hello {{name +}}' },
      [expect.stringMatching(/^The expression in message is invalid: /) as string],
    ],
    [
      'with an expression without an end',
      'return-string',
      { message: 'Hello {{name}, {{n}}' },
      ['The expression in message is invalid: Expected }}, found }.'],
    ],
    [
      'with an invalid expression inside',
      'write-datasource',
      { dataSourceId: 1, entries: [{ a: '{{b}}' }, { a: ['{{b +}}'] }] },
      [expect.stringMatching(/^The expression in entries.1.a.0 is invalid: /) as string],
    ],
    ['with nested braces', 'return-string', { message: `{{ {a: {b: '}}'}} }} and {{'{{'}}` }, []],
    [
      'with braces that aren’t closed',
      'return-string',
      { message: 'Hello {{name' },
      ['A {{ in message has no closing }}, so it stays as text.'],
    ],
    [
      'that is an invalid expression',
      'set-context',
      { assign: { ok: '1 + 1', broken: '1 +' } },
      [expect.stringMatching(/^The expression in assign.broken is invalid: /) as string],
    ],
    [
      'with a value that isn’t an expression',
      'set-context',
      { assign: { n: 1 } },
      ['assign.n must be a string with an expression.'],
    ],
    [
      'with a typo',
      'fail',
      { mesage: 'x', message: '' },
      ['The setting “message” is missing.', 'Unknown setting “mesage”. Did you mean “message”?'],
    ],
    [
      'with an unknown name',
      'return-string',
      { message: 'x', colour: 'red' },
      ['Unknown setting “colour”. Known settings: message.'],
    ],
    [
      'named like a property of every object',
      'return-string',
      { message: 'x', constructor: 1 },
      ['Unknown setting “constructor”. Known settings: message.'],
    ],
  ])('%s', (_, name, settings, expected) => {
    expect(messages(step(name, settings))).toEqual(expected);
  });

  it('in a package that the platform describes is checked by that description', () => {
    const settings: Settings = {
      to: { type: ['integer'], description: '', required: true, templates: false, expressions: false },
    };
    const packages = [{ id: 1, name: '', package: 'com.platform.function.send-email', description: '', settings }];
    expect(settingsProblems({ functions: [step('send-email', { to: 'a@b.c' })] }, packages)).toEqual([
      { path: '/functions/0/settings/to', message: 'to must be an integer.', isMissing: false, isAssumed: false },
    ]);
  });

  it('of an unknown package, or in settings that aren’t an object, isn’t checked', () => {
    expect(
      messages({ functionPackage: 'com.acme.x', settings: { a: 1 } }, step('wait', 7), null, { type: 'loop' }),
    ).toEqual([]);
    expect(messages({ functionPackage: 'constructor' })).toEqual([]);
  });
});

describe('the descriptions of our packages', () => {
  const folder = new URL('../../../../../lib/local-platform/functions/packages/', import.meta.url);
  const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const nameOf = (source: string): string => /register\('([\w.-]+)'/.exec(source)![1]!;

  it('cover every package, and name every setting that its code reads', () => {
    expect(Object.keys(OWN_SETTINGS).sort()).toEqual(sources.map(nameOf).sort());
    for (const source of sources) {
      const read = [...source.matchAll(/\bsettings\.(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(OWN_SETTINGS[nameOf(source)]!), nameOf(source)).toEqual(expect.arrayContaining(read));
    }
  });

  it('name the settings in the package’s own comment, in the same order', () => {
    for (const source of sources) {
      const comment = /\/\*\*([\s\S]*?)\*\//.exec(source)![1]!;
      const names = [...comment.matchAll(/^ \* {3}(\w+)  /gm)].map(([, name]) => name);
      expect(Object.keys(OWN_SETTINGS[nameOf(source)]!), nameOf(source)).toEqual(names);
    }
  });
});

it('the demo actions have no problems in their settings', () => {
  for (const { name, functions } of demoActions(new Date('2026-11-23')))
    expect(settingsProblems({ functions }, null), name).toEqual([]);
});
