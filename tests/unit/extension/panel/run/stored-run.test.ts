/** Completes stored runs with what their page still reports. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent, AgentEventBody } from '../../../../../lib/extension/inspector/contract.ts';
import type { RunRecord } from '../../../../../lib/extension/panel/run/history/run-store.ts';
import { recoverRun } from '../../../../../lib/extension/panel/run/history/stored-run.ts';
import { remote } from './remote.ts';

const record: RunRecord = {
  id: 'r',
  subject: 's',
  title: 't',
  number: 1,
  payload: '{}',
  startedAt: 1,
  state: 'running',
  milliseconds: 0,
  tracing: 'observed',
  error: null,
  size: 0,
  cut: false,
};
const event = (n: number, body: AgentEventBody): AgentEvent => ({ ...body, n, at: n, runId: 'r' }) as AgentEvent;
const runStart = event(1, {
  kind: 'run-started',
  tracing: 'observed',
  payload: remote({}),
  context: remote({}),
  startedAt: 1,
});
const end = (n: number) => event(n, { kind: 'run-ended', state: 'completed', milliseconds: 9 });

/** @param append stores the rest of the events */
async function after(
  known: AgentEvent[],
  rest: AgentEvent[],
  append: () => Promise<RunRecord | undefined> = () => Promise.resolve({ ...record, size: 7 }),
) {
  const store = { events: () => Promise.resolve(known), append };
  return recoverRun({ ...record }, store, null as never, (_inspector, _id, from) =>
    Promise.resolve({ ok: true, value: rest.filter(({ n }) => n > from) }),
  );
}

describe('a run that no panel saw end', () => {
  it('ends as its page reports, and is complete when no event is missing', async () => {
    expect(await after([runStart], [end(2)])).toMatchObject({
      state: 'completed',
      milliseconds: 9,
      size: 7,
      cut: false,
    });
    expect(await after([], [runStart, end(2)])).toMatchObject({ state: 'completed', cut: false });
  });

  it('is marked as cut when events are missing or the rest can’t be stored', async () => {
    expect(await after([runStart], [end(3)])).toMatchObject({ state: 'completed', cut: true });
    expect(await after([runStart], [end(2)], () => Promise.reject(new Error('full')))).toMatchObject({
      state: 'completed',
      cut: true,
    });
  });

  it('ends as its stored events say when only its record wasn’t updated', async () => {
    expect(await after([runStart, end(2)], [])).toMatchObject({ state: 'completed', size: 0, cut: false });
  });

  it('is interrupted when the page knows of no end', async () => {
    expect(await after([runStart], [])).toMatchObject({ state: 'interrupted' });
  });
});
