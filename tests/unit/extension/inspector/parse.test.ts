/** Tests that the panel accepts data from a page only in the contract's shape. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../lib/extension/inspector/contract.ts';
import {
  parseBatch,
  parseEvents,
  parseRemoteValue,
  parseStart,
  parseState,
} from '../../../../lib/extension/inspector/run/parse.ts';
import { createEventWriter } from '../../../../lib/extension/inspector/run/write-events.ts';
import { EVENTS } from '../../../fuzz/samples.ts';
import { observedRuntime, openPage } from './support/page.ts';

describe('parsing what the run part reports', () => {
  it('accepts what the agent reports', async () => {
    const page = await openPage({ before: observedRuntime });
    const state = JSON.parse(
      page.run(`this['platform-devtools.agent'].call('run', 'state', ['Platform'])`) as string,
    ) as { documentId: string };
    expect(parseState(state)).toEqual(state);
    await page.finish('{"a":[1,{"b":null}]}');
    const reading = JSON.parse(
      page.run(`this['platform-devtools.agent'].call('run', 'read', [0, 1e6, 'Platform'])`) as string,
    ) as object;
    expect(parseBatch(reading)).toMatchObject({ documentId: state.documentId, lastSeq: 13, dropped: 0, invalid: 0 });
    expect(parseBatch(reading)?.events.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
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
    const [event] = parseEvents([started], 'r')?.events ?? [];
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

describe('a run’s events', () => {
  const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  const written = (events: readonly AgentEvent[]) => json(events.map(createEventWriter())) as unknown[];

  it('are read as they were, in the form of earlier versions and in the compact one', () => {
    const asObjects = parseEvents(json(EVENTS), 'r');
    expect(asObjects).toEqual({ events: EVENTS, invalid: 0 });
    const compact = parseEvents(written(EVENTS), 'r');
    expect(compact?.invalid).toBe(0);
    expect(compact?.events).toEqual(
      EVENTS.map((event) => (event.kind === 'step-started' ? { ...event, changes: event.changes ?? [] } : event)),
    );
  });

  it('have the settings of a step that runs often written once', () => {
    const [start] = EVENTS.filter((event) => event.kind === 'step-started' && event.settings.t === 'object');
    const often = Array.from({ length: 1_000 }, (_, i) => ({ ...(start as AgentEvent), n: i + 1 }));
    const list = written(often);
    expect(JSON.stringify(list).length).toBeLessThan(100 * often.length);
    const read = parseEvents(list, 'r');
    expect(read?.events.map((event) => ({ ...event, changes: undefined }))).toEqual(often);
  });

  it('are counted as invalid when a definition is larger than any of the agent', () => {
    const item = (length: number) => [0, 1, 1, 0, 0, [1, '/0', 0, 'f', 'x'.repeat(length)], [], []];
    expect(parseEvents([item(99_000), item(100_000)], 'r')).toMatchObject({ events: [{ name: 'f' }], invalid: 1 });
  });

  it('are counted as invalid when a step’s definition is missing or wrong', () => {
    const end = [3, 2, 1, 5, 0, []];
    const items = [
      [0, 1, 1, 0, 0, 7, [], []],
      [0, 1, 1, 0, 0, [7, '/0', 3, 'f', null], [], []],
      end,
      [1, 2, 1, 5, 9, []],
    ];
    expect(parseEvents(items, 'r')).toEqual({ events: [], invalid: 4 });
  });
});
