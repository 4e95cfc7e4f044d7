/** Tests reading recordings from files: each kind of bad input has its error, and says where. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { parseRecording, writeRecording } from '../../../../lib/debugging/recording/file/parse.ts';
import { RECORDING_FILE_LIMIT, recordingTooLarge } from '../../../../lib/debugging/recording/file/recording-error.ts';
import { writeValue } from '../../../../lib/debugging/recording/values.ts';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import type { Pipeline } from '../../../../lib/pipeline/index.ts';
import { functions, payload, pipeline } from '../../pipeline/random-pipelines.ts';
import { record } from '../record.ts';

const PIPELINE: Pipeline = [
  { functionPackage: 'read' },
  {
    type: 'loop',
    items: 'list',
    functions: [{ type: 'if', conditions: [{ condition: 'currentItem > 1', functions: [{ function: 'read' }] }] }],
  },
];

/** A recording that tests put anything in. */
type Damaged = ReturnType<typeof JSON.parse>;

async function sample(): Promise<Recording> {
  const read = (_: unknown, context: Record<string, unknown>) => (context.list = [1, 2]);
  const { recording } = await record(PIPELINE, { read });
  recording.console = [{ at: 1, step: 0, level: 'log', args: ['a'] }];
  recording.requests = [{ at: 1, step: 0, method: 'GET', url: '/', headers: [['a', 'b']], body: { text: '' } }];
  return recording;
}

/** What reading the sample says after a change. */
async function problemAfter(change: (recording: Damaged) => void): Promise<string | null> {
  const recording = await sample();
  change(recording);
  const read = parseRecording(JSON.stringify(recording));
  if (read.ok) return null;
  expect(read.error).toMatchObject({ code: 'RECORDING_DAMAGED', hint: expect.any(String) });
  return read.error.message.replace('Couldn’t open the recording: ', '');
}

const codeOf = (text: string): string => {
  const read = parseRecording(text);
  return read.ok ? 'ok' : read.error.code;
};

describe('a recording', () => {
  it('is read as it was written, for any run', async () => {
    await fc.assert(
      fc.asyncProperty(pipeline, payload, async (steps, given) => {
        const { recording } = await record(steps, functions, { payload: given });
        expect(parseRecording(writeRecording(recording))).toEqual({ ok: true, value: recording });
      }),
      { numRuns: 300 },
    );
  });

  it('loses fields that this version doesn’t know', async () => {
    const recording = await sample();
    const text = JSON.stringify({
      ...recording,
      note: 1,
      steps: recording.steps.map((step) => ({ ...step, note: 1 })),
    });
    expect(parseRecording(text)).toEqual({ ok: true, value: recording });
  });

  it.each([
    ['', 'RECORDING_NOT_JSON'],
    ['not json', 'RECORDING_NOT_JSON'],
    ['{"format":"platform-devtools/run","steps":[{"kind"', 'RECORDING_NOT_JSON'],
    ['null', 'RECORDING_NOT_ONE'],
    ['[]', 'RECORDING_NOT_ONE'],
    ['{"format":"platform-devtools-runs","version":1,"runs":[]}', 'RECORDING_NOT_ONE'],
    ['{"format":"platform-devtools/run","version":2}', 'RECORDING_NEWER'],
    ['{"format":"platform-devtools/run","version":0}', 'RECORDING_DAMAGED'],
    ['{"format":"platform-devtools/run"}', 'RECORDING_DAMAGED'],
    ['{"format":"platform-devtools/run","version":1}', 'RECORDING_DAMAGED'],
  ])('that is %j is refused with %s', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('that is cut off anywhere is refused, and says so', async () => {
    const text = writeRecording(await sample());
    for (let length = 1; length < text.length; length++) {
      const read = parseRecording(text.slice(0, length));
      expect(read).toMatchObject({ ok: false, error: { code: 'RECORDING_NOT_JSON' } });
    }
    expect(parseRecording(text.slice(0, 200))).toMatchObject({
      error: { message: 'Couldn’t open the recording: it’s cut off. Its end is missing.' },
    });
  });

  it('of a newer version says which', () => {
    expect(parseRecording('{"format":"platform-devtools/run","version":7}')).toMatchObject({
      error: {
        message: 'Couldn’t open the recording: its format has version 7. Up to version 1 is supported.',
        hint: 'Update Platform DevTools, then open the recording again.',
      },
    });
  });

  it('beyond 64 MB is refused by its size, before it is read', () => {
    expect(recordingTooLarge(RECORDING_FILE_LIMIT)).toBeNull();
    expect(recordingTooLarge(500_000_000)).toMatchObject({
      code: 'RECORDING_TOO_LARGE',
      message: 'A recording is limited to 64 MB. This one has 477 MB.',
    });
    expect(codeOf(' '.repeat(RECORDING_FILE_LIMIT + 1))).toBe('RECORDING_TOO_LARGE');
    expect(codeOf(' '.repeat(1_000))).toBe('RECORDING_NOT_JSON');
  });
});

describe('a damaged recording', () => {
  it.each<[string, (recording: Damaged) => void]>([
    ['steps is missing.', (r) => delete r.steps],
    ['pipeline is missing.', (r) => delete r.pipeline],
    ['startedAt must be a date, such as 2026-11-01T00:00:00.000Z.', (r) => (r.startedAt = 'yesterday')],
    ['startedAt must be a date, such as 2026-11-01T00:00:00.000Z.', (r) => (r.startedAt = '2026-13-01T00:00:00Z')],
    ['engine must be platform, ours, or server.', (r) => (r.engine = 'mine')],
    ['action.appId must be a number.', (r) => (r.action = { appId: '1' })],
    ['steps must be an array.', (r) => (r.steps = {})],
    ['steps[1] must be an object.', (r) => (r.steps[1] = null)],
    ['steps[2].kind must be function, loop, or if.', (r) => (r.steps[2].kind = 'while')],
    ['steps[2].path is missing.', (r) => delete r.steps[2].path],
    ['steps[2].path must be a JSON Pointer.', (r) => (r.steps[2].path = 3)],
    ['steps[2].path must be a JSON Pointer.', (r) => (r.steps[2].path = '0')],
    ['steps[2].iteration[0] must be an integer from 0 on.', (r) => (r.steps[2].iteration = [0.5])],
    ['steps[2].iteration[0] must be an integer from 0 on.', (r) => (r.steps[2].iteration = [-1])],
    ['steps[2].iteration must have at most 200 items.', (r) => (r.steps[2].iteration = Array(201).fill(0))],
    ['steps[0].at must be a time in milliseconds.', (r) => (r.steps[0].at = NaN)],
    ['steps[0].at must be a time in milliseconds.', (r) => (r.steps[0].at = 1e300)],
    ['steps[0].milliseconds must be a time in milliseconds.', (r) => (r.steps[0].milliseconds = '1')],
    ['steps[0].error.message is missing.', (r) => (r.steps[0].error = { name: 'Error' })],
    ['steps[0].changes[0] must be an array of 1 or 2 items.', (r) => (r.steps[0].changes = [[]])],
    ['steps[0].changes[0][0] must be a JSON Pointer.', (r) => (r.steps[0].changes = [['a', 1]])],
    ['steps[0].changes[0][0] has more than 400 levels.', (r) => (r.steps[0].changes = [['/a'.repeat(401)]])],
    ['steps[1].late[0].since must be an integer from 0 on.', (r) => (r.steps[1].late = [{ changes: [], since: -1 }])],
    ['steps[1].late refers to a later step.', (r) => (r.steps[1].late = [{ changes: [], since: 2 }])],
    [
      'steps[1].edited refers to a change that isn’t there, or not in order.',
      (r) => Object.assign(r.steps[1], { changes: [], edited: [0] }),
    ],
    ['steps[2].branch must be an integer from 0 on.', (r) => (r.steps[2].branch = 'then')],
    ['steps[2].random[0] must be a number.', (r) => (r.steps[2].random = [null])],
    ['end.state must be completed, failed, stopped, or interrupted.', (r) => (r.end = { state: 'done' })],
    ['end must be an object.', (r) => (r.end = null)],
    ['end.result is missing.', (r) => (r.end = { state: 'completed' })],
    ['end.error must be an object.', (r) => (r.end = { state: 'failed', error: 'x' })],
    ['lost must be an integer from 0 on.', (r) => (r.lost = -1)],
    ['console[0].step refers to a step that isn’t there.', (r) => (r.console[0].step = 99)],
    ['console[0].level must be log, info, warn, error, debug, or logpoint.', (r) => (r.console[0].level = 'shout')],
    ['console[0].args must be an array.', (r) => (r.console[0].args = 'a')],
    ['requests[0].step refers to a step that isn’t there.', (r) => (r.requests[0].step = 99)],
    ['requests[0].url must be a string.', (r) => (r.requests[0].url = null)],
    ['requests[0].headers[0] must be an array of 2 items.', (r) => (r.requests[0].headers = [['a']])],
    ['requests[0].body.cut must be length, total, time, stream, or binary.', (r) => (r.requests[0].body.cut = 'x')],
    ['payload.a["b c"][1] isn’t a mark of this format.', (r) => (r.payload = { a: { 'b c': [0, { $: 'x' }] } })],
  ])('says %s', async (problem, change) => {
    expect(await problemAfter(change)).toBe(problem);
  });

  it.each<[string, object]>([
    ['an unknown reason', { $: 'lost', value: 'stolen' }],
    ['a text that isn’t one', { $: 'lost', value: 'masked', text: {} }],
    ['a number that isn’t one', { $: 'number', value: { valueOf: 1, toString: 1 } }],
    ['a bigint of a million digits', { $: 'bigint', value: '9'.repeat(1_000_000) }],
    ['a bigint that isn’t one', { $: 'bigint', value: '0x10' }],
    ['a date that isn’t one', { $: 'date', value: '2026' }],
    ['a reference to no path', { $: 'ref', value: {} }],
    ['entries that aren’t pairs', { $: 'entries', value: [['a']] }],
    ['entries with a name that isn’t one', { $: 'entries', value: [[{ toString: 1 }, 1]] }],
    ['a negative rest', { $: 'rest', value: -1 }],
    ['a kind that objects inherit', { $: 'toString' }],
  ])('with a mark that has %s is refused', async (_what, mark) => {
    expect(await problemAfter((r) => (r.steps[0].value = [mark]))).toBe(
      'steps[0].value[0] isn’t a mark of this format.',
    );
  });

  it('that counts endless arrays is refused', async () => {
    const endless = Array.from({ length: 5 }, () => [{ $: 'rest', value: 1_000_000 }]);
    expect(await problemAfter((r) => (r.payload = endless))).toBe('payload[4][0] counts too many items.');
  });

  it('that is nested deeper than 400 levels is refused, however deep it is', async () => {
    const nested = (levels: number, open: string, close: string) =>
      JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`) as unknown;
    expect(await problemAfter((r) => (r.payload = nested(401, '[', ']')))).toBeNull();
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['{"$":"entries","value":[["$",', ']]}'],
    ] as const)
      expect(await problemAfter((r) => (r.payload = nested(402, open, close)))).toMatch(
        /^payload.*…?.* is nested deeper than 400 levels\.$/,
      );
    const text = JSON.stringify(await sample()).replace(
      '"payload":{}',
      `"payload":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`,
    );
    const read = parseRecording(text);
    expect(read.ok).toBe(false);
    expect(read).toMatchObject({ error: { code: expect.stringMatching(/^RECORDING_(DAMAGED|NOT_JSON)$/) } });
  });

  it('whose problem is at the end of a long path says where it starts and what it is', async () => {
    const problem = await problemAfter((r) => {
      r.payload = { $: 'x' };
      for (let level = 0; level < 300; level++) r.payload = { [`level${level}`]: r.payload };
    });
    expect(problem).toMatch(/^payload\.level299\.level298.*….*\.level0 isn’t a mark of this format\.$/);
    expect(problem!.length).toBeLessThan(400);
  });
});

describe('a recording that was tampered with', () => {
  it.each<[string, (recording: Damaged) => void]>([
    ['steps[0].path is /7, but the pipeline has no step there.', (r) => (r.steps[0].path = '/7')],
    ['steps[0].path is /__proto__, but the pipeline has no step there.', (r) => (r.steps[0].path = '/__proto__')],
    [
      'steps[0].path is /0/functionPackage, but the pipeline has no step there.',
      (r) => (r.steps[0].path = '/0/functionPackage'),
    ],
    ['steps[0].path is /1/functions, but the pipeline has no step there.', (r) => (r.steps[0].path = '/1/functions')],
    ['steps[0].path is , but the pipeline has no step there.', (r) => (r.steps[0].path = '')],
    ['steps[0].kind is function, but the step at /1 of the pipeline is a loop.', (r) => (r.steps[0].path = '/1')],
    ['steps[1].kind is if, but the step at /1 of the pipeline is a loop.', (r) => (r.steps[1].kind = 'if')],
    ['steps[0].kind is loop, but the step at /0 of the pipeline is a function.', (r) => (r.steps[0].kind = 'loop')],
  ])('says %s', async (problem, change) => {
    expect(await problemAfter(change)).toBe(problem);
  });

  it('is read if the part of the pipeline that has the step is lost', async () => {
    const lost = { $: 'lost', value: 'too-large' };
    expect(await problemAfter((r) => (r.pipeline = lost))).toBeNull();
    expect(await problemAfter((r) => (r.pipeline[1].functions = lost))).toBeNull();
    expect(await problemAfter((r) => (r.pipeline[1].functions = [{ $: 'rest', value: 1 }]))).toBeNull();
    expect(await problemAfter((r) => (r.pipeline[1].type = lost))).toBeNull();
    expect(await problemAfter((r) => (r.pipeline[0] = lost))).toBeNull();
  });

  it('is read if the outcomes are possible values, and the replay finds the difference', async () => {
    const recording = await sample();
    const [first, , , , last] = recording.steps as Damaged[];
    first.changes = [['/list', [9, 9]]];
    expect(last).toMatchObject({ kind: 'function' });
    const read = parseRecording(JSON.stringify(recording));
    expect(await replay((read as { value: Recording }).value)).toMatchObject({ state: 'diverged' });
  });

  it('can’t change objects that others share', async () => {
    const recording = await sample();
    const text = JSON.stringify({ ...recording, payload: 'PAYLOAD' }).replace(
      '"PAYLOAD"',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    const read = parseRecording(text) as { ok: true; value: Recording };
    read.value.steps[0]!.changes = [
      ['/__proto__/polluted', 1],
      ['/constructor/prototype/polluted', 2],
      ['/list', [1, 2]],
    ];
    await replay((parseRecording(JSON.stringify(read.value)) as typeof read).value);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(read.value.payload as object)).toEqual(['__proto__', 'constructor']);
  });

  it.each([
    ['/list/4000000000', 1],
    ['/list/length', 4_000_000_000],
    ['/list/-1', 1],
    ['/list/01', 1],
  ])('can’t make an array endless by a change of %s: the replay diverges', async (path, value) => {
    const recording = await sample();
    recording.steps[1]!.late = [{ changes: [[path, value]] }];
    const read = parseRecording(JSON.stringify(recording)) as { ok: true; value: Recording };
    expect(await replay(read.value)).toMatchObject({
      state: 'diverged',
      divergence: { what: 'context', path: '/1', recorded: path },
    });
  });

  it('with markup has the same texts, which are only data', async () => {
    const recording = await sample();
    recording.console![0]!.args = ['<img src=x onerror=alert(1)>'];
    expect(parseRecording(JSON.stringify(recording))).toEqual({ ok: true, value: recording });
  });
});

it('writes a value that contains itself as lost, and reads it', async () => {
  const cyclic: Record<string, unknown> = { a: 1 };
  cyclic.self = cyclic;
  const { recording } = await record([{ function: 'read' }], { read: () => cyclic });
  const read = parseRecording(writeRecording(recording));
  expect(read).toMatchObject({
    ok: true,
    value: { steps: [{ value: { a: 1, self: { $: 'lost', value: 'cycle' } } }], lost: 2 },
  });
  expect(writeValue(cyclic, { left: 100, lost: 0 })).toEqual({ a: 1, self: { $: 'lost', value: 'cycle' } });
});
