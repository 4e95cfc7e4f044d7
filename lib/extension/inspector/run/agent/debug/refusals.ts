/** Decides whether a run can be debugged as the panel asks. What the user relies on is never silently ignored. */
import type { Mock } from '../../../../../debugging/mocks/types.ts';
import type { ErrorValue } from '../../../../../platform-api/errors.ts';
import { cut } from '../../../agent/describe/describe-cursor.ts';
import type { Target } from '../targets.ts';
import type { DebugRequest } from './panel-data.ts';

export interface RunFacts {
  target: Pick<Target, 'tracing' | 'isDebuggable'>;
  /** `ENV.mode`. */
  mode: unknown;
  hasReplacedBuiltIns: boolean;
  /** Whether the page can call a function that isn’t wrapped. */
  isUnwrapped(name: string): boolean;
}

interface Reason {
  why: string;
  hint: string;
}

const OUR_ENGINE = 'Choose “Our engine” beside Run.';

/** Why the run can’t pause, or start at a step; null if it can. */
function pauseReason({ target, hasReplacedBuiltIns }: RunFacts): Reason | null {
  if (hasReplacedBuiltIns)
    return {
      why: 'the page has replaced built-in functions',
      hint: 'Remove the script that replaces them, then reload the page.',
    };
  return target.isDebuggable ? null : { why: 'the page’s runtime can’t pause at steps', hint: OUR_ENGINE };
}

function mockReason(mocks: readonly Mock[], facts: RunFacts): Reason | null {
  const { target, isUnwrapped } = facts;
  const reason = pauseReason(facts);
  if (!reason || facts.hasReplacedBuiltIns) return reason;
  if (target.tracing !== 'wrapped') return { why: 'the page’s runtime would ignore them', hint: OUR_ENGINE };
  for (let i = 0; i < mocks.length; i++) {
    const mocked = mocks[i]!.target;
    if ('path' in mocked)
      return {
        why: `the page’s runtime doesn’t report which step calls a function, so the mock of step ${cut(mocked.path, 200)} would be ignored`,
        hint: OUR_ENGINE,
      };
    if (isUnwrapped(mocked.package))
      return {
        why: `the page registered ${cut(mocked.package, 200)} before the panel could watch`,
        hint: 'Reload the page with tracing, or choose “Our engine” beside Run.',
      };
  }
  return null;
}

/** Why the run isn’t started; null if it can be. */
export function refusal(request: DebugRequest, facts: RunFacts): ErrorValue | null {
  const { mocks, from, runTo, pausesFirst } = request;
  if (mocks.length > 0 && facts.mode === 'live')
    return {
      code: 'MOCKS_LIVE',
      message: 'Couldn’t apply the mocks: this page belongs to a live app. Nothing was run.',
      hint: 'Open the debug page of the action, or turn the mocks off.',
    };
  const mocked = mocks.length > 0 ? mockReason(mocks, facts) : null;
  if (mocked)
    return {
      code: 'MOCKS_UNAVAILABLE',
      message: `Couldn’t apply the mocks: ${mocked.why}. Nothing was run.`,
      hint: mocked.hint,
    };
  const reason = from || runTo || pausesFirst ? pauseReason(facts) : null;
  const what = from ? 'start at this step' : runTo ? 'run to this step' : 'pause at the first step';
  return (
    reason && {
      code: 'DEBUGGER_UNAVAILABLE',
      message: `Couldn’t ${what}: ${reason.why}. Nothing was run.`,
      hint: reason.hint,
    }
  );
}

/** Why the run can’t pause; null if it can. */
export function debuggerError(facts: RunFacts): ErrorValue | null {
  const reason = pauseReason(facts);
  return (
    reason && {
      code: 'DEBUGGER_UNAVAILABLE',
      message: `Couldn’t pause at steps: ${reason.why}. The run ignores breakpoints.`,
      hint: reason.hint,
    }
  );
}

/** Whether the settings have anything to pause or log at. */
export function hasBreakpoints({ settings }: DebugRequest): boolean {
  if (!settings) return false;
  if (settings.pauseOnFailure) return true;
  for (let i = 0; i < settings.breakpoints.length; i++) if (!settings.breakpoints[i]!.isOff) return true;
  return false;
}
