/** Fuzzes recordings: any text becomes a recording that can be written, masked, and replayed, or a coded refusal. */
import * as fc from 'fast-check';
import { parseRecording, writeRecording } from '../../lib/debugging/recording/file/parse.ts';
import { RunRecorder } from '../../lib/debugging/recording/recorder.ts';
import { replay } from '../../lib/debugging/replay/replay.ts';
import { type Pipeline, runPipeline } from '../../lib/pipeline/index.ts';
import { assertCoded, check, Finding } from './check.ts';
import { damaged, json, spoiled, written } from './inputs.ts';

export const name = 'recordings';

const PIPELINE: Pipeline = [
  { function: 'read', settings: { id: 1 } },
  {
    type: 'loop',
    items: 'list',
    functions: [
      {
        type: 'if',
        conditions: [{ condition: 'currentItem.id < 2 || Math.random() < 0', functions: [{ function: 'send' }] }],
        elseFunctions: [{ function: 'send' }],
      },
    ],
  },
];

async function recorded(): Promise<string> {
  const payload = { since: new Date(0), $: 1 };
  const recorder = new RunRecorder({ pipeline: PIPELINE, payload, engine: 'ours' });
  const result: unknown = await runPipeline(PIPELINE, {
    payload: { ...payload },
    functions: new Map([
      ['read', (_: unknown, context: Record<string, unknown>) => (context.list = [{ id: 1 }, { id: 2n }])],
      ['send', (_: unknown, context: Record<string, unknown>) => recorder.console('log', [context.currentItem, NaN])],
    ]),
    observer: recorder.observer,
    sources: recorder.sources,
  });
  recorder.requestStarted(1, { method: 'GET', url: 'https://a.example/?token=1', headers: [['a', 'b']] });
  recorder.requestEnded(1, { status: 200, body: { text: '{"a":1}', cut: 'length' } });
  return writeRecording(recorder.finish({ result }));
}

export async function fuzz(runs: number, seed: number): Promise<void> {
  const text = await recorded();
  const inputs = fc.oneof(
    { weight: 6, arbitrary: spoiled([JSON.parse(text)], json).map(written) },
    { weight: 3, arbitrary: damaged([text]) },
  );
  await check(runs, seed, inputs, read);
}

async function read(text: string): Promise<void> {
  const parsed = parseRecording(text);
  if (!parsed.ok) return assertCoded(parsed.error);
  const again = parseRecording(writeRecording(parsed.value));
  if (!again.ok) throw new Finding('A recording that was read could not be written and read again.');
  // Any end is fine, but it has one.
  await replay(parsed.value);
}
