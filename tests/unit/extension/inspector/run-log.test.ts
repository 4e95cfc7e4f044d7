// @vitest-environment happy-dom
/** Tests the log of run events: numbered, bounded, with a step's start and end together where they can be. */
import { describe, expect, it } from 'vitest';
import { RunLog, type StepEntry } from '../../../../lib/extension/inspector/run/agent/run-log.ts';
import { ENDED, STARTED, STARTED_AND_ENDED } from '../../../../lib/extension/inspector/run/event-format.ts';

const site = (id: number) => ({ definition: [id, '/0', 0, 'name', null] as never, size: 1, batch: 0 });

function step(number: number, of = site(1), runId = 'r'): StepEntry {
  const rest = { parent: 0, iteration: [], changes: [], end: 0, state: 0, endChanges: [], rest: undefined };
  return { type: STARTED, n: 0, runId, size: 1, step: number, at: number, site: of, ...rest };
}

function filled(steps: number, maxEvents = 10, maxChars = 1_000) {
  const log = new RunLog(maxEvents, maxChars);
  for (let n = 1; n <= steps; n++) log.add(step(n));
  return { log, ...readerOf(log) };
}

function readerOf(log: RunLog) {
  const list = (after: number, chars = 1_000) => JSON.parse(log.read(after, chars).events) as unknown[][];
  const read = (after: number, chars = 1_000): [unknown[], number] => {
    const { events, dropped } = log.read(after, chars);
    return [(JSON.parse(events) as unknown[][]).map((item) => item[1]), dropped];
  };
  return { list, read };
}

describe('the log of run events', () => {
  it('returns the events after a number, in batches of at least one event', () => {
    const { log, read } = filled(4);
    expect(read(0)).toEqual([[1, 2, 3, 4], 0]);
    expect(read(2)).toEqual([[3, 4], 0]);
    expect(read(4)).toEqual([[], 0]);
    expect(read(99)).toEqual([[], 0]);
    expect(log.lastSeq()).toBe(4);
    expect([read(0, 1), read(1, 0)]).toEqual([
      [[1], 0],
      [[2], 0],
    ]);
  });

  it('holds a limited number of events, and counts those that it dropped', () => {
    const { read } = filled(13);
    expect([read(0), read(1), read(5)]).toEqual([
      [[4, 5, 6, 7, 8, 9, 10, 11, 12, 13], 3],
      [[4, 5, 6, 7, 8, 9, 10, 11, 12, 13], 2],
      [[6, 7, 8, 9, 10, 11, 12, 13], 0],
    ]);
  });

  it('holds a limited number of characters, and the newest event in any case', () => {
    const { log, read } = filled(9, 10, 4);
    expect(read(0)).toEqual([[6, 7, 8, 9], 5]);
    log.add({ ...step(10), size: 6 });
    expect(read(0)).toEqual([[10], 9]);
  });

  it('keeps its events when it moves them, after it has dropped very many', () => {
    const { read } = filled(25_000, 100, 1e9);
    expect(read(0, 1)).toEqual([[24_901], 24_900]);
    expect(read(24_990, 1e9)).toEqual([Array.from({ length: 10 }, (_, i) => 24_991 + i), 0]);
  });

  it('forgets events that were read without counting them as dropped, and holds those that weren’t', () => {
    const { log, read } = filled(6);
    read(2);
    read(4);
    read(3);
    read(99);
    log.forgetRead();
    expect([read(0), read(4)]).toEqual([
      [[5, 6], 0],
      [[5, 6], 0],
    ]);
    for (let n = 7; n <= 16; n++) log.add(step(n));
    expect([read(0), read(4), read(5)]).toEqual([
      [[7, 8, 9, 10, 11, 12, 13, 14, 15, 16], 2],
      [[7, 8, 9, 10, 11, 12, 13, 14, 15, 16], 2],
      [[7, 8, 9, 10, 11, 12, 13, 14, 15, 16], 1],
    ]);
  });

  it('adds a step’s end to its start if nothing was added or read since', () => {
    const { log, list } = filled(0);
    const shared = site(1);
    const first = step(1, shared);
    log.add(first);
    expect(log.addEnd(first, 5, 0, [], { value: 'v' })).toBe(true);
    const second = step(2, shared);
    log.add(second);
    log.add(step(3, shared));
    expect(log.addEnd(second, 6, 0, [], undefined)).toBe(false);
    expect(log.lastSeq()).toBe(4);
    expect(list(0)).toEqual([
      [STARTED_AND_ENDED, 1, 1, 1, 0, [1, '/0', 0, 'name', null], [], [], 5, 0, [], { value: 'v' }],
      [STARTED, 3, 2, 2, 0, 1, [], []],
      [STARTED, 4, 3, 3, 0, 1, [], []],
    ]);
    expect(list(1)).toHaveLength(3);
    expect(list(2)).toHaveLength(2);
  });

  it('doesn’t change a step that has been read', () => {
    const { log, list } = filled(0);
    const only = step(1);
    log.add(only);
    list(0);
    expect(log.addEnd(only, 5, 0, [], undefined)).toBe(false);
    log.add({ ...only, type: ENDED, site: null, end: 5 });
    expect(list(1)).toEqual([[ENDED, 2, 1, 5, 0, []]]);
  });

  it('has each definition once in every batch that refers to it', () => {
    const { log, list } = filled(0);
    const shared = site(1);
    for (let n = 1; n <= 2; n++) log.add(step(n, shared));
    log.add(step(3, site(2)));
    const definitions = (after: number, chars?: number) =>
      list(after, chars).map((item) => (Array.isArray(item[5]) ? item[5][0] : `refers to ${item[5] as number}`));
    expect(definitions(0)).toEqual([1, 'refers to 1', 2]);
    expect(definitions(1)).toEqual([1, 2]);
  });

  it('says to which run the first event belongs', () => {
    const { log } = filled(1);
    log.add(step(2, site(1), 'other'));
    expect([log.read(0, 1).runId, log.read(1, 1).runId, log.read(2, 1).runId]).toEqual(['r', 'other', '']);
  });

  it('reports ahead of its turn how the latest run completed', () => {
    const { log } = filled(2);
    const end = (state: string) => ({ kind: 'run-ended', n: 0, runId: 'r', at: 9, state, milliseconds: 9 }) as never;
    const add = (event: { n: number }) => {
      event.n = log.lastSeq() + 1;
      log.add({ type: null, n: 0, runId: 'r', size: 1, event: event as never });
    };
    expect(log.read(0, 1).ahead).toBeUndefined();
    add(end('completed'));
    expect(log.read(0, 1).ahead).toMatchObject({ kind: 'run-ended', n: 3 });
    // It's among the events, or was before.
    expect([log.read(0, 9).ahead, log.read(3, 9).ahead]).toEqual([undefined, undefined]);
    // Why a run failed is shown at its step, which has to arrive first.
    add(end('failed'));
    expect(log.read(0, 1).ahead).toBeUndefined();
  });
});
