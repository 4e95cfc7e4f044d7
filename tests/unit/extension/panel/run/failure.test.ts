/** How a failed run is explained: the sentence at the top, the lines of its trace, and its badges. */
import { describe, expect, it } from 'vitest';
import {
  missingBadges,
  mocksBadge,
  mocksRemark,
  noResultText,
  stateBadge,
} from '../../../../../lib/extension/panel/run/describe-badges.ts';
import { missingText, noChangesText } from '../../../../../lib/extension/panel/run/describe-steps.ts';
import { traceEntries } from '../../../../../lib/extension/panel/run/failure/error-frames.ts';
import { failurePlace } from '../../../../../lib/extension/panel/run/failure/run-error.ts';
import { StepTexts } from '../../../../../lib/extension/panel/run/timeline/step-texts.ts';
import { addEvents } from '../../../../../lib/extension/panel/run/build-trace.ts';
import { createTrace } from '../../../../../lib/extension/panel/run/trace.ts';
import type { AgentEvent } from '../../../../../lib/extension/inspector/contract.ts';
import { remote } from './remote.ts';

const ERROR = { code: 'STEP_FAILED', errorType: 'Error', errorMessage: 'no', trace: [], path: '/0', iteration: [] };

/** A step that fails in the third iteration of a loop, below an `if`. */
function failed() {
  const base = { runId: 'r', at: 1, iteration: [2], settings: remote({}), state: 'failed', changes: [] };
  const item = [{ path: '/currentItem', after: remote({ name: 'Ada' }) }];
  const events = [
    { kind: 'run-started', tracing: 'observed', payload: remote({}), context: remote({}), startedAt: 0 },
    { kind: 'step-started', step: 1, parent: null, path: '/0', stepKind: 'loop', name: 'loop', iteration: [] },
    { kind: 'step-started', step: 2, parent: 1, path: '/0/a', stepKind: 'if', name: 'if', changes: item },
    { kind: 'step-started', step: 3, parent: 2, path: '/0/a/b', stepKind: 'function', name: 'com.example.send-email' },
    { kind: 'step-ended', step: 3, error: ERROR },
    { kind: 'step-ended', step: 2 },
    { kind: 'step-ended', step: 1 },
    { kind: 'run-ended', milliseconds: 3, error: ERROR },
  ];
  return addEvents(
    createTrace('r', 0),
    events.map((event, n) => ({ ...base, n, ...event }) as AgentEvent),
  );
}

describe('a failed run', () => {
  it('leads with the step, the iteration, and its item', () => {
    const trace = failed();
    const place = failurePlace(trace, new StepTexts(trace, []));
    expect(place && `${place.label}${place.after}no`).toBe('send-email failed in iteration 3 (Ada): no');
    expect(place?.step.id).toBe(3);
  });

  it('is explained even if a hostile page reports a step that contains itself', () => {
    const base = { runId: 'r', at: 1, n: 1, path: '/0', iteration: [0], settings: remote({}), changes: [] };
    const events = [
      { kind: 'step-started', step: 1, parent: 1, stepKind: 'if', name: 'if' },
      { kind: 'step-ended', step: 1, state: 'failed', error: ERROR },
      { kind: 'run-ended', state: 'failed', milliseconds: 3, error: ERROR },
    ];
    const trace = addEvents(
      createTrace('r', 0),
      events.map((event) => ({ ...base, ...event }) as AgentEvent),
    );
    expect(trace.steps.get(1)?.parent).toBeNull();
    expect(failurePlace(trace, new StepTexts(trace, []))?.after).toBe(' failed in iteration 1: ');
  });

  it('leads with the message only if the failed step is unknown', () => {
    const trace = { ...failed(), failedStep: null };
    expect(failurePlace(trace, new StepTexts(trace, []))).toBeNull();
  });
});

describe('the lines of a trace', () => {
  const FUNCTION = 'https://p.example/v1/functions/com.example.f.js';
  const CORE = 'https://p.example/v1/packages/platform-core:2.js';
  const shape = (lines: string[], functions: string[] = []) =>
    traceEntries(lines, new Set(functions)).map((entry) =>
      entry.kind === 'line' ? (entry.line.position?.line ?? entry.line.text) : entry.lines.length,
    );

  it('collapse the frames of the page’s runtime', () => {
    const lines = [
      'step /0',
      `at helper (${FUNCTION}:10:11)`,
      `at Run.call (${CORE}:19:17)`,
      `Run@${CORE}:5:1`,
      'at x',
    ];
    expect(shape(lines)).toEqual(['step /0', 10, 2, 'at x']);
  });

  it('collapse everything that called the function in a runtime of another name', () => {
    const lines = [
      `at helper (https://cdn.example/lib.js:1:2)`,
      `at ${FUNCTION}:10:11`,
      'at async a',
      'at https://x.example/rt.js:1:1',
    ];
    expect(shape(lines, [FUNCTION])).toEqual([1, 10, 2]);
  });

  it('don’t open anything but HTTP and file URLs', () => {
    const [entry] = traceEntries(['at f (javascript:alert(1):1:1)'], new Set());
    expect(entry).toMatchObject({ kind: 'line', line: { position: null } });
  });
});

describe('a run’s badges', () => {
  it('say what each state means and what to do', () => {
    expect(stateBadge('failed', false)).toMatchObject({ text: 'failed', tone: 'danger' });
    expect(stateBadge('running', true).text).toBe('paused');
    expect(stateBadge('stopped', false).explanation).toContain('The run was stopped');
  });

  it('say that how a replay would have ended is unknown, if it stopped', () => {
    for (const origin of ['replay', 'what-if', 'smallest', 'v3'] as const)
      expect(stateBadge('stopped', false, { origin })).toMatchObject({ text: 'unknown', tone: 'warning' });
    expect(stateBadge('stopped', false, { origin: 'file' }).text).toBe('stopped');
    expect(stateBadge('failed', false, { origin: 'what-if' }).text).toBe('failed');
  });

  it('say how many steps mocks have replaced, as far as the run’s events are known', () => {
    const trace = { ...createTrace('r', 0), state: 'completed' as const, mocks: 2, mocked: 1 };
    expect(mocksBadge(trace)?.text).toBe('2 mocks on, 1 step mocked');
    expect(mocksRemark(trace, 'result')).toBe('This result depends on mocks: 1 step mocked.');
    expect(mocksBadge({ ...trace, dropped: 1 })?.text).toBe('2 mocks on, at least 1 step mocked');
    const thinned = { ...trace, mocked: 0, unstored: { steps: 5 } };
    expect(mocksBadge(thinned)?.text).toBe('2 mocks on, unknown how many steps mocked');
    expect(mocksRemark(thinned, 'error')).toBe('This error may depend on mocks: unknown how many steps mocked.');
    expect(mocksRemark({ ...trace, mocked: 0 }, 'result')).toBeNull();
  });

  it('explain everything that is missing', () => {
    const trace = {
      ...failed(),
      tracing: 'wrapped' as const,
      dropped: 3,
      omitted: { lines: 1, requests: 2, changes: 4 },
    };
    const badges = missingBadges({ record: {} as never, trace });
    expect(badges.map(({ text }) => text)).toEqual([
      'function calls only',
      '3 events lost',
      '1 console line not recorded',
      '2 requests not recorded',
      '4 changes not recorded',
    ]);
    for (const { explanation } of badges) expect(explanation).toMatch(/\.$/);
  });
});

describe('a run without a result, changes, or lines', () => {
  const whole = { ...createTrace('r', 0), state: 'completed' as const };
  const cut = { ...whole, unstored: { steps: null } };

  it('says that it returned none only if its end is stored', () => {
    expect(noResultText({ error: null } as never, whole)).toBe('The run returned no result.');
    expect(noResultText({ error: null } as never, cut)).toBe('No result is stored.');
    expect(noResultText({ error: null, result: '{"a"' } as never, cut)).toBe(
      'The result isn’t stored. Its start: {"a"',
    );
    expect(noResultText({ error: 'Error: no' } as never, { ...cut, state: 'failed' })).toBe(
      'The error isn’t stored. Its start: Error: no',
    );
  });

  it('says that no step has changed the context only if all events are known', () => {
    expect(noChangesText(whole, null)).toBe('No step in this run changed the context.');
    for (const trace of [cut, { ...whole, dropped: 1 }, { ...whole, state: 'interrupted' as const }])
      expect([noChangesText(trace, null), missingText(trace)]).toEqual(
        Array(2).fill('Part of this run’s events is missing.'),
      );
    const step = failed().order[2]!;
    expect(noChangesText(whole, step)).toBe('This step didn’t change the context.');
    expect(noChangesText(whole, { ...step, shallow: true })).toContain('No change was found');
    expect(noChangesText(cut, { ...step, state: 'unstored' })).toBe('How this step ended is unknown.');
  });
});
