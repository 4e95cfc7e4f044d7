/** Tests why the `if` steps of recorded runs took their branches. */
import { describe, expect, it } from 'vitest';
import { textOfSegments } from '../../../../lib/debugging/why/inline-text.ts';
import { type StepWhy, whyOf } from '../../../../lib/debugging/why/why-of.ts';
import type { Pipeline } from '../../../../lib/pipeline/index.ts';
import { doubledValue } from '../doubled-value.ts';
import { record } from '../record.ts';

const text = (why: StepWhy | undefined): string[] =>
  why?.state === 'evaluated'
    ? why.conditions.map((one) =>
        'segments' in one ? `${one.state}: ${textOfSegments(one.segments)}` : JSON.stringify(one),
      )
    : [JSON.stringify(why)];
const branches = (conditions: string[]): Pipeline[number] => ({
  type: 'if',
  conditions: conditions.map((condition) => ({ condition, functions: [{ function: 'add' }] })),
});
const functions = {
  add: (_: unknown, context: Record<string, unknown>) => void (context.total = Number(context.total ?? 0) + 1),
};

describe('why an if took its branch', () => {
  const loop: Pipeline = [
    { type: 'loop', items: 'list', functions: [branches(['currentItem.ok == true', 'total > 1', 'never'])] },
  ];
  const list = [{ ok: true }, { ok: false }, { ok: true }, { ok: 'no' }];

  it('has each condition up to the one that decided, in the context of that time', async () => {
    const { recording } = await record(loop, functions, { payload: { list } });
    const indexes = recording.steps.flatMap(({ kind }, index) => (kind === 'if' ? [index] : []));
    const found = await whyOf(recording, indexes);
    expect(indexes.map((index) => text(found.get(index)))).toEqual([
      ['true: true == true'],
      ['false: false == true', 'false: 1 > 1', 'false: undefined'],
      ['true: true == true'],
      ['false: "no" == true', 'true: 2 > 1'],
    ]);
  });

  it('has only the steps that were asked for and are an if', async () => {
    const { recording } = await record(loop, functions, { payload: { list } });
    const asked = recording.steps.findIndex(({ kind, iteration }) => kind === 'if' && iteration?.[0] === 2);
    const found = await whyOf(recording, [asked, 0, 999, -1]);
    expect([...found.keys()]).toEqual([asked]);
  });

  it('has values of that time, although the context has changed since', async () => {
    const { recording } = await record(
      [branches(['tags.length']), { function: 'add' }, { function: 'more' }],
      { ...functions, more: (_, { tags }) => void (tags as string[]).push('late') },
      { payload: { tags: ['early'] } },
    );
    const why = (await whyOf(recording, [0])).get(0)!;
    expect(why.state === 'evaluated' && why.conditions[0]).toMatchObject({
      rows: [{ value: 1 }, { value: ['early'] }],
    });
  });

  it('has values that have the same object many times', async () => {
    const why = (await whyOf(doubledValue(100), [101])).get(101);
    expect(text(why)).toEqual([expect.stringMatching(/^true: \{/)]);
  });

  it('uses the recorded times and random numbers of all conditions of the step', async () => {
    const { recording } = await record(
      [branches(['Math.random() > 1', 'Math.random() > 2 || Date.now() < 5', 'Date.now() > 5'])],
      functions,
    );
    Object.assign(recording.steps[0]!, { random: [0.25, 0.5], now: [7, 8] });
    expect(text((await whyOf(recording, [0])).get(0))).toEqual([
      'false: 0.25 > 1',
      'false: 0.5 > 2 || 7 < 5',
      'true: 8 > 5',
    ]);
  });

  it('is that it was forced: no condition is shown as evaluated', async () => {
    const { recording } = await record([branches(['n > 1', 'n == 1'])], functions, {
      payload: { n: 5 },
      observer: { before: ({ kind }) => (kind === 'if' ? { branch: 1, by: 'debugger' } : undefined) },
    });
    expect((await whyOf(recording, [0])).get(0)).toEqual({ state: 'forced', by: 'debugger', branch: 1 });
  });

  it('is what failed, up to the condition that failed', async () => {
    const { recording } = await record([branches(['a > 1', 'user.nme.length > 1', 'a'])], functions, {
      payload: { a: 1, user: { name: 'Ada' } },
    });
    const why = (await whyOf(recording, [0])).get(0)!;
    expect(text(why)).toEqual(['false: 1 > 1', 'failed: user.nme.length > 1']);
    expect(why.state === 'evaluated' && why.conditions[1]).toMatchObject({
      failed: { message: 'user.nme is undefined. Did you mean “name”?' },
    });
  });

  it('is unknown if the recording doesn’t have the value, or doesn’t match its pipeline', async () => {
    const { recording } = await record([branches(['user.secret.x == 1'])], functions, {
      payload: { user: { secret: { x: 1 } } },
    });
    recording.payload = { user: { secret: { $: 'lost', value: 'masked' } } };
    const lost = (await whyOf(recording, [0])).get(0)!;
    expect(lost.state === 'evaluated' && lost.conditions[0]).toMatchObject({ state: 'unknown' });

    const other = await record([{ function: 'add' }, branches(['true'])], functions);
    other.recording.steps[0]!.path = '/7';
    expect((await whyOf(other.recording, [1])).get(1)).toEqual({
      state: 'unknown',
      why: 'The recording can’t be replayed up to this step.',
    });
    const code = await record([branches(['true'])], functions);
    code.recording.pipeline = [{ type: 'if', conditions: [{ condition: { $: 'lost', value: 'not-data' } }] }];
    expect((await whyOf(code.recording, [0])).get(0)?.state).toBe('unknown');
  });

  it('replays only up to the last step that was asked for', async () => {
    const { recording } = await record([branches(['true']), { function: 'add' }, branches(['true'])], functions);
    const late = recording.steps.at(-1)!;
    Object.defineProperty(late, 'kind', { get: () => expect.fail('It was replayed, too.') });
    expect((await whyOf(recording, [0])).get(0)?.state).toBe('evaluated');
  });
});
