/** Says where a run is paused, and why. */
import { truncate } from '../../../../shared/format.ts';
import { runErrorValue } from '../failure/run-error.ts';
import { iterationText } from '../timeline/rows.ts';
import type { StepBreakpoint } from './debug-data.ts';
import type { StepPause } from './pause-control.ts';

export interface PauseText {
  /** Such as `Paused at send-email, iteration 12`. */
  title: string;
  /** In a few words, such as `breakpoint`. */
  reason: string;
  /** More about the reason: a condition, or an error. Empty if there is none. */
  detail: string;
  tone: 'plain' | 'warning' | 'danger';
}

/** @param breakpoint of the paused step, if it has one */
export function describePause(pause: StepPause, label: string, breakpoint: StepBreakpoint | undefined): PauseText {
  const { iteration } = pause.traceStep;
  const where = iteration.length > 0 ? `, ${iterationText(iteration)}` : '';
  return { title: `Paused at ${truncate(label, 80)}${where}`, ...reasonOf(pause, breakpoint) };
}

function reasonOf(
  { reason, error }: StepPause,
  breakpoint: StepBreakpoint | undefined,
): Pick<PauseText, 'reason' | 'detail' | 'tone'> {
  const detail = error ? runErrorValue(error).message : '';
  switch (reason) {
    case 'failure':
      return { reason: 'failure', detail, tone: 'danger' };
    case 'breakpoint':
      if (error) return { reason: 'breakpoint’s condition failed', detail, tone: 'danger' };
      return { reason: 'breakpoint', detail: conditionText(breakpoint), tone: 'warning' };
    case 'step':
      return { reason: 'step', detail: '', tone: 'warning' };
    case 'request':
      return { reason: 'on request', detail: '', tone: 'warning' };
    case 'page-left':
      return { reason: 'page left', detail: 'The page was left during the run, and is back.', tone: 'warning' };
    case 'run-to':
      return { reason: 'run to here', detail: '', tone: 'warning' };
  }
}

function conditionText(breakpoint: StepBreakpoint | undefined): string {
  const { condition, hits } = breakpoint ?? {};
  return [condition, hits !== undefined && `from visit ${hits}`].filter(Boolean).join(', ');
}
