/** Tests recordings of runs in which several places have the same object: a change of one is a change of all. */
import { expect, it } from 'vitest';
import { maskRecording } from '../../../../lib/debugging/recording/mask.ts';
import { parseRecording, writeRecording } from '../../../../lib/debugging/recording/file/parse.ts';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { contextsAt } from '../../../../lib/debugging/replay/contexts-at.ts';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import type { Context, Pipeline, PipelineFunction } from '../../../../lib/pipeline/index.ts';
import { record } from '../record.ts';

type Row = { id: number; sent?: boolean };

const functions: Record<string, PipelineFunction> = {
  read: (_, context) => {
    const rows: Row[] = [{ id: 1 }, { id: 2 }];
    Object.assign(context, { rows, first: rows[0], nested: { rows } });
    return { rows, count: 2 };
  },
  send: (_, context) => void ((context.first as Row).sent = true),
};
const PIPELINE: Pipeline = [{ functionPackage: 'read' }, { functionPackage: 'send' }];
const SENT = [{ id: 1, sent: true }, { id: 2 }];

async function recorded(payload: Context = {}, pipeline = PIPELINE): Promise<Recording> {
  const { recording } = await record(pipeline, functions, { payload });
  const read = parseRecording(writeRecording(recording));
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

it('a result has what a later step changed in the context', async () => {
  const recording = await recorded();
  expect(recording.steps[0]!.shared).toEqual([['/rows', '/rows']]);
  expect(recording.steps[0]!.value).toEqual({ rows: [{ id: 1 }, { id: 2 }], count: 2 });
  expect(await replay(recording)).toEqual({ state: 'completed', result: { rows: SENT, count: 2 } });
});

it('an object that is new at several places is the same one in a replay', async () => {
  const recording = await recorded();
  const after = (await contextsAt(recording, [1])).get(1)!.after;
  expect(after).toEqual({ rows: SENT, first: SENT[0], nested: { rows: SENT } });
  expect(recording.lost).toBe(0);
});

it('an object that the payload has at several places is the same one in a replay', async () => {
  const row = { id: 3 };
  const recording = await recorded({ first: row, others: [row] }, [{ functionPackage: 'send' }]);
  const after = (await contextsAt(recording, [0])).get(0)!.after;
  expect(after).toEqual({ first: { id: 3, sent: true }, others: [{ id: 3, sent: true }] });
});

it('a masked recording is replayed with the same objects', async () => {
  const masked = maskRecording(await recorded(), ['nested']);
  expect(JSON.stringify(masked)).not.toContain('nested');
  expect(await replay(masked)).toEqual({ state: 'completed', result: { rows: SENT, count: 2 } });
});

it('a reference to what the context doesn’t have leaves what is there', async () => {
  const recording = await recorded();
  const changes = recording.steps[0]!.changes!;
  for (const change of changes) {
    const [, value] = change;
    if ((value as { after?: boolean }).after) (value as { value: string }).value = '/missing/0';
  }
  recording.steps[0]!.shared = [
    ['/rows', '/missing'],
    ['/missing/0', '/rows'],
  ];
  expect(await replay(recording)).toMatchObject({ state: 'diverged', divergence: { what: 'result' } });
});
