/** What differs between V2 and V3, with an action for each that a careless translation would get wrong. */
import { describe, expect, test } from 'vitest';
import { createFunctions } from '../../../lib/actions/functions.ts';
import { type Pipeline, type PipelineFunction, runPipeline } from '../../../lib/pipeline/index.ts';
import { migrated, runV2, runV3, sourcesOf } from './run-both.ts';
import { each, own, say, set, use, when } from './steps.ts';

const functions: Record<string, PipelineFunction> = {
  spoil: (settings) => {
    const list = settings.list as string[];
    list.push('spoiled');
    return list.join();
  },
  grow: (_, context) => void (context.list as number[]).push(9),
  shrink: (_, context) => void (context.list as number[]).pop(),
  shadow: (_, context) => void (context.currentItem = 'mine'),
  see: (_, { currentItem, currentIndex }) => JSON.stringify([currentItem, currentIndex]),
  skip: () => Promise.reject(),
  throwNothing: () => {
    throw undefined;
  },
  zero: () => 0,
  none: () => null,
  nothing: () => undefined,
  setValues: (_, context) =>
    void Object.assign(context, {
      when: new Date('2026-11-27T10:00:00Z'),
      never: new Date(NaN),
      big: 12345678901234567890n,
      map: new Map<unknown, unknown>([[1, new Set(['<a>'])]]),
      error: new RangeError('<Too far>'),
      pattern: /<"/g,
      url: new URL('https://a.example/?q=<1>'),
      query: new URLSearchParams('q=<1>&r'),
      timeout: new DOMException('Late.', 'TimeoutError'),
      silent: { toJSON: () => undefined },
    }),
  later: async (_, { currentItem }) => {
    await new Promise((resolve) => setImmediate(resolve));
    return currentItem;
  },
};

const rows: [what: string, payload: Record<string, unknown>, pipeline: Pipeline][] = [
  ['a payload key named payload', { payload: 'p' }, [say('{{payload}}')]],
  ['a payload key named data', { data: { a: 1 } }, [say('{{data.a}} {{data}}')]],
  ['a payload key named context', { a: 1, context: { a: 2 } }, [say('{{context.a}}')]],
  ['no payload key named context', { a: 1 }, [say('{{context.a}}')]],
  ['a payload key named Math', { Math: { max: 'mine' } }, [say('{{Math.max}}')]],
  ['a payload key named String', { String: 1, a: 2 }, [say('{{a}}')]],
  ['a payload key named JSON', { JSON: 1 }, [say('{{typeof JSON}}')]],
  ['a payload key named result', { result: 'r' }, [set({ x: 'result' }), say('{{x}}{{result}}')]],
  ['keys that aren’t identifiers', { 'a b': { 'c-d': 1 } }, [say("{{context['a b']['c-d']}}")]],
  ['a name that isn’t in the context', {}, [say('{{typeof name}}|{{name}}')]],
  ['a name that objects inherit', {}, [say('{{toString}}|{{typeof hasOwnProperty}}')]],
  ['settings are a fresh copy for each call', { list: [1, 2] }, [each('list', use('spoil', { list: ['a'] }))]],
  ['a rejection without a reason skips nested steps only', {}, [use('skip', {}, [say('nested')]), say('after')]],
  [
    'a plain function that throws undefined fails the run',
    {},
    [use('throwNothing', {}, [say('nested')]), say('after')],
  ],
  [
    'the first condition that holds',
    { a: 1 },
    [
      {
        type: 'if',
        conditions: [
          { condition: 'a', functions: [say('1')] },
          { condition: 'a', functions: [say('2')] },
        ],
      },
    ],
  ],
  ['== stays ==', { a: '1' }, [when('a == 1', say('equal'))]],
  ['truthiness', { a: [], b: '' }, [when('a', say('truthy')), when('b', say('falsy'))]],
  ['own properties only, also for in', { a: {} }, [when("'toString' in a", say('inherited'))]],
  ['sort on a copy', { list: [2, 1] }, [say('{{list.sort()}} {{list}}')]],
  ['items that a body adds are left out', { list: [1, 2] }, [each('list', use('grow')), say('{{list.length}}')]],
  ['items that a body removes are left out', { list: [1, 2, 3, 4] }, [each('list', use('shrink'), use('see'))]],
  ['a loop over a path from the context', { list: ['a', 'b'] }, [each('context.list', say('{{currentItem}}'))]],
  [
    'a loop over a path from a payload key named context',
    { list: ['a'], context: { list: ['b', 'c'] } },
    [each('context.list', say('{{currentItem}}'))],
  ],
  ['a loop over a path with an index', { a: [{ c: [1, 2] }] }, [each('a[0].c', say('{{currentItem}}'))]],
  [
    'a loop over a whole name before a path',
    { a: [{ c: [1] }], 'a[0].c': [2], 'context.a': [3] },
    [each('a[0].c', say('{{currentItem}}')), each('context.a', say('{{currentItem}}'))],
  ],
  [
    'a nested loop over a path of the item',
    { list: [{ a: [{ b: [1] }], 'a.b': [2] }, { a: [{ b: [3, 4] }] }] },
    [each('list', each('currentItem.a[0].b', set({ last: 'currentItem' }))), say('{{last}}')],
  ],
  [
    'a nested loop over a dotted path of the item, which has such a key too',
    { list: [{ a: { b: [1] }, 'a.b': [2] }] },
    [each('list', each('currentItem.a.b', set({ last: 'currentItem' }))), say('{{last}}')],
  ],
  [
    'a nested loop over a path of the item, from the context',
    { list: [{ tags: [1, 2] }] },
    [each('list', each('context.currentItem.tags', set({ last: 'currentItem' }))), say('{{last}}')],
  ],
  ['a loop over text fails', { text: 'abc' }, [each('text', say('{{currentItem}}'))]],
  ['a loop over nothing fails', {}, [each('list', say('x'))]],
  ['a package sees the current item', { list: ['a', 'b'] }, [each('list', use('see'))]],
  [
    'the outer item is back after a loop',
    { list: ['a'], currentItem: 'outer' },
    [each('list', use('shadow')), use('see')],
  ],
  [
    'nested loops',
    { list: [[1, 2], [3]] },
    [each('list', each('currentItem', set({ last: 'currentItem * 10 + currentIndex' }))), say('{{last}}')],
  ],
  [
    'a range includes both ends',
    {},
    [
      set({ all: '[]' }),
      { type: 'loop', range: { from: -1, to: 2 }, functions: [set({ all: '[...all, currentItem, currentIndex]' })] },
      say('{{all}}'),
    ],
  ],
  [
    'fractions go up by one',
    {},
    [
      set({ all: '[]' }),
      { type: 'loop', range: { from: 0.5, to: 3 }, functions: [set({ all: '[...all, currentItem]' })] },
      say('{{all}}'),
    ],
  ],
  ['null, false, and 0 count as results', {}, [say('x'), use('zero'), use('none'), use('nothing')]],
  ['nothing replaces a result only with a value', {}, [say('x'), use('nothing')]],
  ['undefined and null print nothing', { a: null }, [say('[{{a}}{{b}}]')]],
  ['objects print JSON', { a: { b: [1] } }, [say('a: {{a}}')]],
  ['a lone expression keeps its type', { a: 5 }, [own('send-email', { to: '{{a}}', subject: 's', html: 'h' })]],
  ['html escapes', { a: '<b>&"\'' }, [own('send-email', { to: 'a', subject: '{{a}}', html: '<p>{{a}}</p>' })]],
  ...[
    'when',
    'never',
    'big',
    'map',
    'error',
    'pattern',
    'url',
    'query',
    'timeout',
    'silent',
    'nothing',
    '[map, [error], {big, when}]',
  ].map((value): [string, object, Pipeline] => [
    `the text of ${value}`,
    { nothing: null },
    [
      use('setValues'),
      own('send-email', { to: 'a', subject: `={{${value}}}`, html: `{{${value}}}` }),
      say(`{{${value}}}`),
    ],
  ]),
  ['a failure with a date', {}, [use('setValues'), own('fail', { message: '{{when}}' })]],
  ...[
    '{{ {a: {b: {c: a}}} }}',
    '{{ {a: {b: a}}}}',
    `{{'}}' + a + "{{"}} {{a}}`,
    '{{`}}${`{{${a}}}`}`}}',
    '{{a /* }} */}} }}',
    "{{'}}'.split(/}}/).length}}",
    '{{a',
  ].map((text): [string, object, Pipeline] => [
    `where an expression ends: ${text}`,
    { a: 'x' },
    [own('send-email', { to: 'a', subject: `={{a}}${text}=`, html: text }), say(text)],
  ]),
  ['one after another', { list: [1, 2, 3] }, [each('list', use('later'), use('see'))]],
  [
    'a failure ends everything',
    { list: [1] },
    [each('list', own('fail', { message: 'at {{currentItem}}' }), say('after')), say('after')],
  ],
  [
    'keys and values of every kind',
    { a: 1 },
    [set({ __proto__x: '1', 'a b': '"x"', ' ': '`${a}`' }), say("{{context['a b']}}{{context[' ']}}")],
  ],
];

describe('a migrated action does what it did in V2', () => {
  test.each(rows)('%s', async (_, payload, pipeline) => {
    const action = { name: 'trap', functions: pipeline };
    const migration = migrated(action, { sources: sourcesOf(functions) });
    expect(await runV3(migration, functions, payload), migration.code).toEqual(await runV2(action, functions, payload));
  });

  test.each(['{{a {{a}}', '{{a} {{a}}', '{{it’s}} {{a}}', '{{{{a}}}}'])(
    'that can’t fill in %s: a person decides, and both fail',
    async (text) => {
      const action = { name: 'trap', functions: [say(`${text}.`)] };
      const migration = migrated(action);
      expect(migration.report.level).toBe('needs-person');
      const ends = [await runV2(action, {}, { a: 1 }), await runV3(migration, {}, { a: 1 })];
      for (const { end } of ends) expect(end).toEqual({ failed: expect.any(String) });
    },
  );

  test.each([
    '{{ {a: {b: {c: a}}} }}',
    `{{'}}' + a + "{{"}} {{list}}`,
    '{{a}}{{a + a}}{{a',
    '}} {{list}} }}',
    '{{a}}}}',
    '{{list}}',
    '{{a} {{a}}',
    '{{it’s}}',
    '{{ {a: when} }} {{when}}',
    { deep: ['{{list}}', { a: '<{{a}}>' }] },
  ])('where its package fills in the setting %j', async (text) => {
    const source = `Platform.Functions.register('p', ({ text }, context) => {
      const when = new Date(0);
      const { fill, text: print } = Platform.Functions;
      context.when = when;
      return [fill(text, context), fill(text, context, { escape: 'html' }), fill({ when }, context).when === when, print([when])];
    });`;
    const { api, registry } = createFunctions(() => null);
    // oxlint-disable-next-line no-new-func, no-implied-eval -- the package is a script
    (new Function('Platform', source) as (platform: unknown) => void)({ Functions: api });
    const payload = { a: '<x>', list: [1, { b: 2 }] };
    const pipeline: Pipeline = [use('p', { text })];
    const expected = await runPipeline(pipeline, { payload, functions: registry }).then(
      (result) => ({ result }),
      () => ({ failed: expect.any(String) as string }),
    );
    const migration = migrated({ name: 'fill', functions: pipeline }, { sources: new Map([['p', source]]) });
    expect((await runV3(migration, {}, payload)).end, migration.code).toEqual(expected);
  });
});
