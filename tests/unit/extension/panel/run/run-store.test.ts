/** Stores past runs within limits, and survives damaged and newer data. */
import { randomBytes } from 'node:crypto';
import 'fake-indexeddb/auto';
import { type IDBPDatabase, openDB } from 'idb';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../../lib/extension/inspector/contract.ts';
import { HISTORY_LIMITS } from '../../../../../lib/extension/messaging/model/stored-data.ts';
import { describeRetention } from '../../../../../lib/extension/panel/run/history/retention.ts';
import { RunHistory } from '../../../../../lib/extension/panel/run/history/run-history.ts';
import { readRunFile, RunFileWriter, writeRunFile } from '../../../../../lib/extension/panel/run/history/run-file.ts';
import { createRunStore, SAVED_PAYLOADS } from '../../../../../lib/extension/panel/run/history/run-database.ts';
import type { RunRecord } from '../../../../../lib/extension/panel/run/history/run-store.ts';

let databases = 0;
const database = (): string => `runs-${++databases}`;
const record = (id: string, more: Partial<RunRecord> = {}): RunRecord => ({
  id,
  subject: 'http://localhost/1/2',
  title: 'App · action',
  number: 1,
  payload: '{}',
  startedAt: Number(id.replace(/\D/g, '')) || 1,
  state: 'completed',
  milliseconds: 5,
  tracing: 'observed',
  error: null,
  size: 0,
  cut: false,
  ...more,
});
const line = (n: number, text: string): AgentEvent => ({
  kind: 'console',
  n,
  runId: 'r',
  at: n,
  step: null,
  level: 'log',
  args: [{ t: 'string', v: text, length: text.length }],
});

const start = (runId: string): AgentEvent => ({
  kind: 'run-started',
  n: 1,
  runId,
  at: 0,
  tracing: 'observed',
  payload: { t: 'null' },
  context: { t: 'null' },
  startedAt: 1,
});
/** About 5,000 bytes even when compressed. */
const step = (runId: string, n: number): AgentEvent => ({
  kind: 'step-started',
  n,
  runId,
  at: n,
  step: n,
  parent: null,
  path: '/0',
  iteration: [],
  stepKind: 'function',
  name: randomBytes(3_300).toString('base64'),
  settings: { t: 'null' },
});
const end = (runId: string, n: number): AgentEvent => ({
  kind: 'run-ended',
  n,
  runId,
  at: n,
  state: 'completed',
  result: { t: 'string', v: 'the result', length: 10 },
  milliseconds: 5,
});

describe('past runs', () => {
  it('are listed per action, newest first, and survive a reload of the panel', async () => {
    const name = database();
    const before = createRunStore(undefined, name);
    await before.put(record('r1'));
    await before.put(record('r3'));
    await before.put(record('r2', { subject: 'another' }));
    await before.append('r1', [line(1, 'a')]);
    await before.append('r1', [line(2, 'b'), line(3, 'c')]);
    const after = createRunStore(undefined, name);
    expect((await after.list('http://localhost/1/2')).map((run) => run.id)).toEqual(['r3', 'r1']);
    expect((await after.events('r1')).map((event) => event.n)).toEqual([1, 2, 3]);
    expect(await after.nextNumber('http://localhost/1/2')).toBe(2);
  });

  it('are removed with their events', async () => {
    const store = createRunStore(undefined, database());
    await store.put(record('r1'));
    await store.append('r1', [line(1, 'a')]);
    await store.remove('r1');
    expect(await store.get('r1')).toBeUndefined();
    expect(await store.events('r1')).toEqual([]);
  });

  it('over the quota lose their steps, keep their start and end, and are reported', async () => {
    const store = createRunStore({ size: 6_000, largeRun: 100 }, database());
    for (const id of ['r1', 'r2']) {
      await store.put(record(id, { steps: { total: 0, stored: 0 } }));
      await store.append(id, [start(id), step(id, 2), end(id, 3)]);
    }
    expect(await store.enforceLimits('r2')).toMatchObject([{ record: { id: 'r1' }, how: 'thinned', why: 'size' }]);
    expect((await store.events('r1')).map(({ kind }) => kind)).toEqual(['run-started', 'run-ended']);
    expect(await store.get('r1')).toMatchObject({ thinned: true, payload: '{}', steps: { total: 1, stored: 0 } });
    expect((await store.get('r1'))!.size).toBeLessThan(1_000);
    expect(await store.events('r2')).toHaveLength(3);
  });

  it('that lost their steps are reported until the report is dismissed, and the list of runs has changed', async () => {
    const errors: string[] = [];
    const history = new RunHistory({
      store: createRunStore({ size: 6_000, largeRun: 100 }, database()),
      inspector: null as never,
      subject: () => record('r').subject,
      isRunning: () => true,
      onError: ({ code }) => errors.push(code),
    });
    for (const id of ['r1', 'r2']) {
      await history.begin(record(id, { state: 'running' }));
      history.append(id, [start(id), step(id, 2), end(id, 3)]);
      history.finish(record(id), 1);
    }
    await history.idle();
    expect(describeRetention(history.retained.value, HISTORY_LIMITS)).toEqual([
      'Removed the steps of 1 run of “App · action”: all runs are limited to 100 MB.',
    ]);
    expect(history.records.value.map(({ id, thinned }) => `${id} ${thinned ?? false}`)).toEqual([
      'r2 false',
      'r1 true',
    ]);
    await history.pin('r2', true);
    await history.begin(record('r3', { state: 'running' }));
    history.append('r3', [start('r3'), step('r3', 2), end('r3', 3)]);
    history.finish(record('r3'), 1);
    await history.idle();
    expect(errors).toEqual(['RUNS_PINNED']);
    expect(history.records.value[0]).toMatchObject({ id: 'r3', thinned: true, state: 'completed', cut: false });
  });

  it('that are pinned stay whole, and no more are pinned than fit', async () => {
    const store = createRunStore({ size: 6_000, largeRun: 100 }, database());
    for (const id of ['r1', 'r2']) {
      await store.put(record(id));
      await store.append(id, [start(id), step(id, 2), end(id, 3)]);
    }
    await store.pin('r1', true);
    await expect(store.pin('r2', true)).rejects.toMatchObject({
      code: 'RUNS_PINNED',
      value: { hint: expect.stringContaining('Unpin') },
    });
    expect(await store.enforceLimits('r2')).toMatchObject([{ record: { id: 'r2' }, how: 'thinned', why: 'pinned' }]);
    expect(await store.events('r1')).toHaveLength(3);
    await store.pin('r1', false);
    expect(await store.get('r1')).toMatchObject({ pinned: false });
  });

  it('count the bytes that are stored, not the characters of their events', async () => {
    const name = database();
    const store = createRunStore(undefined, name);
    await store.put(record('r1'));
    await store.append('r1', [line(1, 'x'.repeat(100_000)), line(2, 'y'.repeat(100_000))]);
    const { size, characters } = (await store.get('r1'))!;
    const db = await openDB(name);
    const stored = (await db.getAll('events')) as Uint8Array[];
    db.close();
    expect(size).toBe(stored.reduce((sum, { byteLength }) => sum + byteLength, 0));
    expect(size).toBeLessThan(2_000);
    expect(characters).toBeGreaterThan(200_000);
  });

  it('beyond the size limit are cut, keep their start and end, and know how many steps they had', async () => {
    const store = createRunStore({ sizeOfRun: 6_000 }, database());
    await store.put(record('r1', { steps: { total: 0, stored: 0 } }));
    await store.append('r1', [start('r1'), step('r1', 2)]);
    await store.append('r1', [step('r1', 3), step('r1', 4)]);
    expect(await store.append('r1', [step('r1', 5), end('r1', 6)])).toMatchObject({
      cut: true,
      steps: { total: 4, stored: 1 },
    });
    expect((await store.events('r1')).map((event) => event.n)).toEqual([1, 2, 6]);
  });

  it('have a limit before compression, too', async () => {
    const store = createRunStore({ charactersOfRun: 1_000 }, database());
    await store.put(record('r1'));
    expect(await store.append('r1', [line(1, 'x'.repeat(2_000))])).toMatchObject({ cut: true, size: 0 });
  });

  it('close the database when another page erases it', async () => {
    const name = database();
    const store = createRunStore(undefined, name);
    await store.put(record('r1'));
    await new Promise<void>((done, failed) => {
      const erase = indexedDB.deleteDatabase(name);
      erase.addEventListener('success', () => done());
      erase.addEventListener('blocked', () => failed(new Error('still held')));
    });
    expect(await store.list('http://localhost/1/2')).toEqual([]);
  });

  it('of a newer version stay unchanged, and an error says so', async () => {
    const name = database();
    (await openDB(name, 99)).close();
    await expect(createRunStore(undefined, name).list('x')).rejects.toMatchObject({
      code: 'RUNS_NEWER',
      value: { hint: expect.stringContaining('Update') },
    });
    expect((await openDB(name)).version).toBe(99);
  });
});

/** As early versions of the panel created it. */
async function openFirst(name: string): Promise<IDBPDatabase> {
  return openDB(name, 1, {
    upgrade(db) {
      const runs = db.createObjectStore('runs', { keyPath: 'id' });
      runs.createIndex('subject', 'subject');
      runs.createIndex('startedAt', 'startedAt');
      db.createObjectStore('events');
      db.createObjectStore('payloads', { keyPath: ['subject', 'name'] }).createIndex('subject', 'subject');
    },
  });
}

describe('a database of version 1', () => {
  it('is read in full: runs, events as text and as objects, and payloads', async () => {
    const name = database();
    const db = await openFirst(name);
    await db.put('runs', record('r1'));
    await db.put('runs', record('r2'));
    await db.put('events', [line(1, 'a'), line(2, 'b')], ['r1', 1]);
    await db.put('events', JSON.stringify([line(3, 'c')]), ['r1', 3]);
    await db.put('payloads', { subject: 's', name: 'one', text: '{"a":1}', savedAt: 1 });
    db.close();
    const store = createRunStore(undefined, name);
    expect(await store.list('http://localhost/1/2')).toMatchObject([{ id: 'r2' }, { id: 'r1' }]);
    expect(JSON.parse(JSON.stringify(await store.events('r1')))).toEqual([line(1, 'a'), line(2, 'b'), line(3, 'c')]);
    expect(await store.payloads('s')).toEqual([{ subject: 's', name: 'one', text: '{"a":1}', savedAt: 1 }]);
    expect(await store.countQuarantined()).toBe(0);
  });

  it('has its sizes converted, because they were counted in characters before compression', async () => {
    const name = database();
    const db = await openFirst(name);
    await db.put('runs', record('r1', { size: 6_000, cut: true }));
    await db.put('runs', { id: 'damaged', size: 6_000 });
    db.close();
    expect(await createRunStore(undefined, name).list()).toEqual([
      record('r1', { size: 1_000, characters: 6_000, cut: true }),
    ]);
  });

  it('that another window blocks is reported, and opens when that window is closed', async () => {
    const name = database();
    const held = await openFirst(name);
    await expect(createRunStore(undefined, name, 20).list('s')).rejects.toMatchObject({ code: 'RUNS_BLOCKED' });
    held.close();
    expect(await createRunStore(undefined, name).list('s')).toEqual([]);
  });
});

describe('damaged records', () => {
  it('are quarantined with their events and counted, and the others stay', async () => {
    const name = database();
    const db = await openFirst(name);
    await db.put('runs', record('r1'));
    await db.put('runs', { ...record('r2'), number: 'two' });
    await db.put('runs', { id: 'r3' });
    await db.put('events', JSON.stringify([line(1, 'a')]), ['r2', 1]);
    await db.put('payloads', { subject: 's', name: 'one', text: 7 });
    db.close();
    const store = createRunStore(undefined, name);
    expect((await store.list('http://localhost/1/2')).map(({ id }) => id)).toEqual(['r1']);
    expect(await store.payloads('s')).toEqual([]);
    expect(await store.countQuarantined()).toBe(4);
    const saved = await openDB(name);
    expect(
      (await saved.getAll('aside')).map(({ store, key }: { store: string; key: unknown }) => [store, key]),
    ).toEqual([
      ['payloads', ['s', 'one']],
      ['runs', 'r2'],
      ['runs', 'r3'],
      ['events', ['r2', 1]],
    ]);
    expect(await saved.getAllKeys('runs')).toEqual(['r1']);
    expect(await saved.count('events')).toBe(0);
    expect(await saved.count('payloads')).toBe(0);
    saved.close();
    expect(await createRunStore(undefined, name).countQuarantined()).toBe(4);
  });

  it.each([
    ['cut off', '[{"kind":"con'],
    ['of another form', '[{"kind":"consul"}]'],
    ['no text', 5],
  ])('of a run’s events, %s, cost no more than themselves', async (_what, damaged) => {
    const name = database();
    const store = createRunStore(undefined, name);
    await store.put(record('r1'));
    await store.append('r1', [line(1, 'a')]);
    await store.append('r1', [line(5, 'b')]);
    const db = await openDB(name);
    await db.put('events', damaged, ['r1', 3]);
    expect((await store.events('r1')).map(({ n }) => n)).toEqual([1, 5]);
    expect(await store.countQuarantined()).toBe(1);
    expect(await db.getAll('aside')).toMatchObject([{ store: 'events', key: ['r1', 3], record: damaged }]);
    db.close();
  });
});

describe('saved payloads', () => {
  it('are saved per action and name, and the oldest are removed', async () => {
    const store = createRunStore(undefined, database());
    await store.savePayload({ subject: 's', name: 'one', text: '{"a":1}', savedAt: 1 });
    await store.savePayload({ subject: 's', name: 'one', text: '{"a":2}', savedAt: 2 });
    await store.savePayload({ subject: 'other', name: 'one', text: '{}', savedAt: 3 });
    expect(await store.payloads('s')).toEqual([{ subject: 's', name: 'one', text: '{"a":2}', savedAt: 2 }]);
    for (let at = 3; at < 3 + SAVED_PAYLOADS; at++)
      await store.savePayload({ subject: 's', name: `p${at}`, text: '{}', savedAt: at });
    const names = (await store.payloads('s')).map((payload) => payload.name);
    expect(names).toHaveLength(SAVED_PAYLOADS);
    expect(names).not.toContain('one');
    await store.removePayload('s', 'p3');
    expect(await store.payloads('s')).toHaveLength(SAVED_PAYLOADS - 1);
  });
});

describe('payloads of all actions', () => {
  it('are limited, and the oldest are removed', async () => {
    const store = createRunStore({ payloads: 3 }, database());
    for (let at = 1; at <= 5; at++)
      await store.savePayload({ subject: `s${at}`, name: 'one', text: '{}', savedAt: at });
    expect(
      (await Promise.all([1, 2, 3, 4, 5].map((at) => store.payloads(`s${at}`)))).map(({ length }) => length),
    ).toEqual([0, 0, 1, 1, 1]);
  });

  it('are saved beside damaged ones that something else has written meanwhile', async () => {
    const name = database();
    const store = createRunStore({ payloads: 1 }, name);
    await store.payloads('s');
    const db = await openDB(name);
    await db.put('payloads', { subject: 's', name: 'damaged', text: '{}', savedAt: 1n });
    await db.put('debugging', { text: '{}', savedAt: 1n }, ['s', 'damaged']);
    db.close();
    await store.savePayload({ subject: 's', name: 'one', text: '{}', savedAt: 2 });
    expect((await store.payloads('s')).map((payload) => payload.name)).toEqual(['one']);
    await store.putDebugging('s', 'one', '{"a":1}');
    expect(await store.debugging('s', 'one')).toBe('{"a":1}');
  });
});

describe('an exported file of runs', () => {
  const runs = [{ record: record('r1'), events: [line(1, '</script>')] }];
  const file = writeRunFile(runs);

  it('reads what was written', () => {
    const read = readRunFile(file);
    expect(read.ok && JSON.parse(JSON.stringify(read.value))).toEqual(runs);
  });

  it('is refused as soon as it would be too large', () => {
    const writer = new RunFileWriter(500);
    writer.add(runs[0]!);
    expect(() => writer.add(runs[0]!)).toThrow(expect.objectContaining({ code: 'RUNS_EXPORT_TOO_LARGE' }));
  });

  it.each([
    ['not JSON', '{', 'FILE_NOT_JSON'],
    ['something else', '{"runs":[]}', 'FILE_NOT_RUNS'],
    ['of another version', file.replace('"version":1', '"version":2'), 'FILE_NOT_RUNS'],
    ['with a damaged event', file.replace('"console"', '"consul"'), 'FILE_NOT_RUNS'],
    [
      'with less than no lost events',
      file.replace('"milliseconds":5', '"milliseconds":5,"dropped":-1'),
      'FILE_NOT_RUNS',
    ],
    ['with a damaged record', file.replace('"milliseconds":5', '"milliseconds":"5"'), 'FILE_NOT_RUNS'],
    ['with null for a run', '{"format":"platform-devtools-runs","version":1,"runs":[null]}', 'FILE_NOT_RUNS'],
  ])('that is %s is refused', (_name, text, code) => {
    expect(readRunFile(text)).toMatchObject({ ok: false, error: { code } });
  });
});
