/** What both versions did is compared in order, kind by kind, and with how they ended. */
import { describe, expect, test } from 'vitest';
import { ActionRun, UnknownEffects } from '../../../../lib/cli/migrate/effects/action-run.ts';
import type { Clone } from '../../../../lib/cli/migrate/effects/clone.ts';
import {
  effectDifferences,
  type End,
  type RunEffects,
  unknownEnd,
} from '../../../../lib/cli/migrate/effects/differences.ts';

const message = (to: string) => ({ what: 'message', value: { kind: 'email', to } });
const entry = (name: string) => ({ what: 'entry', value: { dataSourceId: 503, data: { name } } });
const request = (kind: string) => ({
  what: 'request',
  value: { method: 'GET', url: 'x', headers: { kind }, body: null },
});
const run = (effects: object[], end: End = { result: 'done' }): RunEffects => ({ effects, end }) as RunEffects;
const failing = (name: string, text: string): End => ({ failure: { name, message: text } });

const ALL = [message('one'), message('two'), entry('Ada'), request('person')];

test('the same effects and end aren’t a difference', () => {
  expect(effectDifferences(run(ALL), run(structuredClone(ALL)))).toEqual([]);
  expect(effectDifferences(run([], failing('Error', 'No')), run([], failing('Error', 'No')))).toEqual([]);
});

test('values that are nested too deeply aren’t a difference, but unknown', () => {
  const nested = (leaf: number): object => {
    let value: object = { leaf };
    for (let depth = 0; depth < 300; depth++) value = { value };
    return value;
  };
  const [one, other] = [run([], { result: nested(1) }), run([], { result: nested(2) })];
  expect(effectDifferences(one, other)).toEqual([]);
  expect(unknownEnd(one, other)).toBe('A value is nested too deeply to be compared.');
});

describe('a difference is', () => {
  test.each<[string, object[], object[]]>([
    [
      'two messages that changed their places',
      [message('two'), message('one'), entry('Ada'), request('person')],
      [
        { what: 'message', index: 0, place: '/to', v2: 'one', v3: 'two' },
        { what: 'message', index: 1, place: '/to', v2: 'two', v3: 'one' },
      ],
    ],
    [
      'an entry that is missing',
      [message('one'), message('two'), request('person')],
      [{ what: 'entry', index: 0, place: '', v2: entry('Ada').value }],
    ],
    [
      'a message too many',
      [...ALL, message('three')],
      [{ what: 'message', index: 2, place: '', v3: message('three').value }],
    ],
    [
      'a header of a request',
      [message('one'), message('two'), entry('Ada'), request('company')],
      [{ what: 'request', index: 0, place: '/headers/kind', v2: 'person', v3: 'company' }],
    ],
    [
      'another kind that comes first',
      [message('one'), entry('Ada'), message('two'), request('person')],
      [{ what: 'order', index: 1, place: '', v2: 'message', v3: 'entry' }],
    ],
  ])('%s', (_, effects, differences) => {
    expect(effectDifferences(run(ALL), run(effects))).toEqual(differences);
  });

  test.each<[string, End, End, object]>([
    ['another result', { result: 'a' }, { result: 'b' }, { what: 'result', v2: 'a', v3: 'b' }],
    [
      'another name of the error',
      failing('Error', 'No'),
      failing('TypeError', 'No'),
      { what: 'failure', v2: { name: 'Error', message: 'No' }, v3: { name: 'TypeError', message: 'No' } },
    ],
    [
      'a failure instead of a result',
      { result: 'a' },
      failing('Error', 'No'),
      { what: 'failure', v2: { result: 'a' }, v3: { name: 'Error', message: 'No' } },
    ],
  ])('%s', (_, v2, v3, difference) => {
    expect(effectDifferences(run([], v2), run([], v3))).toEqual([{ place: '', ...difference }]);
  });
});

test('a run that fails in V2’s engine is never equal: V3 fails in other words', () => {
  const [v2, v3] = [run([], failing('ConditionError', 'a')), run([], failing('TypeError', 'b'))];
  expect(effectDifferences(v2, v3)).toEqual([]);
  expect(unknownEnd(v2, v3)).toMatch(/^Both versions failed/);
  expect(unknownEnd(run([], failing('Error', 'a')), v3)).toBeNull();
});

describe('a run that was stopped', () => {
  const running = async (details: object) => {
    const effects: unknown[] = [];
    const ask = (_method: string, path: string) =>
      Promise.resolve(
        path.includes('run-with-result')
          ? { status: 422, body: { error: 'ACTION_FAILED', message: 'It failed.', details } }
          : { status: 201, body: { action: { id: 1 } } },
      );
    return (await ActionRun.v2({ effects, ask } as unknown as Clone, 101, { name: 'a', functions: [] })).run({});
  };

  test.each(['OutOfMemory', 'TooMuchOutput', 'RunnerEnded', 'RunnerUnavailable', 'Interrupted'])(
    'says nothing, so that two of them aren’t equal: %s',
    async (errorType) => {
      const errorMessage = 'The action exceeded a limit and was stopped.';
      await expect(running({ errorType, errorMessage })).rejects.toThrow(new UnknownEffects(errorMessage));
    },
  );

  test('isn’t one that failed on its own', async () => {
    const details = { errorType: 'TypeError', errorMessage: 'a is undefined' };
    expect((await running(details)).end).toEqual({ failure: { name: 'TypeError', message: 'a is undefined' } });
  });
});
