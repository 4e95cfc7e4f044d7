/** Tests that the panel accepts data from a page only in the contract's shape. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseBatch,
  parseEvents,
  parseRemoteValue,
  parseStart,
  parseState,
} from '../../../../lib/extension/inspector/run/parse.ts';
import { observedRuntime, openPage } from './support/page.ts';

describe('parsing what the run part reports', () => {
  it('accepts what the agent reports unchanged', async () => {
    const page = await openPage({ before: observedRuntime });
    const state = JSON.parse(
      page.run(`this['platform-devtools.agent'].call('run', 'state', ['Platform'])`) as string,
    ) as unknown;
    expect(parseState(state)).toEqual(state);
    await page.finish('{"a":[1,{"b":null}]}');
    const reading = JSON.parse(
      page.run(`this['platform-devtools.agent'].call('run', 'read', [0, 1e6, 'Platform'])`) as string,
    ) as object;
    expect(parseBatch(reading)).toEqual({ ...reading, invalid: 0 });
    await page.close();
  });

  it('returns null for any other JSON, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const parse of [parseState, parseBatch, parseRemoteValue, parseStart]) expect(parse(value)).toBeNull();
      }),
    );
  });

  it('leaves out invalid events, and counts them', () => {
    const base = { n: 1, runId: 'r', at: 0 };
    const events = [
      { ...base, kind: 'console', step: null, level: 'log', args: [{ t: 'string', v: 'x', length: 1 }] },
      { ...base, kind: 'console', step: null, level: 'shout', args: [] },
      { ...base, kind: 'console', step: -1, level: 'log', args: [] },
      { ...base, kind: 'else' },
      { ...base, n: 'x', kind: 'console', step: null, level: 'log', args: [] },
      null,
    ];
    const reading = parseBatch({ documentId: 'd', events, lastSeq: 1, dropped: 0, fingerprint: '' });
    expect(reading?.events).toEqual([events[0]]);
    expect(reading?.invalid).toBe(5);
  });

  it('rejects a value that is deeper than any of the agent', () => {
    let value: unknown = { t: 'null' };
    for (let i = 0; i < 100_000; i++) value = { t: 'array', length: 1, items: [value] };
    expect(parseRemoteValue(value)).toBeNull();
  });

  it('drops fields that the contract doesn’t have', () => {
    expect(parseRemoteValue({ t: 'boolean', v: true, html: '<b>' })).toEqual({ t: 'boolean', v: true });
  });

  it('rejects a number that parses as infinity', () => {
    const step = (at: string): unknown =>
      JSON.parse(
        `{"documentId":"d","lastSeq":1,"dropped":0,"fingerprint":"","events":[{"n":1,"runId":"r","at":${at},"kind":"request-ended","request":1,"status":200,"bytes":1}]}`,
      );
    expect(parseBatch(step('1e308'))?.invalid).toBe(0);
    expect(parseBatch(step('1e309'))?.invalid).toBe(1);
  });

  it('limits a start time to what Date can represent', () => {
    const started = {
      n: 1,
      runId: 'r',
      at: 0,
      kind: 'run-started',
      tracing: 'bare',
      payload: { t: 'null' },
      context: { t: 'null' },
      startedAt: 1e300,
    };
    const [event] = parseEvents([started])?.events ?? [];
    expect(event).toMatchObject({ startedAt: 8.64e15 - 86_400_000 });
  });

  it('rejects a value with more parts than any of the agent', () => {
    const list = (length: number) => ({ t: 'array', length, items: Array.from({ length }, () => ({ t: 'null' })) });
    expect(parseRemoteValue(list(19_999))).not.toBeNull();
    expect(parseRemoteValue(list(20_000))).toBeNull();
  });

  it('rejects a change at a path so deep that many of them would overflow the stack', () => {
    const step = (path: string) => ({
      n: 1,
      runId: 'r',
      at: 0,
      kind: 'step-ended',
      step: 1,
      state: 'completed',
      changes: [{ path, after: { t: 'null' } }],
    });
    expect(
      parseBatch({
        documentId: 'd',
        events: [step('/a'.repeat(60)), step('/a'.repeat(61))],
        lastSeq: 1,
        dropped: 0,
        fingerprint: '',
      }),
    ).toMatchObject({ events: [{ changes: [{ path: '/a'.repeat(60) }] }], invalid: 1 });
  });
});
