/** Tests that a recorded outcome counts only for the settings and the context that it was recorded with. */
import { describe, expect, it } from 'vitest';
import { inputSentence, inputTexts } from '../../../../lib/debugging/replay/inputs/input-texts.ts';
import { lost } from '../../../../lib/debugging/recording/values.ts';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import { replayWith, type WhatIf, type WhatIfRun } from '../../../../lib/debugging/replay/what-if.ts';
import { compileCondition, type Context, type Pipeline, fill } from '../../../../lib/pipeline/index.ts';
import { record } from '../record.ts';
import { ownPackages } from '../../migrate/run-both.ts';

const own = (name: string, settings: Record<string, unknown> = {}, more: object = {}) => ({
  functionPackage: `com.platform.function.${name}`,
  settings,
  ...more,
});
const CHECK = {
  functionPackage: 'com.example.function.check-address',
  settings: { address: '{{email}}' },
};
const functions = {
  ...Object.fromEntries(ownPackages(() => undefined)),
  'com.example.function.check-address': ({ address }: Context, context: Context) => {
    const filled = fill(address, (source) => compileCondition(source)(context));
    if (!/@/.test(String(filled))) throw new TypeError(`“${String(filled)}” isn’t an email address.`);
  },
  custom: (_: unknown, { a }: Context) => (a === undefined ? 'none' : 'some'),
  note: (_: unknown, context: Context) => void (context.noted = true),
  double: (_: unknown, context: Context) => void (context.total = Number(context.n) * 2),
};

async function whatIf(pipeline: Pipeline, payload: Context, change: WhatIf): Promise<WhatIfRun> {
  const { recording } = await record(pipeline, functions, { payload });
  return replayWith(recording, change);
}

/** What the end says about the input. */
function differenceOf({ end }: WhatIfRun): unknown[] {
  if (end.state !== 'other-input') return [end.state];
  const { of, pointer, recorded, replayed } = end.difference;
  return [end.path, of, pointer, recorded, replayed];
}

describe('a recorded outcome', () => {
  it('doesn’t count for another setting, as filled in, so a corrected payload isn’t called failing', async () => {
    const run = await whatIf([CHECK], { email: 'ada(at)x.example' }, { payload: { email: 'ada@x.example' } });
    expect(differenceOf(run)).toEqual(['/0', 'settings', '/address', 'ada(at)x.example', 'ada@x.example']);
    expect(run.end).toMatchObject({ package: CHECK.functionPackage, iteration: [] });
    expect(run.recording.end).toEqual({ state: 'stopped' });
  });

  it('counts for the same setting, whatever else is in the context', async () => {
    const run = await whatIf([CHECK], { email: 'bad', more: 1 }, { payload: { email: 'bad', other: [2] } });
    expect(run.end).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('“bad”') } });
  });

  it('counts for a setting that is written in another way, and gives the same', async () => {
    const pipeline = [{ ...CHECK, settings: { address: 'bad' } }];
    expect((await whatIf([CHECK], { email: 'bad' }, { pipeline })).end.state).toBe('failed');
    const other = await whatIf([CHECK], { email: 'bad' }, { pipeline: [{ ...CHECK, settings: { address: 'bed' } }] });
    expect(differenceOf(other)).toEqual(['/0', 'settings', '/address', 'bad', 'bed']);
  });

  it('of someone’s function doesn’t count for another context, even if it might not read what differs', async () => {
    const custom = [{ function: 'custom' }];
    expect(differenceOf(await whatIf(custom, { a: 1 }, { payload: {} }))).toEqual([
      '/0',
      'context',
      '/a',
      1,
      undefined,
    ]);
    const later = await whatIf(custom, { b: { c: [1, 2] } }, { payload: { b: { c: [1, 3] } } });
    expect(differenceOf(later)).toEqual(['/0', 'context', '/b/c/1', 2, 3]);
    const order = await whatIf(custom, { a: 1, b: 2 }, { payload: { b: 2, a: 1 } });
    expect(differenceOf(order).slice(0, 3)).toEqual(['/0', 'context', '']);
  });

  it('doesn’t count once a step before it is mocked, or isn’t run, and would have changed the context', async () => {
    const pipeline = [{ function: 'note' }, { function: 'custom' }];
    const mocks = [{ target: { path: '/0' }, outcome: {} }];
    expect(differenceOf(await whatIf(pipeline, {}, { mocks }))).toEqual(['/1', 'context', '/noted', true, undefined]);
    const without = await whatIf(pipeline, {}, { pipeline: pipeline.slice(1) });
    expect(differenceOf(without)).toEqual(['/0', 'context', '/noted', true, undefined]);
    const same = [{ target: { path: '/0' }, outcome: {}, changes: [['/noted', true] as [string, boolean]] }];
    expect((await whatIf(pipeline, {}, { mocks: same })).end).toEqual({ state: 'completed', result: 'none' });
  });

  it('doesn’t count in another iteration, or with another item', async () => {
    const loop = (items: string) => [{ type: 'loop' as const, items, functions: [{ function: 'custom' }] }];
    const payload = { one: [1, 2], two: [1, 3] };
    const run = await whatIf(loop('one'), payload, { pipeline: loop('two') });
    expect(differenceOf(run)).toEqual(['/0/functions/0', 'context', '/currentItem', 2, 3]);
    expect((await whatIf(loop('one'), payload, { pipeline: loop('one') })).end.state).toBe('completed');
  });

  it('counts again once the contexts are the same again', async () => {
    const pipeline = [own('set-context', { assign: { since: "'always'" } }), { function: 'custom' }];
    const loop = { type: 'loop' as const, range: { from: 1, to: 3 }, functions: [{ function: 'custom' }] };
    const run = await whatIf([...pipeline, loop], { since: 1 }, { payload: { since: 2 } });
    expect(run.end).toEqual({ state: 'completed', result: 'none' });
  });

  it('isn’t known to count if the context has a value that the recording doesn’t have', async () => {
    const { recording } = await record([{ function: 'custom' }], functions, { payload: { secret: 'x', b: 1 } });
    recording.payload = { secret: lost('masked'), b: 1 };
    expect((await replayWith(recording, {})).end.state).toBe('completed');
    const run = await replayWith(recording, { payload: { secret: null, b: 1 } });
    expect(run.end).toMatchObject({ state: 'unknown', path: '/0', cause: { reason: 'masked' } });
  });

  it('counts for settings that are masked, which an edited pipeline has as null', async () => {
    const pipeline = [{ function: 'custom', settings: { token: 'x' } }];
    const { recording } = await record(pipeline, functions);
    recording.pipeline = [{ function: 'custom', settings: { token: lost('masked') } }];
    const edited = [
      { function: 'custom', settings: { token: null } },
      { type: 'if', conditions: [] },
    ];
    expect((await replayWith(recording, { pipeline: edited })).end.state).toBe('completed');
  });
});

describe('a package that only computes', () => {
  const total = own('set-context', { assign: { total: 'n * 2', same: 'item' } });
  const result = own('return-string', { message: 'Total: {{total}}' });
  const stop = own('if', { condition: 'n > 5' }, { functions: [own('fail', { message: 'Too many: {{n}}' })] });

  it('does so for other input, and the run goes on with what it gives', async () => {
    const run = await whatIf([total, result], { n: 2, item: { a: 1 } }, { payload: { n: 4, item: { a: 1 } } });
    expect(run.end).toEqual({ state: 'completed', result: 'Total: 8' });
    expect(run.recording.steps[0]).toMatchObject({ state: 'completed', changes: [['/total', 8], expect.anything()] });
    expect(run.recording.steps[0]).not.toHaveProperty('replaced');
    expect(run.recording.steps[0]!.changes![1]).toEqual(['/same', { $: 'ref', value: '/item' }]);
    expect(await replay(run.recording)).toEqual(run.end);
  });

  it('sets a value that was there already when it was recorded', async () => {
    const pipeline = [own('set-context', { assign: { n: 'list.length' } }), own('return-string', { message: '{{n}}' })];
    const run = await whatIf(pipeline, { n: 0, list: [] }, { payload: { n: 1, list: [] } });
    expect(run.end).toEqual({ state: 'completed', result: '0' });
    expect(run.recording.steps[0]!.changes).toEqual([['/n', 0]]);
  });

  it('returns and throws values of every kind as text', async () => {
    const payload = { when: new Date(0), item: { a: [1n] }, nothing: null };
    const results = async (message: string) =>
      (await whatIf([own('return-string', { message })], { n: 1, ...payload }, { payload: { n: 2, ...payload } })).end;
    expect(await results('{{[when, n]}}')).toEqual({ state: 'completed', result: '["1970-01-01T00:00:00.000Z",2]' });
    expect(await results('{{n > 1 ? when : 0}}')).toEqual({ state: 'completed', result: '1970-01-01T00:00:00.000Z' });
    expect(await results('{{n > 1 ? item : 0}}')).toEqual({ state: 'completed', result: '{"a":["1"]}' });
    expect(await results('{{n > 1 ? nothing : 0}}')).toEqual({ state: 'completed', result: '' });
  });

  it('skips and fails as the input says, so that a run can fail that hadn’t', async () => {
    const run = await whatIf([stop, result], { n: 2, total: 0 }, { payload: { n: 6, total: 0 } });
    // There’s no recorded call of fail, by which it would be known what it does.
    expect(run.end).toMatchObject({ state: 'no-outcome', package: 'com.platform.function.fail' });
    const back = await whatIf([stop, result], { n: 6, total: 0 }, { payload: { n: 7, total: 0 } });
    expect(back.end).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('Too many: 7') } });
    expect(back.recording.steps[1]).toMatchObject({ state: 'failed', error: { message: 'Too many: 7' } });
    const none = await whatIf([stop], { n: 6 }, { payload: { n: 1 } });
    expect(none.end).toMatchObject({ state: 'completed' });
    expect(none.recording.steps[0]!.state).toBe('skipped');
  });

  it('is evaluated in an iteration that wasn’t recorded', async () => {
    const loop = [{ type: 'loop' as const, items: 'list', functions: [result] }];
    const run = await whatIf(loop, { list: [1], total: 3 }, { payload: { list: [1, 2], total: 3 } });
    expect(run.end).toEqual({ state: 'completed', result: 'Total: 3' });
  });

  it('isn’t evaluated if a package of that name did something else when it was recorded', async () => {
    const other = { ...functions, [result.functionPackage]: () => 'Another text' };
    const { recording } = await record([result], other, { payload: { total: 1 } });
    const run = await replayWith(recording, { payload: { total: 2 } });
    expect(differenceOf(run)).toEqual(['/0', 'context', '/total', 1, 2]);
    const sets = { ...functions, [total.functionPackage]: (_: unknown, context: Context) => void (context.total = 0) };
    const changed = await record([total], sets, { payload: { n: 1 } });
    expect(differenceOf(await replayWith(changed.recording, { payload: { n: 2 } }))).toContain('context');
  });

  it('is unknown if it reads the time, unless all that it gets is the same', async () => {
    const now = own('set-context', { assign: { at: 'Date.now() > 0 && n' } });
    const same = await whatIf([now, { function: 'custom' }], { n: 1 }, { payload: { n: 1 } });
    expect(same.end.state).toBe('completed');
    const run = await whatIf([own('set-context', { assign: { m: 'n' } }), now], { n: 1 }, { payload: { n: 2 } });
    expect(run.end.state).toMatch(/unknown|other-input/);
  });

  it('isn’t evaluated with a masked setting', async () => {
    const { recording } = await record([result, result], functions, { payload: { total: 1 } });
    (recording.pipeline as { settings: object }[])[1]!.settings = { message: '•••• {{total}}' };
    recording.steps[1]!.value = lost('masked');
    expect((await replayWith(recording, { payload: { total: 2 } })).end).toMatchObject({
      state: 'other-input',
      path: '/1',
    });
  });
});

describe('an outward package', () => {
  const read = own('read-datasource', { dataSourceId: 1, where: { city: '{{city}}' } });
  const data = (records: unknown) => ({
    ...functions,
    [read.functionPackage]: async (_: unknown, context: Context) => void (context.records = records),
  });

  it('has its recorded outcome for the same settings only', async () => {
    const { recording } = await record([read], data([{ id: 1 }]), { payload: { city: 'Oslo', n: 1 } });
    expect((await replayWith(recording, { payload: { city: 'Oslo', n: 2 } })).end.state).toBe('completed');
    const run = await replayWith(recording, { payload: { city: 'Rome', n: 1 } });
    expect(differenceOf(run)).toEqual(['/0', 'settings', '/where/city', 'Oslo', 'Rome']);
  });

  it('has its recorded outcome also if it found what was there already', async () => {
    const { recording } = await record([read], data([{ id: 1 }]), { payload: { city: 'Oslo', records: [{ id: 1 }] } });
    expect(recording.steps[0]!.changes).toEqual([['/records', [{ id: 1 }]]]);
    expect((await replayWith(recording, { payload: { city: 'Oslo', records: [] } })).end.state).toBe('completed');
  });

  it('counts as someone’s function if it did more than the platform’s package of that name', async () => {
    const more = {
      ...functions,
      [read.functionPackage]: (_: unknown, context: Context) => void Object.assign(context, { records: [], other: 1 }),
    };
    const { recording } = await record([read], more, { payload: { city: 'Oslo', n: 1 } });
    expect(differenceOf(await replayWith(recording, { payload: { city: 'Oslo', n: 2 } }))).toContain('context');
  });

  it('counts as someone’s function if it has a setting that the platform’s package of that name doesn’t have', async () => {
    const send = own('read-datasource', { dataSourceId: 1, cc: '{{mail}}' });
    const { recording } = await record([send], data([]), { payload: { mail: 'a@x.example' } });
    const run = await replayWith(recording, { payload: { mail: 'bad' } });
    expect(differenceOf(run)).toEqual(['/0', 'context', '/mail', 'a@x.example', 'bad']);
  });
});

describe('the text about other input', () => {
  const text = (pointer: string, values: object, of: 'settings' | 'context' = 'settings') =>
    inputSentence(inputTexts({ of, pointer, ...values }));

  it.each([
    [
      text('/address', { recorded: 'a', replayed: 'b' }),
      'Its setting “address” would be "b", and was "a" when it was recorded.',
    ],
    [
      text('/b/c', { recorded: 1 }, 'context'),
      '“b.c” in the context wouldn’t be there, and was 1 when it was recorded.',
    ],
    [
      text('/b', { replayed: null }, 'context'),
      '“b” in the context would be null, and wasn’t there when it was recorded.',
    ],
    [
      text('/headers/Authorization', { recorded: 'x', replayed: 'y' }),
      'Its setting “headers.Authorization” would be ••••, and was •••• when it was recorded.',
    ],
  ])('is %j', (sentence, expected) => expect(sentence).toBe(expected));
});
