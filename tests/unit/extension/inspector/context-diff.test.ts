/** Tests that the context at any step can be rebuilt from the events of a run. */
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../lib/extension/inspector/contract.ts';
import { ContextDiff } from '../../../../lib/extension/inspector/run/agent/context-diff.ts';
import type { CompactValue } from '../../../../lib/extension/inspector/compact-value.ts';
import { openPage, type Page } from './support/page.ts';
import { contextAtEnd } from './support/rebuild.ts';

let page: Page;
afterEach(() => page.close());

/** A runtime whose run does each of `mutations` (source text) as one step, and stores the context’s JSON after each. */
const runtime = `ENV = {}; Platform = { App: { Actions: { Pipeline: { features: ['observer'], async run({ observer }) {
  context = JSON.parse(new URLSearchParams(location.search).get('payload')); truths = [];
  for (let i = 0; i < mutations.length; i++) {
    const info = { path: '/' + i, iteration: [], kind: 'function', name: 'm', step: {}, context };
    observer.before(info); mutations[i](context); observer.after(info, { state: 'completed' });
    try { truths.push(JSON.stringify(context)) } catch { truths.push('null') }
  }
} } } } };`;

async function traced(payload: string, mutations: string): Promise<{ events: AgentEvent[]; truths: unknown[] }> {
  page.run(`mutations = ${mutations}`);
  const events = await page.finish(payload);
  return { events, truths: (page.run('truths') as string[]).map((text) => JSON.parse(text) as unknown) };
}

function expectRebuilt(events: AgentEvent[], truths: unknown[]): void {
  const ends = events.flatMap((event, i) => (event.kind === 'step-ended' ? [i] : []));
  expect(ends).toHaveLength(truths.length);
  ends.forEach((end, step) => expect(contextAtEnd(events.slice(0, end + 1))).toEqual(truths[step]));
}

describe('the context at each step', () => {
  it('can be rebuilt after any changes', async () => {
    page = await openPage({ before: runtime });
    const key = fc.constantFrom('a', 'b/c', '~d', 'list', '__proto__x', '');
    const json = fc
      .jsonValue({ maxDepth: 3 })
      .filter((value) => !JSON.stringify(value).includes('__proto__"') && !JSON.stringify(value).includes('-0'));
    const mutation = fc.oneof(
      fc.tuple(key, json).map(([name, value]) => `c => { c[${JSON.stringify(name)}] = ${JSON.stringify(value)} }`),
      key.map((name) => `c => { delete c[${JSON.stringify(name)}] }`),
      fc
        .tuple(key, key, json)
        .map(
          ([name, inner, value]) =>
            `c => { const o = c[${JSON.stringify(name)}]; if (typeof o === 'object' && o && !Array.isArray(o)) o[${JSON.stringify(inner)}] = ${JSON.stringify(value)} }`,
        ),
      json.map(
        (value) => `c => { if (Array.isArray(c.list)) c.list.push(${JSON.stringify(value)}); else c.list = [1, 2, 3] }`,
      ),
      fc.nat(4).map((count) => `c => { if (Array.isArray(c.list)) c.list.splice(0, ${count}) }`),
      fc.constant(`c => { c.list = Array.isArray(c.list) ? [...c.list].reverse() : [] }`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(key, json, { maxKeys: 4 }),
        fc.array(mutation, { maxLength: 12 }),
        async (payload, mutations) => {
          const { events, truths } = await traced(JSON.stringify(payload), `[${mutations.join(',')}]`);
          expectRebuilt(events, truths);
        },
      ),
      { numRuns: 100 },
    );
  }, 30_000);

  it('finds a new name or a getter in place of a property, although the number of properties is the same', async () => {
    page = await openPage({ before: runtime });
    const mutations = `[(c) => { delete c.a; c.b = 1 }, () => {}, (c) => Object.defineProperty(c, 'b', { get: () => 1 })]`;
    const { events } = await traced('{"a":1}', mutations);
    expect(
      events.flatMap((event) => (event.kind === 'step-ended' ? [event.changes.map(({ path }) => path)] : [])),
    ).toEqual([['/b', '/a'], [], ['/b']]);
  });

  it('reports one change of a value when very many inside it change', async () => {
    page = await openPage({ before: runtime });
    const { events, truths } = await traced('{"small":1,"o":{}}', '[c => { for (let i = 0; i < 55; i++) c.o[i] = i }]');
    const end = events.find((event) => event.kind === 'step-ended');
    expect(end).toMatchObject({ changes: [{ path: '/o' }] });
    expectRebuilt(events, truths);
  });

  it('reports when it was too large to compare in depth, and still what was replaced', async () => {
    page = await openPage({ before: runtime });
    const { events } = await traced(
      '{}',
      '[c => { c.big = Array.from({ length: 30000 }, () => ({})) }, c => { c.big[5].x = 1; c.small = 1 }, c => { c.big = [] }]',
    );
    const ends = events.filter((event) => event.kind === 'step-ended');
    expect(ends[1]).toMatchObject({ shallow: true, changes: [{ path: '/small' }] });
    expect(ends[2]).toMatchObject({ changes: [{ path: '/big', after: { t: 'array', length: 0 } }] });
    expect(ends[2]).not.toHaveProperty('shallow');
  });

  it('isn’t compared in haste when it has very many names, and says so', () => {
    let lists = 0;
    const names = Array.from({ length: 1_100 }, (_, index): [string, number] => [`name${index}`, index]);
    const context = new Proxy(Object.fromEntries(names), {
      ownKeys: (target) => (lists++, Reflect.ownKeys(target)),
    });
    const diff = new ContextDiff(context, (value) => value as CompactValue);
    diff.compare(context, 20_000);
    expect(diff.isShallow).toBe(false);
    const before = lists;
    context.name1 = 0;
    for (let step = 0; step < 100; step++) {
      expect(diff.compareProperties(context, 500)).toEqual([]);
      expect(diff.compare(context, 500)).toEqual([]);
      expect(diff.isShallow).toBe(true);
    }
    expect(lists).toBe(before);
    diff.compareProperties(context, 500);
    expect(diff.compare(context, 20_000)).toEqual([['/name1', 1, 0]]);
    // It can be from before this step.
    expect(diff.isShallow).toBe(true);
    diff.compareProperties(context, 20_000);
    diff.compare(context, 20_000);
    expect(diff.isShallow).toBe(false);
  });

  it('is compared without harm when it has cycles, getters, foreign objects, or proxies', async () => {
    page = await openPage({ before: runtime });
    const { events } = await traced(
      '{}',
      `[
      c => { c.me = c; c.node = document.body; c.map = new Map(); Object.defineProperty(c, 'bad', { enumerable: true, get() { throw 1 } }) },
      c => { c.after = 1 },
      c => { c.proxy = new Proxy({}, { ownKeys() { throw 1 } }) },
      c => { delete c.proxy; c.later = 1 }]`,
    );
    const ends = events.filter((event) => event.kind === 'step-ended');
    expect(ends[0]).toMatchObject({
      changes: [
        { path: '/me' },
        { path: '/node', after: { t: 'node' } },
        { path: '/map' },
        { path: '/bad', after: { t: 'unreadable' } },
      ],
    });
    expect(ends[1]).toMatchObject({ changes: [{ path: '/after' }] });
    expect(ends[2]).toMatchObject({ shallow: true });
    expect(ends[3]).toMatchObject({ changes: [{ path: '/later' }] });
  });

  it('keeps the value of a handle as it was at that step', async () => {
    page = await openPage({ before: runtime });
    const { events } = await traced(
      '{}',
      '[c => { c.list = Array.from({ length: 40 }, (_, i) => ({ i, v: [i] })) }, c => { c.list[39].v[0] = "changed" }]',
    );
    const first = events.find((event) => event.kind === 'step-ended');
    if (first?.kind !== 'step-ended' || first.changes[0]?.after?.t !== 'array') throw new Error('no change');
    const last = page.agent('expand', first.changes[0].after.handle!, 39, 1);
    expect(last).toMatchObject({
      items: [
        {
          entries: [
            ['i', { v: 39 }],
            ['v', { items: [{ v: 39 }] }],
          ],
        },
      ],
    });
  });
});
