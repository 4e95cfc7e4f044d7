/** Completes stored runs with what their page still reports. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent, AgentEventBody } from '../../../../../lib/extension/inspector/contract.ts';
import type { RunRecord } from '../../../../../lib/extension/panel/run/history/run-store.ts';
import {
  partText,
  stepsText,
  tracingText,
  unstoredText,
} from '../../../../../lib/extension/panel/run/describe-steps.ts';
import { nodeRun, pipelineNodes } from '../../../../../lib/extension/panel/run/pipeline-tree.ts';
import { recoverRun, restoreTrace } from '../../../../../lib/extension/panel/run/history/stored-run.ts';
import { recordingOfEvents } from '../../../../../lib/extension/panel/run/recordings/recording-of-events.ts';
import { remote } from './remote.ts';

afterEach(() => void vi.restoreAllMocks());

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

describe('a run’s time', () => {
  const traced = (tracingMilliseconds?: number) =>
    restoreTrace(record, [runStart, { ...end(2), tracingMilliseconds } as AgentEvent]);

  it('says how much of it was tracing', async () => {
    expect(tracingText(await traced(210.4))).toBe('tracing 210 ms');
  });

  it('says nothing of tracing that took no time, and in runs that an earlier version stored', async () => {
    expect([tracingText(await traced(0.4)), tracingText(await traced())]).toEqual([null, null]);
  });
});

describe('a run that is stored in part', () => {
  const step = (n: number, id: number, path: string, parent: number | null): AgentEvent =>
    event(n, {
      kind: 'step-started',
      step: id,
      parent,
      path,
      iteration: parent === null ? [] : [0],
      stepKind: parent === null ? 'loop' : 'function',
      name: 'one',
      settings: remote({}),
    });
  const cut: RunRecord = { ...record, state: 'completed', cut: true, steps: { total: 50_003, stored: 2 } };
  const events = [runStart, step(2, 1, '/0', null), step(3, 2, '/0/functions/0', 1), end(100_000)];
  const nodes = pipelineNodes([{ type: 'loop', items: 'all', functions: [{ function: 'one' }] }, { function: 'two' }]);

  it('keeps its own state, and its steps without an end aren’t shown as stopped', async () => {
    const trace = await restoreTrace(cut, events);
    expect(trace.state).toBe('completed');
    expect([...trace.steps.values()].map(({ state }) => state)).toEqual(['unstored', 'unstored']);
    expect(nodes.map((node) => nodeRun(node, trace).state)).toEqual(['unstored', 'unstored', 'unstored']);
    expect(nodeRun(nodes[1]!, trace)).toMatchObject({ count: 1, isAtLeast: true });
  });

  it('says how many of its steps are stored', async () => {
    const trace = await restoreTrace(cut, events);
    expect(stepsText(trace)).toBe('2 of 50,003 steps stored');
    expect(unstoredText(trace)).toBe('50,001 more steps aren’t stored.');
    expect(stepsText(await restoreTrace({ ...cut, steps: undefined }, events))).toBe('2 steps stored');
    expect(partText({ ...cut, thinned: true })).toBe('steps removed to save space');
  });

  it('differs from one that is stored whole, whose steps without an end were stopped', async () => {
    const stopped = event(4, { kind: 'run-ended', state: 'stopped', milliseconds: 9 });
    const trace = await restoreTrace({ ...record, state: 'stopped' }, [...events.slice(0, 3), stopped]);
    expect([...trace.steps.values()].map(({ state }) => state)).toEqual(['stopped', 'stopped']);
    expect(nodeRun(nodes[2]!, trace).state).toBe('idle');
  });
});

describe('a run whose events are missing', () => {
  const droppedIn = async (events: AgentEvent[], more: Partial<RunRecord> = {}) =>
    (await restoreTrace({ ...record, state: 'completed', ...more }, events)).dropped;

  it('counts those between its stored events, such as of a damaged record', async () => {
    expect(await droppedIn([runStart, end(14)])).toBe(12);
    expect(await droppedIn([{ ...runStart, n: 5 } as AgentEvent, end(6)])).toBe(0);
  });

  it('counts its start, its end, or both, if those are missing', async () => {
    expect(await droppedIn([end(2)])).toBe(1);
    expect(await droppedIn([runStart])).toBe(1);
    expect(await droppedIn([])).toBe(1);
    expect(await droppedIn([runStart], { state: 'interrupted' })).toBe(0);
  });

  it('counts those that its record says it lost, also when its steps were removed', async () => {
    expect(await droppedIn([runStart, end(2)], { dropped: 3 })).toBe(3);
    expect(await droppedIn([runStart, end(40)], { dropped: 3, thinned: true })).toBe(3);
    expect(partText({ ...record, dropped: 3 })).toBe('stored in part');
  });

  it('has a recording whose end is unknown', () => {
    const recorded = (n: number) => recordingOfEvents({ ...record, state: 'completed' }, [runStart, end(n)]);
    expect(recorded(2)?.end.state).toBe('completed');
    expect(recorded(3)?.end.state).toBe('interrupted');
  });
});

it('of many steps is restored with pauses, so that the panel can handle input', async () => {
  let at = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (at += 20));
  const lines = Array.from({ length: 1_000 }, (_, index) =>
    event(index + 2, { kind: 'console', step: null, level: 'log', args: [] }),
  );
  let isRestored = false;
  const restored = restoreTrace(record, [runStart, ...lines]).finally(() => (isRestored = true));
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  expect(isRestored).toBe(false);
  expect((await restored).console).toHaveLength(1_000);
});
