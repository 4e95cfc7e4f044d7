/** Tests the tests that are written for recorded runs: what they say, and what they expect. */
import { describe, expect, it } from 'vitest';
import { fileNameOf } from '../../../../lib/debugging/recording/file/file-name.ts';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { inputDigest } from '../../../../lib/debugging/tests/input-digest.ts';
import { testOf } from '../../../../lib/debugging/tests/test-of-recording.ts';
import type { Pipeline, PipelineFunction } from '../../../../lib/pipeline/index.ts';
import { record } from '../record.ts';

const STARTED = { startedAt: '2026-11-24T13:20:59.123Z', action: { name: 'Notify  admins!', actionId: 7 } };

async function recorded(
  step: PipelineFunction,
  pipeline: Pipeline = [{ functionPackage: 'step' }],
): Promise<Recording> {
  const { recording } = await record(pipeline, { step });
  return { ...recording, ...STARTED };
}

/** What the test expects: the lines after the replay. */
async function expectation(recording: Recording): Promise<string> {
  const { test } = await testOf(recording);
  return test
    .split('replay(parsed.value);\n')[1]!
    .replace(/\}\);\n$/, '')
    .trim();
}

describe('a test of a recording', () => {
  it('is whole, and the same each time', async () => {
    const recording = await recorded(() => ['it’s', "O'Neill"]);
    expect(await testOf(recording)).toEqual({
      name: 'notify-admins-2026-11-24T13-20-59',
      recording: JSON.stringify(recording),
      test: `/** Replays a recorded run: conditions and loops are evaluated, and functions have their recorded outcomes. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { inputDigest, parseRecording, replay } from '@platform-devtools/pipeline/debugging';

test('Notify admins! completes, as on 2026-11-24 13:20 UTC', async () => {
  const file = new URL('./notify-admins-2026-11-24T13-20-59.run.json', import.meta.url);
  const parsed = parseRecording(await readFile(file, 'utf8'));
  if (!parsed.ok) throw new Error(parsed.error.message);
  // The recorded outcomes are those of this payload and these settings.
  expect(inputDigest(parsed.value)).toBe('${inputDigest(recording)}');
  const end = await replay(parsed.value);
  expect(end).toEqual({ state: 'completed', result: ["it’s","O'Neill"] });
});
`,
    });
    expect(await testOf(recording)).toEqual(await testOf(recording));
  });

  it('says that a run was stopped only if it’s known how it ended', async () => {
    const { steps, ...recording } = await recorded(() => 1);
    const titleOf = async (state: 'stopped' | 'interrupted') =>
      (await testOf({ ...recording, steps: [{ ...steps[0]!, state: 'stopped' }], end: { state } })).test;
    expect(await titleOf('stopped')).toContain('Notify admins! is stopped, as on');
    expect(await titleOf('interrupted')).toContain('Notify admins! is replayed up to the end of its recording, as on');
  });

  it('expects a failure at its place, with its message', async () => {
    const loop: Pipeline = [{ type: 'loop', range: { from: 1, to: 2 }, functions: [{ functionPackage: 'step' }] }];
    const recording = await recorded((_, { currentItem }) => {
      if (currentItem === 2) throw new Error("can't \n go on");
    }, loop);
    expect((await testOf(recording)).test).toContain('Notify admins! fails at /0/functions/0 in iteration 2, as on');
    expect(await expectation(recording)).toBe(`expect(end).toMatchObject({
    state: 'failed',
    error: {
      code: 'STEP_FAILED',
      path: '/0/functions/0',
      iteration: [1],
      message: 'step failed: can\\'t \\n go on',
    },
  });`);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, "expect(end).toEqual({ state: 'completed', result: undefined });"],
    ['a long value', 'x'.repeat(500), 'readValue(parsed.value.end.result)'],
    ['a date', new Date(0), 'readValue(parsed.value.end.result)'],
    ['a name that would set a prototype', JSON.parse('{"__proto__": 1}'), 'readValue(parsed.value.end.result)'],
    ['a part that wasn’t recorded', { a: () => 1 }, "expect(end.state).toBe('completed');"],
  ])('expects a result that is %s', async (_, result, expected) => {
    expect(await expectation(await recorded(() => result))).toContain(expected);
  });

  it('expects what is unknown if a condition needs a masked value', async () => {
    const pipeline: Pipeline = [
      { functionPackage: 'step' },
      { type: 'if', conditions: [{ condition: 'user.password == "x"', functions: [] }] },
    ];
    const recording = await recorded((_, context) => void (context.user = { password: 'hunter2' }), pipeline);
    const { test, recording: text } = await testOf(recording);
    expect(test).toContain('{"state":"unknown","path":"/1","iteration":[]}');
    expect(test + text).not.toContain('hunter2');
  });

  it('has a digest of what functions got, which other settings, payloads, and loops don’t have', async () => {
    const pipeline: Pipeline = [
      { functionPackage: 'step', settings: { a: 1, b: 2 } },
      { type: 'loop', items: 'list', functions: [{ functionPackage: 'step', settings: { to: '{{currentItem}}' } }] },
      { type: 'if', conditions: [{ condition: 'list', functions: [] }] },
    ];
    const recording = { payload: { list: [1] }, pipeline: pipeline as never };
    const changed = (from: string, to: string): string =>
      inputDigest(JSON.parse(JSON.stringify(recording).replace(from, to)) as typeof recording);
    const digest = inputDigest(recording);
    for (const [from, to] of [
      ['"a":1', '"a":2'],
      ['{{currentItem}}', '{{currentIndex}}'],
      ['"list":[1]', '"list":[2]'],
      ['"items":"list"', '"items":"lists"'],
    ] as const)
      expect(changed(from, to)).not.toBe(digest);
    // Conditions are evaluated.
    expect(changed('"condition":"list"', '"condition":"true"')).toBe(digest);
    expect(changed('"a":1,"b":2', '"b":2,"a":1')).toBe(digest);
  });

  it('has another digest for another value deeper than 200 levels', () => {
    const nested = (leaf: number): object => {
      let value: object = { leaf };
      for (let depth = 0; depth < 300; depth++) value = { value };
      return value;
    };
    const [one, other] = [1, 2].map((leaf) => inputDigest({ payload: nested(leaf) as never, pipeline: [] }));
    expect(one).not.toBe(other);
  });

  it('says in its title that steps were mocked, or that the run is a replay with changes', async () => {
    const recording = await recorded(() => 1, [{ functionPackage: 'step' }, { functionPackage: 'step' }]);
    recording.steps[0]!.replaced = 'mock';
    const { test } = await testOf(recording);
    expect(test).toContain('completes with 1 replaced step, as on 2026-11-24 13:20 UTC');
    recording.steps[1]!.replaced = 'recording';
    recording.steps[1]!.late = [{ changes: [['/n', 1]], by: 'edit' }];
    const replayed = (await testOf(recording)).test;
    expect(replayed).toContain(
      'completes with 1 replaced step and an edited context, as in a replay of the run of 2026-11-24 13:20 UTC',
    );
  });

  it('expects where our engine differs from the recorded run', async () => {
    const pipeline: Pipeline = [{ type: 'if', conditions: [{ condition: 'true', functions: [] }] }];
    const recording = await recorded(() => 1, pipeline);
    recording.steps[0]!.branch = null;
    const { test } = await testOf(recording);
    expect(test).toContain('is replayed up to /0, where our engine does something else');
    expect(test).toContain('{"state":"diverged","divergence":{"what":"branch","path":"/0","iteration":[]}}');
  });

  it('masks known secrets', async () => {
    const { test, recording } = await testOf(await recorded(() => 'as token-1234'), ['token-1234']);
    expect(test + recording).not.toContain('token-1234');
  });
});

describe('the name of a recording’s file', () => {
  it.each<[Recording['action'], string]>([
    [{ name: 'Notify admins' }, 'notify-admins-2026-11-24T13-20-59.run.json'],
    [{ name: '../..\\Größe: 5 %' }, 'größe-5-2026-11-24T13-20-59.run.json'],
    [{ name: '!', actionId: 7 }, 'action-7-2026-11-24T13-20-59.run.json'],
    [undefined, 'run-2026-11-24T13-20-59.run.json'],
  ])('of %o is %s', async (action, name) => {
    const { recording } = await record([], {});
    const { startedAt } = STARTED;
    expect(fileNameOf({ ...recording, startedAt, ...(action && { action }) })).toBe(name);
  });
});
