/** Tests the poller that the run inspector and the OAuth2 inspector share, over a page that is described by data. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentDocument } from '../../../../lib/extension/inspector/agent-protocol.ts';
import { EventStream, type StreamEvent } from '../../../../lib/extension/inspector/event-stream.ts';
import type { ErrorValue, Result } from '../../../../lib/platform-api/errors.ts';

interface TestEvent {
  n: number;
}

const BUSY: ErrorValue = { code: 'PAGE_BUSY', message: 'The page is busy.' };
const UNREACHABLE: ErrorValue = { code: 'PAGE_UNREACHABLE', message: 'DevTools can’t inspect the page.' };
const TOO_LARGE: ErrorValue = { code: 'PAGE_ANSWER_TOO_LARGE', message: 'The response is too large.' };
const failure = (error: ErrorValue): { ok: false; error: ErrorValue } => ({ ok: false, error });

/** A page with a log. The sizes of its events, in characters, decide how many a batch holds. */
class TestPage {
  documentId = 'd1';
  fingerprint = 'f1';
  sizes: number[] = [];
  dropped = 0;
  invalid: number[] = [];
  error: ErrorValue | null = null;
  /** Responses above are too large. */
  maxResponse = 4_000_000;
  reads: { after: number; maxChars: number }[] = [];

  readDocument(): Promise<Result<AgentDocument>> {
    const { documentId, fingerprint } = this;
    return Promise.resolve(this.error ? failure(this.error) : { ok: true, value: { documentId, fingerprint } });
  }

  readEvents(after: number, maxChars: number) {
    this.reads.push({ after, maxChars });
    if (this.error) return Promise.resolve(failure(this.error));
    const events: TestEvent[] = [];
    let chars = 0;
    let invalid = 0;
    for (let n = after + 1; n <= this.sizes.length && (chars === 0 || chars < maxChars); n++) {
      chars += this.sizes[n - 1] ?? 0;
      if (this.invalid.includes(n)) invalid++;
      else events.push({ n });
    }
    if (chars > this.maxResponse) return Promise.resolve(failure(TOO_LARGE));
    const { documentId, fingerprint, dropped } = this;
    this.dropped = 0;
    const value = { documentId, fingerprint, dropped, events, invalid, lastSeq: this.sizes.length };
    return Promise.resolve({ ok: true as const, value });
  }
}

const opened: EventStream<AgentDocument, TestEvent>[] = [];
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const stream of opened.splice(0)) stream.dispose();
  vi.useRealTimers();
});

/** A stream that has polled once, and what it emitted since. */
async function open(page: TestPage, { startAfter = 0, isBusy = (): boolean => false } = {}) {
  const emitted: StreamEvent<AgentDocument, TestEvent>[] = [];
  let navigate = () => {};
  const stream = new EventStream<AgentDocument, TestEvent>({
    source: {
      readDocument: () => page.readDocument(),
      readEvents: (after, maxChars) => page.readEvents(after, maxChars),
      startAfter: () => startAfter,
    },
    emit: (event) => emitted.push(event),
    intervals: { busy: 10, idle: 1_000 },
    isBusy,
    onNavigated: (listener) => {
      navigate = listener;
      return () => (navigate = () => {});
    },
  });
  opened.push(stream);
  stream.pollSoon();
  await vi.advanceTimersByTimeAsync(0);
  const poll = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1_000);
  const seqs = () => emitted.flatMap((event) => (event.kind === 'events' ? event.events.map(({ n }) => n) : []));
  const kinds = () => emitted.map(({ kind }) => kind);
  return { stream, emitted, poll, seqs, kinds, navigate: () => navigate() };
}

describe('an event stream', () => {
  it('emits the page, then its events in order and each once', async () => {
    const page = new TestPage();
    page.sizes = [1, 1, 1];
    const { kinds, seqs, poll } = await open(page);
    await poll();
    page.sizes.push(1);
    await poll();
    expect(kinds()).toEqual(['page-changed', 'events', 'events']);
    expect(seqs()).toEqual([1, 2, 3, 4]);
  });

  it('starts after the number that the source gives for a new document', async () => {
    const page = new TestPage();
    page.sizes = [1, 1, 1];
    const { seqs } = await open(page, { startAfter: 2 });
    expect(seqs()).toEqual([3]);
  });

  it('catches up with a long log in one poll, in small batches, so that nothing new waits for a large one', async () => {
    const page = new TestPage();
    page.sizes = Array.from({ length: 50 }, () => 100_000);
    const { seqs } = await open(page);
    expect(seqs()).toHaveLength(50);
    expect(new Set(page.reads.map(({ maxChars }) => maxChars))).toEqual(new Set([250_000]));
    expect(page.reads.map(({ after }) => after)).toEqual(Array.from({ length: 17 }, (_, batch) => batch * 3));
  });

  it('ends a poll after 120 batches, and continues with the next poll', async () => {
    const page = new TestPage();
    page.sizes = Array.from({ length: 125 }, () => 250_000);
    const { seqs, poll } = await open(page);
    expect(seqs()).toHaveLength(120);
    await poll();
    expect(seqs()).toHaveLength(125);
  });

  it('reads one by one after a response that is too large as a whole', async () => {
    const page = new TestPage();
    page.sizes = [300_000, 3_900_000, 1];
    const { seqs, kinds, poll } = await open(page);
    await poll();
    expect(seqs()).toEqual([1, 2, 3]);
    expect(kinds()).not.toContain('events-dropped');
  });

  it('skips and counts a single event that is too large, without losing the page', async () => {
    const page = new TestPage();
    page.sizes = [1, 5_000_000, 1];
    const { emitted, seqs, kinds, poll } = await open(page);
    await poll();
    expect(seqs()).toEqual([1, 3]);
    expect(emitted).toContainEqual({ kind: 'events-dropped', documentId: 'd1', count: 1 });
    expect(kinds()).not.toContain('page-lost');
  });

  it('emits how many events the log dropped, before the next ones', async () => {
    const page = new TestPage();
    page.sizes = [1];
    page.dropped = 7;
    const { emitted } = await open(page);
    expect(emitted.slice(1)).toEqual([
      { kind: 'events-dropped', documentId: 'd1', count: 7 },
      { kind: 'events', documentId: 'd1', events: [{ n: 1 }] },
    ]);
  });

  it('counts invalid events once, and continues after them', async () => {
    const page = new TestPage();
    page.sizes = [1, 1];
    page.invalid = [1, 2];
    const { emitted, poll } = await open(page);
    await poll();
    expect(emitted.slice(1)).toEqual([{ kind: 'events-dropped', documentId: 'd1', count: 2 }]);
  });

  it('emits a change that someone reads for themselves', async () => {
    const page = new TestPage();
    const { stream, kinds, poll } = await open(page);
    page.fingerprint = 'f2';
    await stream.refresh({ announce: false });
    expect(kinds()).toEqual(['page-changed', 'page-changed']);
    await stream.refresh({ announce: false });
    await poll();
    expect(kinds()).toHaveLength(2);
  });

  it('emits once that the page is lost, and once that it recovered, with its description', async () => {
    const page = new TestPage();
    const { kinds, emitted, poll } = await open(page);
    page.error = BUSY;
    await poll();
    await poll();
    page.error = null;
    await poll();
    expect(kinds()).toEqual(['page-changed', 'page-lost', 'page-recovered', 'page-changed']);
    expect(emitted[3]).toMatchObject({ newDocument: false });
  });

  it('emits that the page is lost again when it is lost for another reason', async () => {
    const page = new TestPage();
    const { emitted, poll } = await open(page);
    page.error = UNREACHABLE;
    await poll();
    page.error = BUSY;
    await poll();
    await poll();
    expect(emitted.slice(1)).toEqual([
      { kind: 'page-lost', error: UNREACHABLE },
      { kind: 'page-lost', error: BUSY },
    ]);
  });

  it('emits the page again when its fingerprint differs, and not otherwise', async () => {
    const page = new TestPage();
    const { kinds, poll } = await open(page);
    await poll();
    page.fingerprint = 'f2';
    await poll();
    await poll();
    expect(kinds()).toEqual(['page-changed', 'page-changed']);
  });

  it('ignores an empty fingerprint, which the page didn’t compute', async () => {
    const page = new TestPage();
    const { kinds, poll } = await open(page);
    page.fingerprint = '';
    await poll();
    expect(kinds()).toEqual(['page-changed']);
  });

  it('emits a new document before its events, which count from the start again', async () => {
    const page = new TestPage();
    page.sizes = [1, 1];
    const { emitted, poll } = await open(page);
    Object.assign(page, { documentId: 'd2', sizes: [1] });
    await poll();
    expect(emitted.slice(2)).toEqual([
      expect.objectContaining({
        kind: 'page-changed',
        newDocument: true,
        previous: { documentId: 'd1', fingerprint: 'f1' },
      }),
      { kind: 'events', documentId: 'd2', events: [{ n: 1 }] },
    ]);
  });

  it('resumes where it left a document that the browser shows again', async () => {
    const page = new TestPage();
    page.sizes = [1, 1];
    const { seqs, poll } = await open(page);
    Object.assign(page, { documentId: 'd2', sizes: [] });
    await poll();
    Object.assign(page, { documentId: 'd1', sizes: [1, 1, 1] });
    await poll();
    expect(seqs()).toEqual([1, 2, 3]);
  });

  it('polls at the busy interval while it is busy, and at the idle one while the page is lost', async () => {
    const page = new TestPage();
    await open(page, { isBusy: () => true });
    page.reads = [];
    await vi.advanceTimersByTimeAsync(100);
    expect(page.reads.length).toBeGreaterThanOrEqual(9);
    page.error = BUSY;
    await vi.advanceTimersByTimeAsync(20);
    page.reads = [];
    await vi.advanceTimersByTimeAsync(900);
    expect(page.reads).toEqual([]);
  });

  it('polls at once after a navigation', async () => {
    const page = new TestPage();
    const { kinds, navigate } = await open(page);
    page.documentId = 'd2';
    navigate();
    await vi.advanceTimersByTimeAsync(0);
    expect(kinds()).toEqual(['page-changed', 'page-changed']);
  });

  it('doesn’t poll while an exclusive task runs', async () => {
    const page = new TestPage();
    const { stream, poll } = await open(page);
    page.reads = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    void stream.exclusive(() => promise);
    await poll();
    expect(page.reads).toEqual([]);
    resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(page.reads).toHaveLength(1);
  });

  it('neither polls nor emits once it is disposed', async () => {
    const page = new TestPage();
    const { stream, emitted, poll } = await open(page);
    stream.dispose();
    page.sizes = [1];
    page.reads = [];
    await poll();
    await stream.exclusive(() => stream.poll());
    expect(page.reads).toEqual([]);
    expect(emitted).toHaveLength(1);
  });
});
