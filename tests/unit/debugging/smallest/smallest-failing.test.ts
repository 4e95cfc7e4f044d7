/** Tests the search for the smallest payload with which a recorded run still fails. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Mock } from '../../../../lib/debugging/mocks/types.ts';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import { ddmin } from '../../../../lib/debugging/smallest/ddmin.ts';
import {
  smallestFailing,
  type SmallestFailure,
  type SmallestOptions,
  type SmallestProgress,
} from '../../../../lib/debugging/smallest/smallest-failing.ts';
import type { Context, Pipeline, PipelineFunction } from '../../../../lib/pipeline/index.ts';
import { functions as randomFunctions, payload, pipeline } from '../../pipeline/random-pipelines.ts';
import { debugged } from '../debugged-run.ts';
import { record } from '../record.ts';

interface Item {
  id: number;
  data?: { email?: string; name?: string };
}

const step = (functionPackage: string) => ({ functionPackage });
const COUNT = {
  functionPackage: 'com.platform.function.set-context',
  settings: { assign: { count: '(count ?? 0) + 1' } },
};
const READ = { functionPackage: 'com.platform.function.read-datasource', settings: { dataSourceId: 1 } };
const CHECK = {
  functionPackage: 'com.example.function.check-address',
  settings: { address: '{{currentItem.data.email}}' },
};
const each = (items: string, ...functions: Pipeline) => ({ type: 'loop' as const, items, functions });
const branch = (condition: string, ...functions: Pipeline) => ({
  type: 'if' as const,
  conditions: [{ condition, functions }],
});

const ITEMS: Item[] = Array.from({ length: 40 }, (_, id) => ({
  id,
  data: { email: `user${id}@example.com`, name: `User ${id}` },
}));
const BROKEN: Item[] = ITEMS.map((item) => (item.id === 23 ? { ...item, data: undefined! } : item)).map(
  ({ data, ...item }) => (data ? { ...item, data } : item),
);

const functions: Record<string, PipelineFunction> = {
  read: (_, context) => void (context.records = structuredClone(BROKEN)),
  send: (_, { currentItem }) => {
    const item = currentItem as Item & { sent?: boolean };
    if (item.id === 23) throw new Error('No address');
    item.sent = true;
    return { sent: item.id };
  },
  count: (_, context) => void (context.count = Number(context.count ?? 0) + 1),
  'com.platform.function.read-datasource': async (_, context) => void (context.records = structuredClone(BROKEN)),
  'com.platform.function.set-context': (_, context) => void (context.count = Number(context.count ?? 0) + 1),
  'com.example.function.check-address': (_, { currentItem }) => {
    const address = (currentItem as Item).data!.email!;
    if (!address.includes('@')) throw new TypeError(`“${address}” isn’t an email address.`);
  },
};

async function search(steps: Pipeline, given: Context = {}, options: SmallestOptions = {}): Promise<SmallestFailure> {
  const { recording } = await record(steps, functions, { payload: given });
  const found = await smallestFailing(recording, options);
  if (!found.ok) throw new Error(found.error.code);
  return found.value;
}

describe('the smallest failing payload', () => {
  it('has only the item without the property that a condition reads', async () => {
    const found = await search([COUNT, each('records', branch('currentItem.data.email.length > 3'))], {
      records: BROKEN,
      others: { since: '2026-11-01', limit: [1, 2, 3] },
    });
    expect(found.payload).toEqual({ records: [{}] });
    expect(found).toMatchObject({ ended: 'complete', unjudged: null });
    expect(found.error).toMatchObject({ code: 'CONDITION_FAILED', path: '/1/functions/0', iteration: [0] });
    expect(found.best).toBeLessThan(found.size / 20);
  });

  it('keeps what leads to the failure, such as a flag and the start of a text', async () => {
    const steps = [branch('flags.isStrict && text.startsWith("ab")', branch('missing.x'))];
    const found = await search(steps, { flags: { isStrict: true, isOther: true }, text: 'abcdefgh', more: [1, 2] });
    expect(found.payload).toEqual({ flags: { isStrict: true }, text: 'ab' });
  });

  it('has the value for which a function failed, and says how many removals would give it another', async () => {
    const records = ITEMS.map((item) => (item.id === 23 ? { ...item, data: { email: 'user23', name: 'x' } } : item));
    const found = await search([each('list.records', CHECK)], { list: { records }, other: 1 });
    expect(found.payload).toEqual({ list: { records: [{ data: { email: 'user23' } }] } });
    expect(found.error).toMatchObject({ message: expect.stringContaining('“user23”'), iteration: [0] });
    expect(found.unjudged).toMatchObject({
      count: expect.any(Number),
      first: { state: 'other-input', package: CHECK.functionPackage, difference: { of: 'settings' } },
    });
  });

  it('removes nothing that a function of someone’s own might read', async () => {
    const given = { list: ITEMS.slice(0, 2), email: 'bad' };
    const refuse = { ...functions, refuse: () => Promise.reject(new Error('No.')) };
    const { recording } = await record([step('refuse'), branch('email')], refuse, { payload: given });
    const found = await smallestFailing(recording);
    expect(found).toMatchObject({
      ok: true,
      value: { payload: given, ended: 'complete', unjudged: { first: { path: '/0', difference: { of: 'context' } } } },
    });
  });

  it('is a payload that fails with the outcomes as they were recorded, not only with smaller ones', async () => {
    const steps = [READ, branch('records.length < 5 + ids.length * 2', branch('missing.x'))];
    const found = await search(steps, { ids: ITEMS.slice(0, 30).map(({ id }) => id), other: 1 });
    expect(found.payload).toEqual({ ids: expect.any(Array) });
    const real = await record(steps, functions, { payload: found.payload as Context });
    expect(real.recording.end).toMatchObject({ state: 'failed', error: { code: 'CONDITION_FAILED' } });
    expect(found.recording.steps[0]!.changes).toEqual([['/records', []]]);
  });

  it('makes recorded data small, too', async () => {
    const found = await search([step('read'), COUNT, each('records', branch('currentItem.data.email > ""'))]);
    expect(found.payload).toEqual({});
    const changes = found.recording.steps.map((one) => one.changes);
    expect(changes.filter(Boolean)).toEqual([[['/records', [{}]]], [['/count', 1]]]);
    expect(await replay(found.recording)).toMatchObject({ state: 'failed', error: { code: 'CONDITION_FAILED' } });
  });

  it('removes items of several loops over the same array, and of nested arrays', async () => {
    const records = ITEMS.slice(0, 24).map((item) => ({
      ...item,
      parts: [{ n: 1 }, { n: item.id === 23 ? null : 2 }],
    }));
    const steps = [
      each('records', COUNT),
      each('records', each('currentItem.parts', branch('currentItem.n.toFixed() != ""', COUNT))),
    ];
    const found = await search(steps, { records });
    expect(found.payload).toEqual({ records: [{ parts: [{ n: null }] }] });
    expect(found.error.iteration).toEqual([0, 0]);
  });

  it('isn’t for another failure of the same condition', async () => {
    const found = await search([branch('user.address.city.length > 1')], {
      user: { address: { zip: 1 }, name: 'Ada' },
    });
    expect(found.payload).toEqual({ user: { address: {} } });
  });

  it('uses mocks, so that iterations don’t depend on recorded ones', async () => {
    const mocks: Mock[] = [
      { target: { package: 'send' }, condition: 'currentItem.id == 23', outcome: { error: { message: 'No address' } } },
      { target: { package: 'send' }, outcome: {} },
    ];
    const found = await search([each('records', step('send'))], { records: ITEMS }, { mocks });
    expect(found.payload).toEqual({ records: [{ id: 23 }] });
  });

  it('accepts what the caller calls the same failure', async () => {
    const isSameFailure = () => true;
    const found = await search([branch('user.address.city.length > 1')], { user: { address: {} } }, { isSameFailure });
    expect(found.payload).toEqual({});
  });

  it('reports its progress, and ends with the best so far when it’s canceled', async () => {
    const stop = new AbortController();
    const seen: SmallestProgress[] = [];
    const onProgress = (progress: SmallestProgress): void => {
      seen.push(progress);
      if (progress.best < progress.size) stop.abort();
    };
    const records = Array.from({ length: 3_000 }, (_, id) => ({ id, ...(id === 1_234 ? {} : { data: {} }) }));
    const { recording } = await record(
      [each('records', branch('currentItem.data.email'))],
      {},
      { payload: { records } },
    );
    const found = await smallestFailing(recording, { signal: stop.signal, onProgress });
    expect(found).toMatchObject({ ok: true, value: { ended: 'canceled', error: { code: 'CONDITION_FAILED' } } });
    expect(seen[0]).toMatchObject({ tried: 0 });
    expect(seen.at(-1)!.best).toBeLessThan(seen[0]!.size);
    const best = (found as { value: SmallestFailure }).value;
    expect(JSON.stringify(best.payload).length).toBeLessThan(seen[0]!.size);
  });

  it('ends at the limit of replays', async () => {
    const found = await search([each('records', branch('currentItem.data.x'))], { records: BROKEN }, { limit: 3 });
    expect(found).toMatchObject({ ended: 'limit', tried: 3 });
  });

  it('is refused for a run that didn’t fail, or whose replay fails in another way', async () => {
    const { recording } = await record([step('count')], functions);
    expect(await smallestFailing(recording)).toMatchObject({ ok: false, error: { code: 'SMALLEST_NOT_FAILED' } });
    const failed = await record([step('read'), each('records', step('send'))], functions);
    const refused = (mocks: SmallestOptions['mocks']) => smallestFailing(failed.recording, { mocks: mocks! });
    const error = { code: 'SMALLEST_NOT_REPEATED', message: expect.stringContaining('The replay completes.') };
    expect(await refused([{ target: { path: '/1' }, outcome: {} }])).toMatchObject({ ok: false, error });
    const other = { code: 'SMALLEST_NOT_REPEATED', message: expect.stringContaining('The replay fails at /0.') };
    expect(await refused([{ target: { package: 'read' }, outcome: { error: { message: 'x' } } }])).toMatchObject({
      error: other,
    });
    const more = [{ target: { package: 'send' }, condition: 'currentItem.id == 23', outcome: {} }];
    expect(await refused(more)).toMatchObject({
      error: { message: expect.stringContaining('The recording has no outcome for send at /1/functions/0 #25.') },
    });
  });

  it('is refused for a run that failed at the same condition with another error, as in another engine', async () => {
    const { recording } = await record([branch('a.b')], functions, { payload: { c: 1 } });
    const { end } = recording;
    if (end.state !== 'failed') throw new Error('It didn’t fail.');
    expect(await smallestFailing(recording)).toMatchObject({ ok: true });
    const other = { ...recording, end: { ...end, error: { ...end.error, message: 'Quota exceeded.' } } };
    expect(await smallestFailing(other)).toMatchObject({
      error: { code: 'SMALLEST_NOT_REPEATED', message: expect.stringContaining('fails with another error: ') },
    });
  });

  it('is refused for a run whose context was edited in a pause, since nobody edits it again', async () => {
    const fail: PipelineFunction = (_, { qty }) => {
      if (Number(qty) > 10) throw new RangeError('too much');
    };
    const edits = { '/0': (context: Context) => void (context.qty = 99) };
    const { recording } = await debugged([step('check')], { check: fail }, { payload: { qty: 1 }, edits });
    expect(await smallestFailing(recording)).toMatchObject({ error: { code: 'SMALLEST_EDITED' } });
    const failures = [{ edit: (context: Context) => void (context.qty = 5) }];
    const later = await debugged([step('check')], { check: fail }, { payload: { qty: 99 }, failures });
    expect(await smallestFailing(later.recording)).toMatchObject({ error: { code: 'SMALLEST_EDITED' } });
  });

  it('names the packages of which only the settings were compared', async () => {
    const send = 'com.platform.function.send-email';
    const { recording } = await record(
      [step(send), step('check')],
      { [send]: () => undefined, check: () => Promise.reject(new Error('no')) },
      { payload: { locale: 'de' } },
    );
    const mocks = [{ target: { package: 'check' }, outcome: { error: { message: 'no' } } }];
    expect(await smallestFailing(recording, { mocks })).toMatchObject({
      value: { payload: {}, assumes: [`Assumed to read only their settings: ${send}.`] },
    });
  });

  it('is refused for a run with a step that was retried or forced, since nobody does that again', async () => {
    const functions = { check: () => Promise.reject(new Error('no')) };
    const { recording } = await debugged([step('check')], functions, { failures: [{ answer: { retry: true } }] });
    expect(await smallestFailing(recording)).toMatchObject({ error: { code: 'SMALLEST_EDITED' } });
    const forced = await debugged([step('check'), step('check')], functions, { failures: [{ answer: { value: 1 } }] });
    expect(await smallestFailing(forced.recording)).toMatchObject({ error: { code: 'SMALLEST_EDITED' } });
  });

  it('fails like the run, and can be replayed, for any failing run', async () => {
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(pipeline, payload, async (steps, given) => {
        const { recording } = await record(steps, randomFunctions, { payload: given });
        if (recording.end.state !== 'failed') return;
        failed++;
        const found = await smallestFailing(recording, { limit: 300 });
        const { code, path, message } = recording.end.error;
        expect(found).toMatchObject({ ok: true, value: { error: { code, path, message } } });
        const { recording: smallest, best, size } = (found as { value: SmallestFailure }).value;
        expect(best).toBeLessThanOrEqual(size);
        expect(await replay(smallest)).toMatchObject({ state: 'failed', error: { code, path, message } });
        const again = await smallestFailing(smallest as Recording, { limit: 300 });
        expect(again.ok && again.value.best).toBeLessThanOrEqual(best);
      }),
      { numRuns: Number(process.env.RUNS ?? 150) },
    );
    expect(failed).toBeGreaterThan(10);
  });
});

it('delta debugging finds the pieces that are needed, without any that isn’t', () =>
  fc.assert(
    fc.asyncProperty(fc.nat(60), fc.uniqueArray(fc.nat(59), { maxLength: 5 }), async (count, wanted) => {
      const needed = wanted.filter((index) => index < count).toSorted((one, other) => one - other);
      let tests = 0;
      const found = await ddmin(count, async (kept) => {
        tests++;
        return needed.every((index) => kept.includes(index));
      });
      expect(found).toEqual(needed);
      expect(tests).toBeLessThan(count * 8 + 20);
    }),
  ));
