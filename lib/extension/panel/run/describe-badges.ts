/** The badges of a run: its state, and what is missing from its trace. Each says what it means, and what to do. */
import { plural } from '../../../shared/format.ts';
import { partWarning } from './describe-steps.ts';
import type { RunRecord } from './history/run-store.ts';
import { isMade, ORIGINS } from './recordings/local-run.ts';
import type { ShownRun } from './runs.ts';
import { isPartial, type RunState, type Trace } from './trace.ts';

export interface RunBadge {
  text: string;
  tone: 'plain' | 'success' | 'danger' | 'warning';
  explanation: string;
}

/** What is shown as the state of a run: how a replay that stopped would have ended is unknown. */
export const stateText = ({ state, origin }: Pick<RunRecord, 'state' | 'origin'>): RunState | 'unknown' =>
  (state === 'stopped' || state === 'interrupted') && isMade({ origin }) ? 'unknown' : state;

const STATES: Record<RunState | 'paused' | 'unknown', Omit<RunBadge, 'text'>> = {
  running: {
    tone: 'plain',
    explanation: 'The action is running in the page. Select Stop to end it before its next step.',
  },
  paused: { tone: 'warning', explanation: 'The debugger has paused the page. Resume it in the Sources panel.' },
  completed: { tone: 'success', explanation: 'The run ended without an error. Open Result to see what it returned.' },
  failed: { tone: 'danger', explanation: 'The run failed. Open Error to see why.' },
  stopped: { tone: 'warning', explanation: 'The run was stopped. Select Run again to repeat it.' },
  interrupted: {
    tone: 'warning',
    explanation:
      'The page went away during the run, or the panel was closed, so its end is unknown. Check what it did before you repeat it.',
  },
  unknown: {
    tone: 'warning',
    explanation:
      'The replay ended here, because the recorded run did, or because the recording has no outcome for this step. ' +
      'Run the action to see how it ends.',
  },
};

const PAGE_LEFT =
  'The page was left during the run, so the run was stopped before it could act again. Select Run again to repeat it.';

export const CUT_OFF = 'The recording ends before its run did, so how the run ended is unknown.';

interface StateFacts {
  /** Whether it’s paused by the debugger of the panel. */
  isAtStep?: boolean;
  origin?: RunRecord['origin'];
  stoppedBy?: Trace['stoppedBy'];
}

export function stateBadge(
  state: RunState,
  isPaused: boolean,
  { isAtStep = false, origin, stoppedBy }: StateFacts = {},
): RunBadge {
  const shown = isPaused ? 'paused' : stateText({ state, origin });
  if (shown === 'stopped' && stoppedBy) return { text: shown, tone: 'warning', explanation: PAGE_LEFT };
  if (shown === 'interrupted' && origin) return { text: shown, tone: 'warning', explanation: CUT_OFF };
  const explanation = 'The run is paused before a step. Resume it with F8.';
  return { text: shown, ...STATES[shown], ...(isPaused && isAtStep && { explanation }) };
}

export const RELOADED: RunBadge = {
  text: 'page reloaded first',
  tone: 'plain',
  explanation: 'The action had changed since its page was loaded, so Run reloaded the page first. Nothing to do.',
};

/** @param text which engine ran the action */
export function engineBadge(text: string): RunBadge {
  return {
    text,
    tone: 'plain',
    explanation: 'Our engine ran the page’s functions with full tracing. Choose the engine beside Run.',
  };
}

/** What a run’s recording in whole values lacks; null if nothing, or if the run has none. */
export function recordingBadge({ recording, recordingProblem }: RunRecord): RunBadge | null {
  if (recordingProblem)
    return {
      text: 'recording too large',
      tone: 'warning',
      explanation:
        'The run’s steps are stored, but its recording in whole values isn’t. Run with less data to have it.',
    };
  if (!recording?.lost) return null;
  return {
    text: `${plural(recording.lost, 'value')} not recorded`,
    tone: 'plain',
    explanation:
      'Values that are too large or not data aren’t in the run’s recording. Run with less data to have them.',
  };
}

/** What a list says of a run that no page ran; null for one of a page. */
export const originNote = ({ origin }: RunRecord): string | null => (origin ? ORIGINS[origin].badge : null);

/** @param records runs among which the one is that it was made from, if it’s still stored */
export function originBadge({ origin, madeFrom }: RunRecord, records: readonly RunRecord[]): RunBadge | null {
  if (!origin) return null;
  const { badge, explanation } = ORIGINS[origin];
  const original = records.find(({ id }) => id === madeFrom);
  const from = original ? ` Made from run ${original.number}.` : '';
  return {
    text: original ? `${badge} · run ${original.number}` : badge,
    tone: 'plain',
    explanation: explanation + from,
  };
}

/** How much of the run mocks have replaced; null if none was on. */
export function mocksBadge(trace: MockedTrace): RunBadge | null {
  const { mocks, mocked } = trace;
  if (mocks === 0 && mocked === 0) return null;
  return {
    text: `${plural(mocks, 'mock')} on, ${mockedText(trace)}`,
    tone: 'warning',
    explanation: 'Mocks gave the outcomes of these steps, so their functions didn’t run. Open Mocks beside Run.',
  };
}

/** Says that a run’s result or error comes from mocks, as far as that’s known; null if it doesn’t. */
export function mocksRemark(trace: MockedTrace, what: 'result' | 'error'): string | null {
  const { mocks, mocked } = trace;
  if (mocked > 0) return `This ${what} depends on mocks: ${mockedText(trace)}.`;
  return mocks > 0 && isPartial(trace) ? `This ${what} may depend on mocks: ${mockedText(trace)}.` : null;
}

/** Why no result is shown. Of a run whose end isn’t stored, its record has the start of the result or error. */
export function noResultText(
  { result, error }: RunRecord,
  trace: Pick<Trace, 'dropped' | 'unstored' | 'state'>,
): string {
  if (trace.state === 'failed') return `The error isn’t stored. Its start: ${error ?? 'unknown'}`;
  if (result !== undefined) return `The result isn’t stored. Its start: ${result}`;
  return isPartial(trace) ? 'No result is stored.' : 'The run returned no result.';
}

type MockedTrace = Pick<Trace, 'mocks' | 'mocked' | 'dropped' | 'unstored' | 'state'>;

function mockedText(trace: MockedTrace): string {
  const steps = `${plural(trace.mocked, 'step')} mocked`;
  if (!isPartial(trace)) return steps;
  return trace.mocked > 0 ? `at least ${steps}` : 'unknown how many steps mocked';
}

/** What's missing from the recorded run. */
export function missingBadges({ record, trace }: ShownRun): RunBadge[] {
  const { lines, requests, changes } = trace.omitted;
  const badges: RunBadge[] = [];
  const add = (text: string | null | false, explanation: string): void => {
    if (text) badges.push({ text, tone: 'warning', explanation });
  };
  const more = 'Open the browser’s own tools to see the rest.';
  add(
    trace.tracing === 'wrapped' && 'function calls only',
    'This page’s runtime doesn’t report loops and conditions. Function calls are traced instead.',
  );
  add(
    trace.tracing === 'bare' && 'start and end only',
    'This page’s runtime reports no steps. If available, select “Reload with tracing”.',
  );
  add(
    trace.dropped > 0 && `${plural(trace.dropped, 'event')} lost`,
    'The page reported them faster than the panel read them, the panel was closed, or they were damaged. ' +
      'Run with less data, and keep the panel open, to see all steps.',
  );
  add(
    trace.debuggerError !== null && 'breakpoints ignored',
    `${trace.debuggerError?.message ?? ''} Choose “Our engine” beside Run.`,
  );
  add(
    trace.resumedInAbsence && 'resumed without the panel',
    'The panel was gone for 30 seconds during a pause, so the run went on. Keep the panel open while a run is paused.',
  );
  add(lines > 0 && `${plural(lines, 'console line')} not recorded`, `A run records a limited number of lines. ${more}`);
  add(
    requests > 0 && `${plural(requests, 'request')} not recorded`,
    `A run records a limited number of requests. ${more}`,
  );
  add(
    changes > 0 && `${plural(changes, 'change')} not recorded`,
    'A run records a limited number of context changes. Run with less data to see all of them.',
  );
  add(
    partWarning(record, trace),
    record.thinned
      ? 'The steps of this run were removed to save space. Pin runs that you want to keep.'
      : 'The rest was too large, or couldn’t be written or read. Run with less data to store all steps.',
  );
  return badges;
}
