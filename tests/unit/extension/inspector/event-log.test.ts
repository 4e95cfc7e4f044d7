/** Tests the agent's log: numbered, bounded, and with a count of what it dropped. */
import { describe, expect, it } from 'vitest';
import { createEventLog } from '../../../../lib/extension/inspector/agent/event-log.ts';

function filled(events: number, mostEvents = 10, mostChars = 1_000) {
  const log = createEventLog(mostEvents, mostChars);
  for (let n = 1; n <= events; n++) log.add(String);
  const read = (after: number, chars = 1_000): [number[], number] => {
    const { events, dropped } = log.read(after, chars);
    return [JSON.parse(events) as number[], dropped];
  };
  return { log, read };
}

describe('the log of an agent', () => {
  it('returns the events after a number, in batches of at least one event', () => {
    const { log, read } = filled(4);
    expect(read(0)).toEqual([[1, 2, 3, 4], 0]);
    expect(read(2)).toEqual([[3, 4], 0]);
    expect(read(4)).toEqual([[], 0]);
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
    log.add(() => '123456');
    expect(read(0)).toEqual([[123_456], 9]);
  });
});
