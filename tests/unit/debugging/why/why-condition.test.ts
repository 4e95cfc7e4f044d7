/** Tests how conditions are explained: inline values, the tree of parts, what failed, and what is missing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loseProperty } from '../../../../lib/debugging/recording/values.ts';
import { explainTree } from '../../../../lib/debugging/why/explain-tree.ts';
import { inlineText, textOfSegments } from '../../../../lib/debugging/why/inline-text.ts';
import { hintsOf, whyFailed } from '../../../../lib/debugging/why/missing.ts';
import { previewValue } from '../../../../lib/debugging/why/preview.ts';
import { whyCondition } from '../../../../lib/debugging/why/why-condition.ts';
import { type Context, explainCondition } from '../../../../lib/pipeline/index.ts';

const inline = (source: string, context: Context): string =>
  textOfSegments(inlineText(explainCondition(source, context)));
const rows = (source: string, context: Context): string[] =>
  explainTree(explainCondition(source, context)).map(
    ({ level, text, state, value, reason, error }) =>
      `${'  '.repeat(level)}${text}: ${state === 'evaluated' ? previewValue(value) : (reason ?? error ?? state)}`,
  );
const failure = (source: string, context: Context) => whyFailed(explainCondition(source, context), context);
const hints = (source: string, context: Context): string[] =>
  hintsOf(explainCondition(source, context), context).map(({ message }) => message);

const admin = { currentItem: { data: { Admin: true, email: 'ada@nowhere.example' } }, roles: ['admin', 'user'] };

describe('a condition with its values inline', () => {
  it.each<[string, string]>([
    ['currentItem.data.Admin == true', 'true == true'],
    ['currentItem["data"].Admin', 'true'],
    ['(currentItem.data.Admin || missing) && !missing', '(true || missing) && !undefined'],
    ['roles.includes("admin")', '["admin", "user"].includes("admin")'],
    ['currentItem.data.email.endsWith(`@${host}`)', '"ada@nowhere.example".endsWith("@undefined")'],
    ['missing?.length > 3 ? 1 : roles.length', 'undefined > 3 ? 1 : 2'],
    ['Math.max(1, -2) === 1', '1 === 1'],
    ['Number(missing) > 1', 'Number(undefined) > 1'],
    ['roles.some((role) => role === "user")', '["admin", "user"].some((role) => role === "user")'],
    ['roles.filter((role) => role === "user").length > 0', '1 > 0'],
    ['[roles[0], 7].length === 2', '2 === 2'],
    ['{ role: roles[0] }.role', '"admin"'],
    ['typeof missing === "undefined"', 'typeof undefined === "undefined"'],
    ['a\n  && b', 'undefined && b'],
    ['missing?.find((one) => one)', 'undefined'],
  ])('writes %s as %s', (source, expected) => expect(inline(source, admin)).toBe(expected));

  it('shows which pieces are values, were not evaluated, and failed', () => {
    expect(inlineText(explainCondition('roles[0] == "user" && roles.length', admin))).toEqual([
      { text: '"admin"', state: 'value' },
      { text: ' == "user" && ', state: 'source' },
      { text: 'roles.length', state: 'not-evaluated' },
    ]);
    expect(inlineText(explainCondition('roles.length > missing.x', admin))).toEqual([
      { text: '2', state: 'value' },
      { text: ' > ', state: 'source' },
      { text: 'missing.x', state: 'failed' },
    ]);
  });

  it('shows the item for which the body of an arrow function failed', () => {
    expect(inline('list.every((item) => item.n > 0 && item.a.b)', { list: [{ n: 1, a: { b: 1 } }, { n: 2 }] })).toBe(
      '[{n: 1, a: {b: 1}}, {n: 2}].every((item) => 2 > 0 && item.a.b)',
    );
  });

  it('shortens long values, and the line', () => {
    const context = { text: 'x'.repeat(1_000), list: Array.from({ length: 50_000 }, (_, index) => ({ index })) };
    expect(inline('text == 1', context)).toBe(`"${'x'.repeat(39)}… == 1`);
    expect(inline('list == 1', context)).toMatch(/^\(50000\) \[\{index: 0\}, .*, …\] == 1$/);
    const long = inlineText(explainCondition(Array(100).fill('text').join(' + '), context), { line: 60 });
    expect(textOfSegments(long)).toHaveLength(61);
  });

  it('never throws, and keeps everything that is not a value, for any values', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withBigInt: true, withSparseArray: true }), (value) => {
        expect(inline('value === 1 && other', { value })).toMatch(/ === 1 && (other|undefined)$/s);
      }),
    );
  });
});

describe('the tree of a condition', () => {
  it('ends with a pattern that takes JavaScript’s own matcher forever', () =>
    expect(rows('/^(a|a)*$/.test(text)', { text: `${'a'.repeat(1000)}!` })[0]).toMatch(/: false$/));
  it('has each part with its value, without constants', () =>
    expect(rows('currentItem.data.Admin === true && Math.max(roles.length, 1) > 1', admin)).toEqual([
      'currentItem.data.Admin === true && Math.max(roles.length, 1) > 1: true',
      '  currentItem.data.Admin === true: true',
      '    currentItem.data.Admin: true',
      '      currentItem.data: {Admin: true, …}',
      '        currentItem: {data: {Admin: true, …}}',
      '  Math.max(roles.length, 1) > 1: true',
      '    Math.max(roles.length, 1): 2',
      '      roles.length: 2',
      '        roles: ["admin", "user"]',
    ]));

  it.each<[string, string]>([
    ['n > 1 && a', '“false &&” decided'],
    ['n || a', '“1 ||” decided'],
    ['n ?? a', '“1 ??” decided'],
    ['n ? 1 : a', '“1 ?” decided'],
    ['x?.[a]', 'x is undefined'],
    ['none.map(() => a)', 'the function was never called'],
    ['n > 1 && (b || !a)', '“false &&” decided'],
    ['x.y > a', 'another part failed before'],
  ])('says in %s why a was not evaluated: %s', (source, reason) => {
    const found = explainTree(explainCondition(source, { n: 1, none: [] }));
    expect(found.find(({ text }) => text === 'a')).toMatchObject({ state: 'not-evaluated', reason });
  });

  it('has the error only at the innermost part that failed', () => {
    const found = explainTree(explainCondition('!(roles.x.y > 1)', admin));
    expect(found.filter(({ error }) => error !== undefined)).toMatchObject([
      { text: 'roles.x.y', error: 'Couldn’t read “y”: roles.x is undefined.' },
    ]);
    expect(found.filter(({ state }) => state === 'failed')).toHaveLength(3);
  });

  it('counts how often a part was evaluated', () =>
    expect(explainTree(explainCondition('roles.every((role) => role)', admin)).at(-1)).toMatchObject({
      text: 'role',
      times: 2,
      value: 'user',
    }));
});

describe('a condition that failed', () => {
  const records = [{ data: { email: 'a', name: 'Ada' } }];

  it.each<[string, string]>([
    ['records[0].data.emial.includes("@")', 'records[0].data.emial is undefined. Did you mean “email”?'],
    ['records[0].dat.email == 1', 'records[0].dat is undefined. Did you mean “data”?'],
    ['record[0].data', 'record is undefined. Did you mean “records”?'],
    ['records[7].data', 'records[7] is undefined.'],
    ['records.data.email', 'records.data is undefined. Did you mean “records[0].data”?'],
    ['records.lenght.x', 'records.lenght is undefined. Did you mean “length”?'],
    ['Name.x', 'Name is undefined. Did you mean “currentItem.data.Name”?'],
    ['id.x', 'id is undefined. Did you mean “currentItem.id”?'],
    ['nothing.x', 'nothing is null.'],
    ['(records[0].dota?.x).y', 'records[0].dota is undefined. Did you mean “data”?'],
    ['records.find((r) => r.data.name === "Bob").data', 'records.find((r) => r.data.name === "Bob") is undefined.'],
    ['records[0].data[key].x', 'records[0].data[key] is undefined. Did you mean “email”?'],
    ['context.recrds.x', 'context.recrds is undefined. Did you mean “records”?'],
  ])('%s: %s', (source, message) => {
    const context = { records, currentItem: { id: 1, data: { Name: 1 } }, nothing: null, key: 'emal' };
    expect(failure(source, context)?.message).toBe(message);
  });

  it('has the exact part, and the absent key', () => {
    const source = 'true && records[0].data.emial.includes("@")';
    const found = failure(source, { records })!;
    expect(source.slice(found.start, found.end)).toBe('records[0].data.emial.includes("@")');
    expect(found.missing).toMatchObject({ key: 'emial', suggestion: 'email', start: 8, end: 29 });
  });

  it('has the message of the engine for other failures', () => {
    expect(failure('1 + "a".repeat(1e9)', {})).toMatchObject({
      text: '"a".repeat(1e9)',
      missing: null,
      message: expect.stringContaining('limited to'),
    });
    expect(failure('records.nope()', { records })?.message).toMatch(/doesn’t have this method/);
  });
  it('is null if the condition didn’t fail', () => expect(failure('records', { records })).toBeNull());

  it('suggests nothing dissimilar, and never compares huge names', () => {
    const context = { records: [{ alpha: 1, ['x'.repeat(1e6)]: 1 }] };
    expect(failure('records[0].omega.x', context)?.message).toBe('records[0].omega is undefined.');
    expect(failure(`records[0][key].x`, { ...context, key: 'y'.repeat(1e6) })?.missing?.suggestion).toBeUndefined();
  });
});

describe('hints of a condition that did not fail', () => {
  const context = { user: { email: 'a', admin: false }, records: [{ id: 1 }], empty: undefined };

  it.each<[string, string[]]>([
    ['user.emial == "a"', ['user.emial is undefined. Did you mean “email”?']],
    ['usr', ['usr is undefined. Did you mean “user”?']],
    ['records.id === 1', ['records.id is undefined. Did you mean “records[0].id”?']],
    ['user.phone == 1 || user.phone == 2', ['user.phone is undefined.']],
    ['user.email == 1 && usr.x', ['usr wasn’t evaluated, and is undefined. Did you mean “user”?']],
    ['user.admin && user.emial', ['user.emial wasn’t evaluated, and is undefined. Did you mean “email”?']],
    ['user.email || context.usr', ['context.usr wasn’t evaluated, and is undefined. Did you mean “user”?']],
    ['user.admin ? user.emial.length : 0', ['user.emial wasn’t evaluated, and is undefined. Did you mean “email”?']],
    // Nothing that is nearly the same, or that isn’t known.
    ['user.admin && user.phone', []],
    ['user.admin && records.some((one) => one.ID)', []],
    ['user.admin && user[empty].emial', []],
    ['user.phone?.length', []],
    ['user.emial?.length', ['user.emial is undefined. Did you mean “email”?']],
    ['typeof phone === "string"', []],
    ['phone === undefined || phone == null', []],
    ['(user.phone ?? "") === ""', []],
    ['empty == 1', []],
    ['records.find((one) => one.id === 2)', []],
    ['records.map((one) => one.ID)', ['one.ID is undefined. Did you mean “id”?']],
    ['!user.admin', []],
  ])('%s: %j', (source, expected) => expect(hints(source, context)).toEqual(expected));
});

describe('why a condition has its result', () => {
  it('is that a function can’t be explained', () =>
    expect(whyCondition(() => true, {})).toEqual({ state: 'function' }));
  it('is invalid syntax, with its column', () =>
    expect(whyCondition('a ==', {})).toMatchObject({ state: 'invalid', source: 'a ==', column: 5 }));
  it('is unknown if the recording doesn’t have a value', () => {
    const context: Context = { n: 1 };
    loseProperty({ holder: context, key: 'gone' }, 'masked');
    expect(whyCondition('n == 1 && gone.x', context)).toMatchObject({
      state: 'unknown',
      failed: { text: 'gone', message: expect.stringContaining('masked as a secret') },
    });
    expect(whyCondition('n == 2 && gone.x', context)).toMatchObject({ state: 'false', failed: null });
    expect(whyCondition('mising', context)).toMatchObject({ state: 'false', hints: [{ key: 'mising' }] });
  });
  it('uses the given times, and turns the values of rows into what is kept', () => {
    const found = whyCondition('Date.now() > later', { later: 5 }, { sources: { now: () => 6 }, keep: String });
    expect(found).toMatchObject({ state: 'true', rows: [{ value: 'true' }, { value: '6' }, { value: '5' }] });
    expect(found.state === 'true' && textOfSegments(found.segments)).toBe('6 > 5');
  });
});
