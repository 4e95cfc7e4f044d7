/** Tests what recordings have of console lines and requests. */
import { describe, expect, it } from 'vitest';
import { writeForDisplay } from '../../../../lib/debugging/recording/display-value.ts';
import type { RecordedLine, RecordedRequest } from '../../../../lib/debugging/recording/format.ts';
import { MAX_LINES, MAX_REQUESTS, RecordedLog } from '../../../../lib/debugging/recording/recorded-log.ts';
import { RunRecorder } from '../../../../lib/debugging/recording/recorder.ts';
import { type PipelineFunction, runPipeline } from '../../../../lib/pipeline/index.ts';

const PIPELINE = [{ type: 'loop', range: { from: 1, to: 2 }, functions: [{ functionPackage: 'say' }] }];

describe('the console lines of a recording', () => {
  it('have the index of the step that wrote them, and none outside of steps', async () => {
    const recorder = new RunRecorder({ pipeline: PIPELINE, payload: {}, engine: 'ours' });
    const say: PipelineFunction = (_, context) => recorder.console('info', ['item', context.currentItem]);
    recorder.console('log', ['before']);
    await runPipeline(PIPELINE, { functions: new Map([['say', say]]), observer: recorder.observer });
    recorder.console('error', ['after']);
    const { console: lines } = recorder.finish({ result: undefined });
    expect(lines!.map(({ at: _at, ...line }) => line)).toEqual([
      { level: 'log', args: ['before'] },
      { step: 1, level: 'info', args: ['item', 1] },
      { step: 2, level: 'info', args: ['item', 2] },
      { level: 'error', args: ['after'] },
    ]);
  });

  it('beyond 10,000 are counted', () => {
    const log = new RecordedLog();
    for (let n = 0; n < MAX_LINES + 3; n++) log.line(n, undefined, 'log', [n]);
    const { console: lines, leftOut } = log.finish();
    expect(lines).toHaveLength(10_000);
    expect(lines!.at(-1)).toEqual({ at: 9_999, level: 'log', args: [9_999] });
    expect(leftOut).toEqual({ lines: 3, requests: 0 });
  });

  it('share a room for their values, and say that the rest is lost', () => {
    const log = new RecordedLog();
    for (let n = 0; n < 1_000; n++) log.line(n, undefined, 'log', ['x'.repeat(9_990)]);
    const { console: lines } = log.finish();
    expect(JSON.stringify(lines).length).toBeLessThan(4_200_000);
    expect(lines!.at(-1)!.args).toEqual([{ $: 'lost', value: 'too-large' }]);
  });

  it('have at most 50 values', () => {
    const log = new RecordedLog();
    log.line(
      0,
      undefined,
      'log',
      Array.from({ length: 60 }, (_, n) => n),
    );
    const [line] = log.finish().console as [RecordedLine];
    expect(line.args).toHaveLength(51);
    expect(line.args.at(-1)).toEqual({ $: 'rest', value: 10 });
  });

  it('are absent without a line', () => {
    expect(new RecordedLog().finish()).toEqual({});
  });

  it('after the end of a recording at its limit aren’t recorded', async () => {
    const options = { pipeline: PIPELINE, payload: {}, engine: 'server', limit: 200, endsAtLimit: true } as const;
    const recorder = new RunRecorder(options);
    await runPipeline(PIPELINE, { functions: new Map([['say', () => {}]]), observer: recorder.observer });
    recorder.console('log', ['late']);
    recorder.requestStarted(1, { method: 'GET', url: '/late' });
    const recording = recorder.finish({ result: undefined });
    expect(recording.end).toEqual({ state: 'interrupted' });
    expect([recording.console, recording.requests]).toEqual([undefined, undefined]);
  });
});

describe('a value of a console line', () => {
  const write = (value: unknown, left = 10_000) => writeForDisplay(value, { left, lost: 0 });
  const cyclic: Record<string, unknown> = { a: 1 };
  cyclic.self = cyclic;
  let deep: unknown = 1;
  for (let n = 0; n < 30; n++) deep = [deep];

  it.each([
    ['data', { a: [1, 'b', null, true] }, { a: [1, 'b', null, true] }],
    ['an error', new RangeError('too far'), { $: 'lost', value: 'not-data', text: 'RangeError: too far' }],
    ['a function', () => 1, { $: 'lost', value: 'not-data' }],
    ['a class instance', new Map(), { $: 'lost', value: 'not-data' }],
    ['undefined', [undefined], [{ $: 'undefined' }]],
    ['a date', new Date(5), { $: 'date', value: 5 }],
    ['a cycle', cyclic, { a: 1, self: { $: 'lost', value: 'cycle' } }],
    ['a name that marks use', { $: 'lost' }, { $: 'entries', value: [['$', 'lost']] }],
  ])('is written if it is %s', (_what, value, written) => {
    expect(write(value)).toEqual(written);
  });

  it('isn’t read by a getter', () => {
    const value = Object.defineProperty({}, 'a', { enumerable: true, get: () => expect.fail() });
    expect(write(value)).toEqual({ a: { $: 'lost', value: 'unreadable' } });
  });

  it('is cut when it is nested deeper than 20 levels', () => {
    expect(JSON.stringify(write(deep))).toBe(`${'['.repeat(20)}{"$":"lost","value":"too-deep"}${']'.repeat(20)}`);
  });

  it('is cut at its length, and says what is missing', () => {
    expect(write('x'.repeat(20), 10)).toEqual({ $: 'lost', value: 'too-large', text: `${'x'.repeat(10)}…` });
    expect(write([1, 2, 3, 4, 5], 10)).toEqual([1, 2, { $: 'rest', value: 3 }]);
    expect(write({ a: 1, b: 2, c: 3 }, 9)).toEqual({ $: 'entries', value: [['a', 1]], more: 2 });
  });
});

describe('the requests of a recording', () => {
  const start = { method: 'GET', url: 'https://a.example/' };
  const only = (log: RecordedLog): RecordedRequest => log.finish().requests![0]!;

  it('have what is known of the request and its response', () => {
    const log = new RecordedLog();
    log.requestStarted(1, 5, 2, { ...start, headers: [['accept', '*/*']], body: { text: 'a=1' } });
    log.requestEnded(1, 12.5, { status: 200, bytes: 9, headers: [['x', 'y']] });
    log.requestEnded(1, 20, { status: 200, bytes: 9, body: { text: '{"a":', cut: 'length' } });
    expect(only(log)).toEqual({
      at: 5,
      step: 2,
      ...start,
      headers: [['accept', '*/*']],
      body: { text: 'a=1' },
      status: 200,
      milliseconds: 7.5,
      bytes: 9,
      responseHeaders: [['x', 'y']],
      responseBody: { text: '{"a":', cut: 'length' },
    });
  });

  it('that fail have their error, and those that are pending have no duration', () => {
    const log = new RecordedLog();
    log.requestStarted(1, 0, undefined, start);
    log.requestStarted(2, 0, undefined, start);
    log.requestEnded(1, 4, { status: null, error: 'Failed to fetch' });
    expect(log.finish().requests).toEqual([
      { at: 0, ...start, milliseconds: 4, error: 'Failed to fetch' },
      { at: 0, ...start },
    ]);
  });

  it('beyond 10,000 are counted, and their ends ignored', () => {
    const log = new RecordedLog();
    for (let id = 1; id <= MAX_REQUESTS + 2; id++) log.requestStarted(id, id, undefined, start);
    log.requestEnded(MAX_REQUESTS + 1, 0, { status: 500 });
    expect(log.finish().requests).toHaveLength(10_000);
    expect(log.finish().leftOut).toEqual({ lines: 0, requests: 2 });
    expect(log.finish().requests!.some((request) => 'status' in request)).toBe(false);
  });

  it('share a room for their bodies, which say that they are cut', () => {
    const log = new RecordedLog();
    const body = { text: 'x'.repeat(1_500_000) };
    for (let id = 1; id <= 3; id++) log.requestStarted(id, 0, undefined, { ...start, body });
    log.requestStarted(4, 0, undefined, { ...start, headers: [['a', 'b']] });
    const bodies = log.finish().requests!.map((request) => request.body);
    expect(bodies.map((each) => each?.text.length)).toEqual([1_500_000, 1_500_000, 1_000_000, undefined]);
    expect(bodies.map((each) => each?.cut)).toEqual([undefined, undefined, 'total', undefined]);
    expect(log.finish().requests!.at(-1)!.headers).toEqual([]);
  });
});
