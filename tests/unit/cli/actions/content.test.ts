import { expect, it } from 'vitest';
import { contentOf, digestOf, textOf } from '../../../../lib/cli/actions/content.ts';
import { parseAction } from '../../../../lib/cli/actions/files.ts';
import type { Action } from '../../../../lib/platform-api/index.ts';

const ACTION: Action = {
  id: 7,
  appId: 101,
  name: 'notify',
  active: true,
  frequency: null,
  timezone: null,
  environment: 'any',
  triggers: [{ where: { dataSourceId: 5, type: 'x.y' }, trigger: 'log' }],
  functions: [
    { functions: [], settings: { b: 1, a: 2 }, functionPackage: 'com.example.function.one', note: 'mine' },
    { elseFunctions: [], conditions: [{ functions: [], condition: 'a == 1' }], type: 'if' },
  ],
  pageId: null,
  lastRunAt: null,
  nextRunAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  revision: 3,
};

it('writes only what a developer edits, in the specification’s order, with the settings’ own order', () => {
  const text = textOf(contentOf(ACTION));
  expect(text.endsWith('}\n')).toBe(true);
  expect(JSON.stringify(JSON.parse(text))).toBe(
    '{"name":"notify","active":true,"frequency":null,"timezone":"UTC","environment":"any",' +
      '"triggers":[{"trigger":"log","where":{"dataSourceId":5,"type":"x.y"}}],"functions":[' +
      '{"functionPackage":"com.example.function.one","settings":{"b":1,"a":2},"functions":[],"note":"mine"},' +
      '{"type":"if","conditions":[{"condition":"a == 1","functions":[]}],"elseFunctions":[]}],"pageId":null}',
  );
});

it('has the same digest whatever the order of a step’s fields, the line ends, and a byte order mark', () => {
  const reversed = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(reversed)
      : typeof value === 'object' && value !== null && !('b' in value) && !('dataSourceId' in value)
        ? Object.fromEntries(
            Object.entries(value)
              .map(([key, each]) => [key, reversed(each)])
              .reverse(),
          )
        : value;
  const { note: _unknown, ...step } = ACTION.functions[0] as { note: string };
  const content = contentOf({ ...ACTION, functions: [step, ACTION.functions[1]] });
  const text = `\uFEFF${JSON.stringify(reversed(JSON.parse(textOf(content))), null, '\t').replaceAll('\n', '\r\n')}`;
  expect(digestOf(parseAction(text) as never)).toBe(digestOf(content));
});

it('has another digest when the order inside settings changes, in which set-context assigns', () => {
  const withSettings = (settings: object): string =>
    digestOf(contentOf({ ...ACTION, functions: [{ functionPackage: 'com.example.function.one', settings }] }));
  expect(withSettings({ assign: { a: '1', b: 'a' } })).not.toBe(withSettings({ assign: { b: 'a', a: '1' } }));
});

it('gives a file without a field the default of a new action', () => {
  expect(contentOf({ name: 'a', frequency: '0 7 * * MON' })).toEqual({
    name: 'a',
    active: true,
    frequency: '0 7 * * MON',
    timezone: 'UTC',
    environment: 'any',
    triggers: [{ trigger: 'schedule' }],
    functions: [],
    pageId: null,
  });
});
