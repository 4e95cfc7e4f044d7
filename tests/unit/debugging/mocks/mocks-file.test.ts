/** Tests files of mocks. */
import { describe, expect, it } from 'vitest';
import { MOCKS_FILE_LIMIT, parseMocks, writeMocks } from '../../../../lib/debugging/mocks/mocks-file.ts';
import type { Mock, MockSet } from '../../../../lib/debugging/mocks/types.ts';
import type { ErrorValue } from '../../../../lib/platform-api/errors.ts';

const SETS: MockSet[] = [
  {
    name: 'Offline mail',
    mocks: [
      { target: { package: 'com.platform.function.send-email' }, outcome: {} },
      {
        target: { path: '/1/functions/0' },
        condition: 'currentItem.id === 3',
        outcome: { value: { list: [null, { $: 'date', value: 0 }] } },
        delay: 250,
        changes: [['/sent', true], ['/old']],
        isOff: true,
      },
      { target: { path: '/2' }, outcome: { error: { name: 'RangeError', message: '<b>No</b>' } } },
      { target: { path: '/3' }, outcome: { skip: true } },
    ],
  },
  { name: 'Empty', mocks: [] },
];
const file = (change: object): string => JSON.stringify({ format: 'platform-devtools/mocks', version: 1, ...change });
const fileOf = (mock: unknown): string => file({ sets: [{ name: 'Set', mocks: [mock] }] });

function errorOf(text: string): ErrorValue {
  const parsed = parseMocks(text);
  if (parsed.ok) throw new Error('The file was read.');
  return parsed.error;
}

it('reads what it writes', () => {
  expect(parseMocks(writeMocks(SETS))).toEqual({ ok: true, value: SETS });
});

it('keeps __proto__ in a value as data', () => {
  const parsed = parseMocks(fileOf({ target: { path: '/0' }, outcome: JSON.parse('{"value":{"__proto__":{"x":1}}}') }));
  const { outcome } = (parsed as { value: MockSet[] }).value[0]!.mocks[0] as { outcome: { value: object } };
  expect(Object.keys(outcome.value)).toEqual(['__proto__']);
  expect(({} as { x?: number }).x).toBeUndefined();
});

describe('a file of mocks is refused', () => {
  it.each([
    ['isn’t JSON', 'mocks', 'MOCKS_NOT_JSON'],
    ['is empty', '', 'MOCKS_NOT_JSON'],
    ['is cut off', writeMocks(SETS).slice(0, -20), 'MOCKS_NOT_JSON'],
    ['is another kind of file', '{"format":"platform-devtools/run","version":1}', 'MOCKS_NOT_ONE'],
    ['is an array', '[]', 'MOCKS_NOT_ONE'],
    ['is null', 'null', 'MOCKS_NOT_ONE'],
    ['is from a newer version', file({ version: 2, sets: 'new' }), 'MOCKS_NEWER'],
    ['has no version', file({ version: '1', sets: [] }), 'MOCKS_DAMAGED'],
    ['has no sets', file({}), 'MOCKS_DAMAGED'],
    ['has a set without a name', file({ sets: [{ name: '', mocks: [] }] }), 'MOCKS_DAMAGED'],
    ['has a mock without a target', fileOf({ outcome: {} }), 'MOCKS_DAMAGED'],
    [
      'has a mock with two outcomes',
      fileOf({ target: { path: '/0' }, outcome: { skip: true, value: 1 } }),
      'MOCKS_DAMAGED',
    ],
    ['has a mock with an unknown field', fileOf({ target: { path: '/0' }, branch: 1 }), 'MOCKS_DAMAGED'],
    ['has a negative delay', fileOf({ target: { path: '/0' }, delay: -1 }), 'MOCKS_DAMAGED'],
    ['changes what isn’t a path', fileOf({ target: { path: '/0' }, changes: [['sent', 1]] }), 'MOCKS_DAMAGED'],
  ])('that %s', (_, text, code) => {
    expect(errorOf(text).code).toBe(code);
  });

  it('that is too large, before it’s parsed', () => {
    expect(errorOf('x'.repeat(MOCKS_FILE_LIMIT + 1))).toMatchObject({
      code: 'MOCKS_TOO_LARGE',
      message: 'A file of mocks is limited to 16,777,216 characters. This one has 16,777,217.',
    });
  });

  it('that is nested too deeply', () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    expect(errorOf(fileOf(0).replace('0', `{"target":{"path":"/0"},"outcome":{"value":${deep}}}`)).code).toBe(
      'MOCKS_DAMAGED',
    );
  });

  it('with the other problems, if there are several', () => {
    const one = { target: { path: '/0' }, delay: -1 };
    expect(errorOf(fileOf(one)).details).toBeUndefined();
    const both = file({ version: 1, sets: [{ name: 'a', mocks: [one, one] }] });
    expect(errorOf(both).details).toHaveLength(2);
  });

  it('with the place of what is wrong', () => {
    const mock: Mock = { target: { path: '/0' }, delay: Number.MAX_VALUE };
    expect(errorOf(fileOf(mock))).toMatchObject({
      message:
        'Couldn’t read the mocks: /sets/0/mocks/0/delay: delay must be a number of milliseconds from 0 to 120000.',
    });
  });
});
