/** Writes a test that replays a recorded run: a Vitest file, and the recording beside it. */
import { plural } from '../../shared/format.ts';
import { baseNameOf, RECORDING_EXTENSION } from '../recording/file/file-name.ts';
import type { RecordedError, Recording } from '../recording/format.ts';
import { maskRecording } from '../recording/mask.ts';
import { writeRecording } from '../recording/file/parse.ts';
import type { RecordedValue } from '../recording/values.ts';
import { replay, type ReplayEnd } from '../replay/replay.ts';
import { inputDigest } from './input-digest.ts';

export interface RecordingTest {
  /** Of both files, without their extensions: `.test.ts` and `.run.json`. */
  name: string;
  /** The text of the test. */
  test: string;
  /** The text of the recording, with credentials masked. */
  recording: string;
}

/** Characters of a value that the test shows. A longer one is compared with the recording’s. */
const MAX_SHOWN = 400;

/**
 * A test that passes as long as a replay of the run ends as recorded. It fails once the recorded pipeline is changed so
 * that the run ends otherwise, takes another branch, or runs other steps. It also fails once the payload or settings are
 * changed, because the recorded outcomes say nothing about others. The same recording gives the same test.
 * @param secrets masked wherever they occur, as in `maskRecording`
 */
export async function testOf(recording: Recording, secrets: readonly string[] = []): Promise<RecordingTest> {
  const masked = maskRecording(recording, secrets);
  const name = baseNameOf(masked);
  const { title, imports, lines } = expectationOf(masked, await replay(masked));
  const header =
    'Replays a recorded run: conditions and loops are evaluated, and functions have their recorded outcomes.';
  const test = [
    `/** ${header} */`,
    `import { readFile } from ${quoted('node:fs/promises')};`,
    `import { expect, test } from 'vitest';`,
    `import { ${['inputDigest', 'parseRecording', ...imports, 'replay'].join(', ')} } from '@platform-devtools/pipeline/debugging';`,
    ``,
    `test(${quoted(`${nameOf(masked)} ${title}${replacedText(masked)}, ${isReplay(masked) ? 'as in a replay of the run of' : 'as on'} ${timeOf(masked)}`)}, async () => {`,
    `  const file = new URL(${quoted(`./${name}${RECORDING_EXTENSION}`)}, import.meta.url);`,
    `  const parsed = parseRecording(await readFile(file, 'utf8'));`,
    `  if (!parsed.ok) throw new Error(parsed.error.message);`,
    `  // The recorded outcomes are those of this payload and these settings.`,
    `  expect(inputDigest(parsed.value)).toBe(${quoted(inputDigest(masked))});`,
    `  const end = await replay(parsed.value);`,
    ...lines.map((line) => `  ${line}`),
    `});`,
    ``,
  ].join('\n');
  return { name, test, recording: writeRecording(masked) };
}

interface Expectation {
  /** What the run does, such as `completes`. */
  title: string;
  /** What the test imports beside what all need. */
  imports: string[];
  lines: string[];
}

function expectationOf({ end }: Recording, replayed: ReplayEnd): Expectation {
  if (replayed.state === 'unknown') {
    const { path, iteration } = replayed;
    return expecting(
      `is replayed up to ${placeOf(path, iteration)}, which needs a value that this recording doesn’t have`,
      [`expect(end).toMatchObject(${literal({ state: 'unknown', path, iteration })});`],
    );
  }
  if (replayed.state === 'diverged') {
    const { what, path, iteration } = replayed.divergence;
    return expecting(`is replayed up to ${placeOf(path, iteration)}, where our engine does something else`, [
      `expect(end).toMatchObject(${literal({ state: 'diverged', divergence: { what, path, iteration } })});`,
    ]);
  }
  if (end.state === 'completed') return resultOf(end.result);
  if (end.state === 'failed') return failureOf(end.error);
  const title = end.state === 'interrupted' ? 'is replayed up to the end of its recording' : 'is stopped';
  return expecting(title, [`expect(end).toEqual({ state: 'stopped' });`]);
}

const expecting = (title: string, lines: string[], imports: string[] = []): Expectation => ({ title, lines, imports });

function resultOf(result: RecordedValue): Expectation {
  const text = literal(result);
  if (isMark(result, 'undefined'))
    return expecting('completes', [`expect(end).toEqual({ state: 'completed', result: undefined });`]);
  if (text.includes('"$":"lost"') || text.includes('"$":"rest"'))
    return expecting('completes', [
      '// The recording lacks a part of the result.',
      `expect(end.state).toBe('completed');`,
    ]);
  // Dates and other marks, and names that would set a prototype, can't be written as they are.
  if (text.length <= MAX_SHOWN && !text.includes('"$"') && !text.includes('__proto__'))
    return expecting('completes', [`expect(end).toEqual({ state: 'completed', result: ${text} });`]);
  return expecting(
    'completes',
    [
      `if (parsed.value.end.state !== 'completed') throw new Error('The recorded run didn’t complete.');`,
      `expect(end).toEqual({ state: 'completed', result: readValue(parsed.value.end.result) });`,
    ],
    ['readValue'],
  );
}

function failureOf({ message, code, path, iteration = [] }: RecordedError): Expectation {
  const fields = [
    ...(code === undefined ? [] : [`code: ${quoted(code)}`]),
    ...(path === undefined ? [] : [`path: ${quoted(path)}`]),
    ...(path === undefined ? [] : [`iteration: ${literal(iteration)}`]),
    `message: ${quoted(message)}`,
  ];
  const lines = ['expect(end).toMatchObject({', `  state: 'failed',`, '  error: {'];
  lines.push(...fields.map((field) => `    ${field},`), '  },', '});');
  return expecting(path === undefined ? 'fails' : `fails at ${placeOf(path, iteration)}`, lines);
}

const placeOf = (path: string, iteration: readonly number[]): string =>
  `${path || 'the start'}${iteration.length > 0 ? ` in iteration ${iteration.map((index) => index + 1).join('.')}` : ''}`;

/** A replay with changes. */
const isReplay = ({ steps }: Recording): boolean => steps.some(({ replaced }) => replaced === 'recording');

/** What isn’t what the action does. */
function replacedText({ steps }: Recording): string {
  const mocked = steps.filter(({ replaced = 'recording' }) => replaced !== 'recording').length;
  const isEdited = steps.some(({ edited, late = [] }) => edited || late.some(({ by }) => by === 'edit'));
  const parts = [...(mocked > 0 ? [plural(mocked, 'replaced step')] : []), ...(isEdited ? ['an edited context'] : [])];
  return parts.length > 0 ? ` with ${parts.join(' and ')}` : '';
}

const nameOf = ({ action }: Recording): string =>
  action?.name?.replaceAll(/\s+/g, ' ').slice(0, 100) || (action?.actionId ? `Action ${action.actionId}` : 'The run');

const timeOf = ({ startedAt }: Recording): string => `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;

const isMark = (value: RecordedValue, kind: string): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && value.$ === kind;

const literal = (value: unknown): string => JSON.stringify(value);

/** A string in single quotes. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)}'`;
