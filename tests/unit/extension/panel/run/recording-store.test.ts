/** Stores runs' recordings and what actions are debugged with, within the limits of runs. */
import { randomBytes } from 'node:crypto';
import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../../../lib/debugging/recording/format.ts';
import { createRunStore } from '../../../../../lib/extension/panel/run/history/run-database.ts';
import type { RunRecord } from '../../../../../lib/extension/panel/run/history/run-store.ts';

let databases = 0;
const database = (): string => `recordings-${++databases}`;
const record = (id: string): RunRecord => ({
  id,
  subject: 'http://localhost/1/2',
  title: 'App · action',
  number: 1,
  payload: '{}',
  startedAt: Number(id.slice(1)),
  state: 'completed',
  milliseconds: 5,
  tracing: 'observed',
  error: null,
  size: 0,
  cut: false,
});
const recording = (more: Partial<Recording> = {}): Recording => ({
  format: 'platform-devtools/run',
  version: 1,
  startedAt: '2026-11-26T00:00:00.000Z',
  milliseconds: 1,
  engine: 'ours',
  pipeline: [],
  payload: {},
  steps: [],
  end: { state: 'stopped' },
  lost: 0,
  ...more,
});
/** More than 3,000 bytes even when compressed. */
const large = (): Recording => recording({ payload: randomBytes(3_300).toString('base64') });

describe('a recording', () => {
  it('is stored compressed beside its run, which says so', async () => {
    const name = database();
    const store = createRunStore(undefined, name);
    await store.put(record('r1'));
    const step = { kind: 'function' as const, path: '/0', at: 1, milliseconds: 1, state: 'completed' as const };
    const whole = recording({ lost: 2, steps: Array<typeof step>(1_200).fill(step) });
    expect(await store.putRecording('r1', whole)).toMatchObject({ recording: { lost: 2 } });
    const reopened = createRunStore(undefined, name);
    expect((await reopened.get('r1'))!.recording!.size).toBeLessThan(1_000);
    expect(JSON.parse((await reopened.recording('r1'))!)).toEqual(whole);
    expect(await reopened.recording('r2')).toBeUndefined();
  });

  it('of a run that isn’t stored, or over the limit per run, isn’t stored', async () => {
    const store = createRunStore({ sizeOfRun: 1_000 }, database());
    await store.put(record('r1'));
    expect(await store.putRecording('r1', large())).toBeUndefined();
    expect(await store.putRecording('r2', recording())).toBeUndefined();
    expect(await store.recording('r1')).toBeUndefined();
    expect(await store.get('r1')).not.toHaveProperty('recording');
  });

  it('is removed with its run', async () => {
    const name = database();
    const store = createRunStore(undefined, name);
    await store.put(record('r1'));
    await store.putRecording('r1', recording());
    await store.remove('r1');
    const db = await openDB(name);
    expect(await db.count('recordings')).toBe(0);
    db.close();
  });

  it('counts for the limits, and is removed with the steps of its run', async () => {
    const store = createRunStore({ size: 6_000, largeRun: 100 }, database());
    for (const id of ['r1', 'r2']) {
      await store.put(record(id));
      await store.putRecording(id, large());
    }
    expect(await store.enforceLimits('r2')).toMatchObject([{ record: { id: 'r1' }, how: 'thinned', why: 'size' }]);
    expect(await store.recording('r1')).toBeUndefined();
    expect(await store.get('r1')).toMatchObject({ thinned: true });
    expect(await store.get('r1')).not.toHaveProperty('recording');
    expect(await store.recording('r2')).toBeDefined();
  });

  it('that is damaged is quarantined', async () => {
    const name = database();
    const store = createRunStore(undefined, name);
    await store.put(record('r1'));
    const db = await openDB(name);
    await db.put('recordings', new Uint8Array([1, 2]), 'r1');
    expect(await store.recording('r1')).toBeUndefined();
    expect(await store.countQuarantined()).toBe(1);
    await db.put('recordings', new Uint8Array([3]), 'unknown');
    expect(await createRunStore(undefined, name).countQuarantined()).toBe(2);
    db.close();
  });
});

describe('what an action is debugged with', () => {
  it('is stored per action and name', async () => {
    const name = database();
    const store = createRunStore(undefined, name);
    await store.putDebugging('a', 'breakpoints', '[1]');
    await store.putDebugging('a', 'mocks', '[2]');
    await store.putDebugging('b', 'mocks', '[3]');
    const reopened = createRunStore(undefined, name);
    expect(await reopened.debugging('a', 'mocks')).toBe('[2]');
    expect(await reopened.debugging('b', 'breakpoints')).toBeUndefined();
  });

  it('is bounded: the oldest is removed', async () => {
    const store = createRunStore({ payloads: 2 }, database());
    for (const subject of ['a', 'b', 'c']) await store.putDebugging(subject, 'mocks', subject);
    const left = await Promise.all(['a', 'b', 'c'].map((subject) => store.debugging(subject, 'mocks')));
    expect(left.filter((text) => text !== undefined)).toHaveLength(2);
    expect(left[2]).toBe('c');
  });
});
