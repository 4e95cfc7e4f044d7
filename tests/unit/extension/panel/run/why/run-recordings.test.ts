/** Which recordings are loaded, and how long they’re kept. */
import { describe, expect, it } from 'vitest';
import { RunRecordings } from '../../../../../../lib/extension/panel/run/why/run-recordings.ts';
import { recordedRun, when } from './recorded-run.ts';

const RUN = { recording: { size: 1, lost: 0 } };

async function store() {
  const { recording } = await recordedRun([when('true')]);
  const loads: string[] = [];
  const texts = new Map<string, string>();
  const load = async (id: string): Promise<string | undefined> => {
    loads.push(id);
    if (id === 'broken') throw new Error('The disk is broken.');
    return texts.get(id) ?? JSON.stringify(recording);
  };
  return { recordings: new RunRecordings({ recording: load }), loads, texts, recording };
}

describe('the recording of a run', () => {
  it('is loaded once, also for several views at the same time', async () => {
    const { recordings, loads, recording } = await store();
    const both = await Promise.all([recordings.of({ id: 'a', ...RUN }), recordings.of({ id: 'a', ...RUN })]);
    expect(both).toEqual([recording, recording]);
    expect(loads).toEqual(['a']);
  });

  it('is forgotten after three others were used', async () => {
    const { recordings, loads } = await store();
    for (const id of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await recordings.of({ id, ...RUN });
    expect(loads).toEqual(['a', 'b', 'c', 'd', 'b']);
  });

  it('isn’t loaded if the run has none, and later is once it has one', async () => {
    const { recordings, loads, recording } = await store();
    expect(await recordings.of({ id: 'a' })).toBeNull();
    expect(loads).toEqual([]);
    expect(await recordings.of({ id: 'a', ...RUN })).toEqual(recording);
  });

  it.each(['', '{"format": "platform-devtools/run', '[]', '{"format": "other", "steps": []}'])(
    'that can’t be read isn’t one: %s',
    async (text) => {
      const { recordings, texts } = await store();
      texts.set('a', text);
      expect(await recordings.of({ id: 'a', ...RUN })).toBeNull();
    },
  );

  it('is tried again after the browser couldn’t load it', async () => {
    const { recordings, loads } = await store();
    expect(await recordings.of({ id: 'broken', ...RUN })).toBeNull();
    expect(await recordings.of({ id: 'broken', ...RUN })).toBeNull();
    expect(loads).toEqual(['broken', 'broken']);
  });
});
