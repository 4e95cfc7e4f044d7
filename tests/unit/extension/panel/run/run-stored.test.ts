/** Owns the proof of what becomes of a stored run when its page is asked for the rest of it. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent, AgentEventBody } from '../../../../../lib/extension/inspector/contract.ts';
import type { RunRecord, RunStore } from '../../../../../lib/extension/panel/run/history/run-store.ts';
import { takeUp } from '../../../../../lib/extension/panel/run/history/run-stored.ts';
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
const begin = event(1, {
  kind: 'run-started',
  tracing: 'observed',
  payload: remote({}),
  context: remote({}),
  startedAt: 1,
});
const end = (n: number) => event(n, { kind: 'run-ended', state: 'completed', milliseconds: 9 });

/** @param append what storing the rest comes to */
async function after(
  known: AgentEvent[],
  rest: AgentEvent[],
  append: () => Promise<RunRecord | undefined> = () => Promise.resolve({ ...record, size: 7 }),
) {
  const store = { events: () => Promise.resolve(known), append } as unknown as RunStore;
  return takeUp({ ...record }, store, null as never, (_inspector, _id, from) =>
    Promise.resolve({ ok: true, value: rest.filter(({ n }) => n > from) }),
  );
}

describe('a run that no panel saw end', () => {
  it('has ended as its page says, and is whole when no event is missing', async () => {
    expect(await after([begin], [end(2)])).toMatchObject({ state: 'completed', milliseconds: 9, size: 7, cut: false });
    expect(await after([], [begin, end(2)])).toMatchObject({ state: 'completed', cut: false });
  });

  it('is kept in part when events between are missing, or when the rest finds no room', async () => {
    expect(await after([begin], [end(3)])).toMatchObject({ state: 'completed', cut: true });
    expect(await after([begin], [end(2)], () => Promise.reject(new Error('full')))).toMatchObject({
      state: 'completed',
      cut: true,
    });
  });

  it('has ended as the store says when its end was stored, and only its record was not', async () => {
    expect(await after([begin, end(2)], [])).toMatchObject({ state: 'completed', size: 0, cut: false });
  });

  it('is interrupted when the page knows of no end', async () => {
    expect(await after([begin], [])).toMatchObject({ state: 'interrupted' });
  });
});
